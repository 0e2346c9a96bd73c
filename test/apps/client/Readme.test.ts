import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { transform } from "esbuild"
import { operations } from "../../../apps/client/contract/Operations.ts"
import { bundled } from "../../programs/Bundled.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"
import { blocks, readme } from "./blocks.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

/** What each block prints. */
const printed: Readonly<Record<string, RegExp>> = {
  "Place a call": /^completed answered \{ order: 1 \}\nrec_\w+ \d+(\.\d+)? \S+\n$/,
  Lists: /^\d+ of \d+\n(call_\w+ \w+ \+\*+0123\n)+$/,
  "A campaign from a file": /^1 added\nrow 3: [^\n]+\nrecipient_id,[\s\S]*0123/,
  "Errors, repetitions, deadlines": /^not_found 404 no such call [\w.-]+\n$/,
  Webhooks:
    /^call_started in_progress \{ order: 1 \}\ncall_completed completed \{ order: 1 \}\nrecording_completed \d/
}

const scope = Effect.runSync(Scope.make())
const apiKey = "od_live_readme_0123456789abcdef0123456789abcdef"
const server = { url: "", folder: "", client: "" }

beforeAll(async () => {
  server.folder = mkdtempSync(join(tmpdir(), "outdial-readme-"))
  await Effect.runPromise(bundled(server.folder, { client: join(root, "apps/client/main.ts") }))
  server.client = pathToFileURL(join(server.folder, "client.mjs")).href
  const port = await Effect.runPromise(Processes.freePort)
  const programs = await Effect.runPromise(Programs.programs)
  const running = Processes.scoped(
    programs.server,
    [],
    {
      PORT: String(port),
      OUTDIAL_DATABASE_URL: `sqlite:${join(server.folder, "outdial.db")}`,
      OUTDIAL_BOOTSTRAP_API_KEY: apiKey,
      OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
      OUTDIAL_SIMULATED_SPEED: "Infinity"
    },
    /Listening on/
  )
  await Effect.runPromise(Scope.extend(running, scope))
  server.url = `http://127.0.0.1:${port}/v0`
}, 60_000)

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(server.folder, { recursive: true, force: true })
})

/** Runs a block as JavaScript, which is its own without the types. */
const run = Effect.fnUntraced(function* (block: string) {
  const bound = block.replaceAll('"outdial/client"', JSON.stringify(server.client))
  const { code } = yield* Effect.promise(() => transform(bound, { loader: "ts" }))
  const file = join(server.folder, "block.mjs")
  writeFileSync(file, code)
  const env = { ...process.env, OUTDIAL_URL: server.url, OUTDIAL_API_KEY: apiKey }
  return yield* Effect.async<string, Error>((resume) => {
    const child = execFile(process.execPath, [file], { env }, (error, stdout) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(error))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })
})

describe("the client's README", () => {
  it("has a test for each of its blocks", () => {
    assert.sameMembers(
      blocks.map(({ heading }) => heading),
      Object.keys(printed)
    )
  })

  it("names every group of operations", () => {
    for (const group of Object.keys(operations)) assert.include(readme, `\`${group}\``)
  })

  for (const { code, heading } of blocks) {
    it.live(`"${heading}" runs as it stands, and prints what it should`, () =>
      Effect.map(run(code), (output) => assert.match(output, printed[heading]!))
    )
  }
})
