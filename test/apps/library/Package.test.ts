import { assert, describe, it } from "@effect/vitest"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { Context, Effect, Layer } from "effect"
import { publint } from "publint"
import { root, run, serving } from "./Children.ts"

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-package-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** An empty project in which the package is installed, with the packages that it depends on and no others. */
class Project extends Context.Tag("test/Project")<
  Project,
  { readonly folder: string; readonly installed: string; readonly tarball: string }
>() {}

const succeeds = Effect.fnUntraced(function* (command: ReadonlyArray<string>, cwd: string) {
  const { code, output } = yield* run(command, { cwd })
  assert.strictEqual(code, 0, output)
  return output
})

const project = Layer.scoped(
  Project,
  Effect.gen(function* () {
    const path = yield* folder
    yield* succeeds(["npm", "pack", "--silent", "--pack-destination", path], root)
    const tarball = join(
      path,
      readdirSync(path).find((name) => name.endsWith(".tgz"))!
    )
    const modules = join(path, "node_modules")
    mkdirSync(modules)
    yield* succeeds(["tar", "-xzf", tarball, "-C", modules], path)
    const installed = join(modules, "outdial")
    renameSync(join(modules, "package"), installed)
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest
    for (const name of Object.keys(dependencies).filter((name) => name !== "tsx")) {
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, "node_modules", name), join(modules, name))
    }
    writeFileSync(join(path, "package.json"), '{"name":"empty","private":true,"type":"module"}')
    return { folder: path, installed, tarball }
  })
).pipe(Layer.orDie)

const program = `
import { makeOutdial, DuplicateKey } from "outdial"
import { createClient } from "outdial/client"
import { Calls } from "outdial/core/calls/Calls"

const outdial = await makeOutdial({ store: "sqlite:" + process.argv[2], settings: { OUTDIAL_SIMULATED_SPEED: "Infinity" } })
const { id } = await outdial.workspaces.create({ name: "Packed" })
const agent = await outdial.agents.create(id, { name: "Agent", prompt: "Call {{name}}" })
await outdial.agents.update(id, agent.id, { published: true })
await outdial.numbers.add(id, { number: "+14155550100" })
await outdial.credits.topUp(id, 100)
const events = outdial.events()
const draft = { agent_id: agent.id, to_number: "+14155550123", idempotency_key: "once" }
const { call_id } = await outdial.calls.place(id, draft)
for await (const { event_type } of events) if (event_type === "recording_completed") break
const call = await outdial.calls.get(id, call_id)
const repeated = await outdial.calls.place(id, draft).catch((error) => error instanceof DuplicateKey)
const campaign = await outdial.campaigns.create(id, { name: "Spring", agent_id: agent.id })
const imported = await outdial.imports.upload(id, campaign.id, { filename: "a.csv", file: "phone\\n+14155550123\\n" })
const services = await outdial.runtime.runPromise(Calls)
const answer = await outdial.fetch(new Request("http://localhost/health/ready"))
await outdial.dispose()
console.log(JSON.stringify([call.status, repeated, imported.import.accepted_rows, typeof services.place, answer.status, typeof createClient]))
`

/** What a project on TypeScript sees of it. */
const typed = `
import { makeOutdial, type CallJson, type Carrier } from "outdial"
import type { Outcome } from "outdial/core/calls/Call"

const carrier: Carrier = { dial: async ({ key, to_number }) => key + to_number }
const outdial = await makeOutdial({ carrier })
const call: CallJson = await outdial.calls.place("ws", { agent_id: "a", to_number: "+14155550123" })
export const outcome: Outcome | null = call.outcome
export const completed: string | null = call.completed_at
// @ts-expect-error a call has no such property
call.to_number
// @ts-expect-error a workspace comes first
await outdial.calls.place({ agent_id: "a", to_number: "+14155550123" })
export const total: number = (await outdial.calls.list("ws", { status: "queued", limit: 5 })).pagination.total
`

const statement = /^(?:import|export)\b(?:[^"'`;=()]*?\bfrom\b)?\s*"([^."][^"]*)"/gm

const importedPackages = (installed: string): ReadonlySet<string> => {
  const names = new Set<string>()
  const dist = join(installed, "dist")
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".js")) continue
    const code = readFileSync(join(dist, path), "utf8")
    for (const [, name] of code.matchAll(statement)) names.add(name!)
    for (const [, name] of code.matchAll(/\bimport\("([^."][^"]*)"\)/g)) names.add(name!)
  }
  return new Set(
    [...names]
      .filter((name) => !/^(?:node|bun):/.test(name))
      .map((name) =>
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/")
      )
  )
}

describe("the package", () => {
  it.layer(project, { timeout: "2 minutes" })((it) => {
    it.effect("holds what its manifest says, as publint reads it", () =>
      Effect.gen(function* () {
        const { installed } = yield* Project
        const { messages } = yield* Effect.promise(() => publint({ pkgDir: installed, pack: false }))
        assert.deepStrictEqual(messages, [])
      })
    )

    it.effect("has types that resolve wherever an ES module can be imported", () =>
      Effect.gen(function* () {
        const { folder, tarball } = yield* Project
        yield* succeeds([join(root, "node_modules/.bin/attw"), tarball, "--profile", "esm-only"], folder)
      })
    )

    it.effect("imports nothing but what it depends on", () =>
      Effect.gen(function* () {
        const { installed } = yield* Project
        const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest
        const names = importedPackages(installed)
        assert.isTrue(names.has("effect"))
        assert.deepStrictEqual(
          [...names].filter((name) => !(name in dependencies)),
          []
        )
      })
    )

    it.effect(
      "works in an empty project on plain Node: calls, SQLite, files, REST",
      () =>
        Effect.gen(function* () {
          const { folder } = yield* Project
          writeFileSync(join(folder, "program.js"), program)
          const output = yield* succeeds([process.execPath, "program.js", join(folder, "outdial.db")], folder)
          assert.deepStrictEqual(JSON.parse(output.trim().split("\n").at(-1)!), [
            "completed",
            true,
            1,
            "function",
            200,
            "function"
          ])
        }),
      60_000
    )

    it.effect(
      "is typed for a project on TypeScript",
      () =>
        Effect.gen(function* () {
          const { folder } = yield* Project
          mkdirSync(join(folder, "node_modules/@types"), { recursive: true })
          cpSync(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"), {
            recursive: true
          })
          cpSync(join(root, "node_modules/undici-types"), join(folder, "node_modules/undici-types"), {
            recursive: true
          })
          writeFileSync(join(folder, "typed.ts"), typed)
          writeFileSync(
            join(folder, "tsconfig.json"),
            JSON.stringify({
              compilerOptions: {
                module: "NodeNext",
                target: "ES2023",
                strict: true,
                noEmit: true,
                skipLibCheck: true,
                types: ["node"]
              },
              include: ["typed.ts"]
            })
          )
          const compiler = join(
            dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
            "bin/tsc"
          )
          yield* succeeds([process.execPath, compiler, "-p", "tsconfig.json"], folder)
        }),
      60_000
    )

    it.scoped("brings the command line and the server", () =>
      Effect.gen(function* () {
        const { folder, installed } = yield* Project
        const help = yield* succeeds([join(installed, "dist/apps/cli/main.js"), "--help"], folder)
        assert.include(help, "workspace")
        const [, origin] = yield* serving(
          [process.execPath, join(installed, "dist/apps/server/main.js")],
          /Listening on (http:\/\/[^/]+)/,
          { cwd: folder, env: { PORT: "0", OUTDIAL_DATABASE_URL: "memory:" } }
        )
        const ready = yield* Effect.promise(() => fetch(`${origin}/health/ready`))
        assert.strictEqual(ready.status, 200)
      })
    )
  })
})
