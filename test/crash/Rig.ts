import { mkdtempSync, rmSync } from "node:fs"
import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Programs from "../programs/Programs.ts"
import * as Processes from "../programs/Processes.ts"

/** A dial as the carrier's own ledger has it. */
export interface Dial {
  readonly _tag: string
  readonly key: string
  readonly call_id: string
  readonly to_number: string
}
export interface List<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: { readonly total: number }
}

/** Runs a command as an administrator would, and answers what it prints. */
const outdial = (cli: string, store: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, [cli, ...args], {
      env: { ...process.env, OUTDIAL_DATABASE_URL: store }
    })
  ).pipe(Effect.map(({ stdout }) => stdout.trim()))

const api = (base: string, key: string) => {
  const request = (method: string, path: string, body?: object) =>
    Effect.tryPromise(async () => {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, body: (await response.json()) as unknown }
    })
  return { request }
}

/**
 * A server on a file and a workspace with credits and a published agent. `settings` are more of the server's.
 */
export const make = Effect.fnUntraced(function* (more: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "outdial-crash-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { outdial: cli, server: program } = yield* Programs.programs
  const port = yield* Processes.freePort
  const store = `sqlite:${join(folder, "outdial.db")}`
  const workspace = JSON.parse(
    yield* outdial(cli, store, "workspace", "create", "--name", "Crash", "--json")
  ) as {
    readonly id: string
  }
  yield* outdial(cli, store, "credits", "add", "--workspace", workspace.id, "100000")
  const key = yield* outdial(cli, store, "key", "create", "--workspace", workspace.id, "--name", "crash")
  const settings = {
    PORT: String(port),
    OUTDIAL_DATABASE_URL: store,
    OUTDIAL_LOG_LEVEL: "DEBUG",
    ...more
  }
  const startServer = Processes.start(program, [], settings, /Listening on/)
  const server = yield* Ref.make(yield* startServer)
  yield* Effect.addFinalizer(() => Effect.flatMap(Ref.get(server), (running) => Processes.kill(running)))

  /** SIGKILL, and a new start. What the killed server has written does not hold its key. */
  const kill = Effect.gen(function* () {
    const killed = yield* Ref.get(server)
    yield* Processes.kill(killed)
    assert.notInclude(killed.output(), key, "a key in the logs")
    yield* Ref.set(server, yield* startServer)
  })

  const { request } = api(`http://127.0.0.1:${port}/v0`, key)
  const agent = yield* request("POST", "/agents", { name: "Agent", prompt: "Hello {{name}}" })
  const agent_id = (agent.body as { readonly id: string }).id
  yield* request("POST", `/agents/${agent_id}/publish`)

  /** Every record of a list. */
  const all = <A>(path: string) =>
    Effect.gen(function* () {
      const records: Array<A> = []
      for (;;) {
        const { body } = yield* request(
          "GET",
          `${path}${path.includes("?") ? "&" : "?"}limit=100&offset=${records.length}`
        )
        const page = (body as List<A>).data
        records.push(...page)
        if (page.length < 100) return records
      }
    })

  return { request, all, kill, agent_id }
})
