import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire, isBuiltin } from "node:module"
import { delimiter, dirname, join } from "node:path"
import process from "node:process"
import { Effect, TestServices } from "effect"
import { publint } from "publint"
import { binaries, freshDatabase, server } from "../../adapters/sql/PostgresServer.ts"
import { xlsxFile } from "../../adapters/tables/Fixtures.ts"
import { until } from "../../Until.ts"
import { blocksOf, sectionOf } from "./Blocks.ts"
import { root, run, serving } from "./Children.ts"
import { LeanProject, manifestOf, megabytesOf, Project, projects, succeeds, treeOf } from "./Packed.ts"

const program = `
import { readFileSync } from "node:fs"
import { makeOutdial, DuplicateKey } from "outdial"
import { createClient } from "outdial/client"
import { busyOnce, makeTestPlatform } from "outdial/testing"
import { Calls } from "outdial/core/usecases/Calls"

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
const spread = await outdial.imports.upload(id, campaign.id, { filename: "people.xlsx", file: readFileSync("people.xlsx") })
const services = await outdial.runtime.runPromise(Calls)
const answer = await outdial.fetch(new Request("http://localhost/health/ready"))
await outdial.dispose()
const reopened = await makeOutdial({ store: "sqlite:" + process.argv[2] })
const { outcome } = await reopened.calls.get(id, call_id)
await reopened.dispose()
const test = await makeTestPlatform()
test.callee("*", busyOnce())
const call_config = { call_retry_config: { retry_count: 1 } }
await createClient(test).calls.place({ agent_id: test.agent_id, to_number: "+14155550123", call_config })
await test.runUntilIdle()
await test.dispose()
console.log(JSON.stringify([call.status, repeated, imported.import.accepted_rows, spread.import.accepted_rows, typeof services.place, answer.status, outcome, test.dialled.length]))
`

/** What a project on TypeScript sees of it. */
const typed = `
import { makeOutdial, type CallJson, type Carrier } from "outdial"
import type { Outcome } from "outdial/core/model/calls/Call"

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

/** The blocks of all pages as files of a project; their names. The types of vitest themselves do not pass a strict check. */
const writePages = (folder: string, hasVitest: boolean): ReadonlyArray<string> => {
  const page = (name: string) => `apps/${name}/README.md`
  const testing = blocksOf(page("testing"), "ts")
  const files = Object.entries({
    typed,
    library: blocksOf(page("library"), "ts").join("\n"),
    ...Object.fromEntries(blocksOf(page("client"), "ts").map((code, i) => [`client${i}`, code])),
    ...Object.fromEntries(testing.map((code, i) => [i === 0 ? "reminders" : `testing${i}`, code]))
  })
  assert.isAbove(files.length, 15)
  if (hasVitest) symlinkSync(join(root, "node_modules/vitest"), join(folder, "node_modules/vitest"))
  for (const [name, code] of files) writeFileSync(join(folder, `${name}.ts`), `${code}\nexport {}\n`)
  return files.filter(([, code]) => hasVitest || !code.includes('"vitest"')).map(([name]) => `${name}.ts`)
}

const statement = /(?:^|;)(?:import|export)\b(?:[^"'`;=()]*?\bfrom\b)?\s*"([^."][^"]*)"/gm

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
      .filter((name) => !isBuiltin(name) && !name.startsWith("bun:"))
      .map((name) =>
        name
          .split("/")
          .slice(0, name.startsWith("@") ? 2 : 1)
          .join("/")
      )
  )
}

describe("the package", () => {
  it.layer(projects, { timeout: "3 minutes" })((it) => {
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
        const { dependencies, optionalDependencies } = manifestOf(installed)
        assert.sameMembers(
          [...importedPackages(installed)],
          Object.keys({ ...dependencies, ...optionalDependencies })
        )
      })
    )

    it.effect("is installed without OpenTelemetry, a loader or a compiler, below 100 MB", () =>
      Effect.gen(function* () {
        const { installed } = yield* LeanProject
        const lean = treeOf(installed, false)
        const full = treeOf(installed, true)
        const names = [...full].map((path) => path.split("node_modules/").at(-1)!)
        assert.includeMembers(names, ["effect", "better-sqlite3", "pg"])
        assert.isFalse(lean.has(join(root, "node_modules/pg")))
        assert.deepStrictEqual(
          names.filter((name) => /^@opentelemetry|^@?esbuild|^tsx$|^typescript$/.test(name)),
          []
        )
        assert.isBelow(names.length, 70)
        const megabytes = (tree: ReadonlySet<string>) =>
          [installed, ...tree].reduce((sum, path) => sum + megabytesOf(path), 0)
        assert.isBelow(megabytes(lean), 100)
        assert.isBelow(megabytes(full), 150)
      })
    )

    it.effect("brings the licence of what is compiled into it", () =>
      Effect.gen(function* () {
        const { installed } = yield* Project
        const licences = readFileSync(join(installed, "dist/packages/LICENCES.md"), "utf8")
        for (const section of licences.split(/^## /m).slice(1)) {
          assert.match(section, /^\S+ \d\S* \(.+\)\n[^]*(?:copyright|licen[cs]e)/i)
        }
      })
    )

    it.effect("has no module that does not load", () =>
      Effect.gen(function* () {
        const { folder, installed } = yield* Project
        const modules = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" }).filter(
          (path) =>
            // The console's are for browsers.
            path.endsWith(".js") && !/reader\/main\.js|child\.js|Bun|programs\/public/.test(path)
        )
        assert.isAbove(modules.length, 500)
        const code = modules.map((path) => `import ${JSON.stringify(`./node_modules/outdial/dist/${path}`)}`)
        writeFileSync(join(folder, "all.js"), code.join("\n"))
        yield* succeeds([process.execPath, "all.js"], folder)
      })
    )

    it.effect(
      "works in an empty project on plain Node, without what is optional: calls, SQLite, files, REST, testing, client",
      () =>
        Effect.gen(function* () {
          const { folder } = yield* LeanProject
          writeFileSync(join(folder, "program.js"), program)
          writeFileSync(join(folder, "people.xlsx"), xlsxFile([["phone"], ["+14155550124"]]))
          const output = yield* succeeds([process.execPath, "program.js", join(folder, "outdial.db")], folder)
          assert.deepStrictEqual(JSON.parse(output.trim().split("\n").at(-1)!), [
            "completed",
            true,
            1,
            1,
            "function",
            200,
            "answered",
            2
          ])
        }),
      60_000
    )

    it.effect(
      "names the package that PostgreSQL needs, where it is not installed",
      () =>
        Effect.gen(function* () {
          const { bin, folder } = yield* LeanProject
          const url = "postgres://outdial@127.0.0.1:1/outdial"
          const sentence = "postgres://… needs the package pg, which is not installed: npm install pg"
          const env = { OUTDIAL_DATABASE_URL: url }
          for (const command of [
            ["serve"],
            ["doctor"],
            ["workspace", "list"],
            ["migrate-store", "--from", url, "--to", "sqlite:new.db"]
          ]) {
            const { code, output } = yield* run([join(bin, "outdial"), ...command], { cwd: folder, env })
            assert.notStrictEqual(code, 0, command[0])
            assert.include(output.replaceAll(/\s+/g, " "), sentence, command[0])
            assert.notInclude(output, "    at ", command[0])
          }
          const code = `import { makeOutdial, StoreUnavailable } from "outdial"
          await makeOutdial({ store: ${JSON.stringify(url)} }).catch((error) =>
            console.log(error instanceof StoreUnavailable, error.cause.message))`
          const output = yield* succeeds([process.execPath, "--input-type=module", "-e", code], folder)
          assert.strictEqual(output, `true ${sentence}\n`)
        }),
      60_000
    )

    it.effect("shows the lines of its sources where something is thrown", () =>
      Effect.gen(function* () {
        const { folder } = yield* Project
        const code = `import { answer } from "outdial/testing"
          try { answer({ seconds: -1 }) } catch (error) { console.log(error.stack) }`
        const output = yield* succeeds(
          [process.execPath, "--enable-source-maps", "--input-type=module", "-e", code],
          folder
        )
        const [, file, line] = /at answer \(\S+outdial\/(apps\/testing\/\w+\.ts):(\d+)/.exec(output)!
        assert.include(readFileSync(join(root, file!), "utf8").split("\n")[Number(line) - 1], "seconds")
      })
    )

    for (const [resolution, hasVitest] of [
      ["nodenext", false],
      ["bundler", true]
    ] as const) {
      it.effect(
        `is typed for a project on TypeScript, and so is every block of its pages (${resolution})`,
        () =>
          Effect.gen(function* () {
            const { folder } = yield* Project
            writeFileSync(
              join(folder, "tsconfig.json"),
              JSON.stringify({
                compilerOptions: {
                  module: resolution === "nodenext" ? "nodenext" : "esnext",
                  moduleResolution: resolution,
                  target: "es2023",
                  strict: true,
                  exactOptionalPropertyTypes: true,
                  noUncheckedIndexedAccess: true,
                  noEmit: true,
                  allowImportingTsExtensions: true,
                  skipLibCheck: hasVitest,
                  types: ["node"]
                },
                files: writePages(folder, hasVitest)
              })
            )
            const compiler = join(
              dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
              "bin/tsc"
            )
            // Several threads would check the same types in part.
            yield* succeeds([process.execPath, compiler, "-p", "tsconfig.json", "--singleThreaded"], folder)
          }),
        60_000
      )
    }

    it.effect(
      "is typed for Deno's own compiler",
      () =>
        Effect.gen(function* () {
          const { folder } = yield* Project
          writeFileSync(join(folder, "typed.ts"), typed)
          const deno = join(root, "node_modules/.bin/deno")
          yield* succeeds([deno, "check", "--node-modules-dir=manual", "typed.ts"], folder)
        }),
      60_000
    )

    it.scoped("brings the server: it is started as the README says, and called as it says itself", () =>
      Effect.gen(function* () {
        const { bin, folder } = yield* Project
        const [block] = blocksOf("README.md", "sh", "Embed it")
        const words = block!.replace("npx outdial", join(bin, "outdial")).trim().split(" ")
        const [output] = yield* serving([process.execPath, ...words], /[^]*Listening on http:\/\/[^]*/, {
          cwd: folder,
          env: { PORT: "0", OUTDIAL_DATABASE_URL: "memory:" }
        })
        const curl = /curl [^]*?'\n/.exec(output)![0]
        const answer = JSON.parse(yield* succeeds(["sh", "-c", curl], folder)) as object
        assert.deepInclude(answer, { status: "queued", to_number_masked: "+*******0123" })
      })
    )

    it.scoped.skipIf(binaries === undefined && !process.env["CI"])(
      "serves on PostgreSQL, as a member of its cluster",
      () =>
        Effect.gen(function* () {
          const { bin, folder } = yield* Project
          const { url } = yield* freshDatabase(yield* server)
          const [output] = yield* serving([join(bin, "outdial"), "serve"], /[^]*Listening on http:\/\/[^]*/, {
            cwd: folder,
            env: { PORT: "0", OUTDIAL_DATABASE_URL: url, OUTDIAL_SIMULATED_SPEED: "Infinity" }
          })
          const [, curl, origin] = /(curl -s (\S+)\/calls [^]*?'\n)/.exec(output)!
          const [key] = /od_live_\w+/.exec(output)!
          const { call_id } = JSON.parse(yield* succeeds(["sh", "-c", curl!], folder)) as {
            readonly call_id: string
          }
          const completed = Effect.promise(async () => {
            const response = await fetch(`${origin}/calls/${call_id}`, { headers: { "x-api-key": key } })
            return (await response.text()).includes('"status":"completed"')
          })
          yield* TestServices.provideLive(until("the call is completed", completed))
        }),
      60_000
    )

    it.effect("brings the command line, which simulates a campaign as the README has it", () =>
      Effect.gen(function* () {
        const { bin, folder } = yield* Project
        const env = { PATH: `${bin}${delimiter}${process.env["PATH"]}` }
        assert.include(yield* succeeds(["outdial", "--help"], folder, env), "workspace")
        const list = /^printf .* > people\.csv$/m.exec(sectionOf("apps/server/campaigns.md"))![0]
        // What is learned from calls needs a server.
        const blocks = blocksOf("apps/server/campaigns.md", "sh", "Simulate a campaign").filter(
          (block) => !block.includes("--learn")
        )
        assert.lengthOf(blocks, 1)
        const script = `set -e\n${list}\n${blocks[0]}`.replaceAll("npm run outdial --", "outdial")
        const output = yield* succeeds(["sh", "-c", script], folder, env)
        assert.include(output, "people.csv, row 4")
        assert.match(readFileSync(join(folder, "chart.svg"), "utf8"), /^<svg/)
      })
    )
  })
})
