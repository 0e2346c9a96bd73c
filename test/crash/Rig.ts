import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { execFile } from "node:child_process"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert } from "@effect/vitest"
import { Effect, Ref } from "effect"
import * as Processes from "./Processes.ts"

/** A dial as the carrier's own ledger has it. */
export interface Dial {
  readonly _tag: string
  readonly key: string
  readonly call_id: string
  readonly to_number: string
}
interface Received {
  readonly event_type: string
  readonly call_id: string
  readonly id: string
}
export interface List<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: { readonly total: number }
}

/** Receives webhooks and remembers them; outlives the server that sends them. */
const receiver = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly received: Array<Received>; readonly close: () => void }>(
    (resume) => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        let body = ""
        request.setEncoding("utf8")
        request.on("data", (chunk: string) => (body += chunk))
        request.on("end", () => {
          received.push(JSON.parse(body) as Received)
          response.writeHead(204).end()
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { readonly port: number }
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${port}/hook`,
            received,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

/** Runs a command as an administrator would, and answers what it prints. */
const outdial = (store: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(() =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "apps/cli/main.ts", ...args], {
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

export interface Options {
  readonly calls_per_second: number
  /** What the carrier divides the durations of calls by. */
  readonly speed: number
  /** More of the server's settings. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * A server on a file, a carrier with a ledger of its own and a webhook receiver, each a process or a listener that
 * outlives the server; a workspace with credits, a published agent, a number and an endpoint.
 */
export const make = Effect.fnUntraced(function* ({ calls_per_second, settings: more, speed }: Options) {
  const folder = mkdtempSync(join(tmpdir(), "outdial-crash-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const ledger = join(folder, "carrier.ndjson")
  const carrierPort = yield* Processes.freePort
  const port = yield* Processes.freePort
  const hook = yield* receiver
  yield* Processes.scoped(
    "apps/cli/main.ts",
    ["carrier", "--port", String(carrierPort), "--ledger", ledger, "--speed", String(speed)],
    {},
    /http:\/\/127/
  )
  const store = `sqlite:${join(folder, "outdial.db")}`
  const pace = ["--calls-per-second", String(calls_per_second)]
  const workspace = JSON.parse(
    yield* outdial(store, "workspace", "create", "--name", "Crash", ...pace, "--json")
  ) as { readonly id: string }
  yield* outdial(store, "credits", "add", "--workspace", workspace.id, "100000")
  const key = yield* outdial(store, "key", "create", "--workspace", workspace.id, "--name", "crash")
  const settings = {
    PORT: String(port),
    OUTDIAL_DATABASE_URL: store,
    OUTDIAL_SIMULATED_URL: `http://127.0.0.1:${carrierPort}`,
    OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
    OUTDIAL_LOG_LEVEL: "DEBUG",
    ...more
  }
  const startServer = Processes.start("apps/server/main.ts", [], settings, /Listening on/)
  const server = yield* Ref.make(yield* startServer)
  yield* Effect.addFinalizer(() => Effect.flatMap(Ref.get(server), (running) => Processes.kill(running)))

  /** SIGKILL, and a new start. What the killed server has written holds neither its key nor a number. */
  const kill = Effect.gen(function* () {
    const killed = yield* Ref.get(server)
    yield* Processes.kill(killed)
    assert.notInclude(killed.output(), key, "a key in the logs")
    assert.notInclude(killed.output(), "+1212", "a phone number in the logs")
    yield* Ref.set(server, yield* startServer)
  })

  const { request } = api(`http://127.0.0.1:${port}/v0`, key)
  yield* request("POST", "/phone-numbers", { number: "+14155550100" })
  const agent = yield* request("POST", "/agents", { name: "Agent", prompt: "Hello {{name}}" })
  const agent_id = (agent.body as { readonly id: string }).id
  yield* request("POST", `/agents/${agent_id}/publish`)
  yield* request("POST", "/webhooks", { url: hook.url })

  const dials = () =>
    readFileSync(ledger, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Dial)
      .filter(({ _tag }) => _tag === "Dial")

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

  return { request, all, kill, hook, dials, agent_id }
})

/** Keys that the carrier was asked to dial more than once. */
export const dialledTwice = (dials: ReadonlyArray<Dial>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const { key } of dials) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].flatMap(([key, count]) => (count > 1 ? [key] : []))
}
