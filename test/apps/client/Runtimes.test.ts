import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { start } from "../../adapters/http/Harness.ts"
import * as Processes from "../../programs/Processes.ts"
import { baseOf } from "./Rig.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const program = fileURLToPath(new URL("program.ts", import.meta.url))
const bin = (name: string) => createRequire(import.meta.url).resolve(name)

const runtimes = {
  Node: [process.execPath, "--import", "tsx", program],
  Deno: [
    process.execPath,
    bin("deno/bin.cjs"),
    "run",
    "--no-config",
    "--no-lock",
    "--allow-net=127.0.0.1",
    "--allow-env=CLOSED_PORT,OUTDIAL_URL,OUTDIAL_API_KEY",
    program
  ],
  Bun: [`${root}node_modules/.bin/bun`, "run", program]
}

const run = ([command, ...args]: ReadonlyArray<string>, env: Record<string, string>) =>
  Effect.async<string, Error>((resume) => {
    const child = execFile(command!, args, { cwd: root, env: { ...process.env, ...env } }, (error, stdout) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(error))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("the client", () => {
  for (const [runtime, command] of Object.entries(runtimes)) {
    it.scopedLive(`works on ${runtime} as it stands, without a package beside it`, () =>
      Effect.gen(function* () {
        const { key, port } = yield* start()
        const printed = yield* run(command, {
          CLOSED_PORT: String(yield* Processes.closedPort),
          OUTDIAL_URL: baseOf(port),
          OUTDIAL_API_KEY: key
        })
        assert.deepStrictEqual(JSON.parse(printed), {
          placed: "queued",
          metadata: { n: 1 },
          statuses: ["queued"],
          imported: [{ name: "Zoë" }],
          results: 3,
          refusal: "network_error",
          tries: 3,
          unknown: "not_found",
          aborted: "AbortError",
          event: "call_started"
        })
      })
    )
  }
})
