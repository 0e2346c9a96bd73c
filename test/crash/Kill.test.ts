import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { execFile } from "node:child_process"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Ref, Schedule } from "effect"
import * as Processes from "./Processes.ts"

const kills = 50

interface Dial {
  readonly _tag: string
  readonly key: string
  readonly call_id: string
}
interface Received {
  readonly event_type: string
  readonly call_id: string
  readonly id: string
}
interface Conflict {
  readonly error: { readonly details: { readonly call_id: string } }
}
interface List<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: { readonly total: number }
}
interface Listed {
  readonly call_id: string
  readonly status: string
  readonly sub_status: string | null
  readonly attempt_count: number
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

describe("a server that is killed", () => {
  it.scopedLive(
    `${kills} times at random moments under load loses no accepted call and dials no attempt twice`,
    () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "outdial-crash-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
        const ledger = join(folder, "carrier.ndjson")
        const carrierPort = yield* Processes.freePort
        const port = yield* Processes.freePort
        const hook = yield* receiver
        yield* Processes.scoped(
          "apps/cli/main.ts",
          ["carrier", "--port", String(carrierPort), "--ledger", ledger, "--speed", "40"],
          {},
          /http:\/\/127/
        )
        const store = `sqlite:${join(folder, "outdial.db")}`
        const workspace = JSON.parse(
          yield* outdial(
            store,
            "workspace",
            "create",
            "--name",
            "Crash",
            "--calls-per-second",
            "200",
            "--json"
          )
        ) as { readonly id: string }
        yield* outdial(store, "credits", "add", "--workspace", workspace.id, "100000")
        const key = yield* outdial(store, "key", "create", "--workspace", workspace.id, "--name", "crash")
        const settings = {
          PORT: String(port),
          OUTDIAL_DATABASE_URL: store,
          OUTDIAL_SIMULATED_URL: `http://127.0.0.1:${carrierPort}`,
          OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
          OUTDIAL_LOG_LEVEL: "DEBUG"
        }
        const startServer = Processes.start("apps/server/main.ts", [], settings, /Listening on/)
        const server = yield* Ref.make(yield* startServer)
        yield* Effect.addFinalizer(() =>
          Effect.flatMap(Ref.get(server), (running) => Processes.kill(running))
        )

        const { request } = api(`http://127.0.0.1:${port}/v0`, key)
        yield* request("POST", "/phone-numbers", { number: "+14155550100" })
        const agent = yield* request("POST", "/agents", { name: "Agent", prompt: "Hello {{name}}" })
        const agent_id = (agent.body as { readonly id: string }).id
        yield* request("POST", `/agents/${agent_id}/publish`)
        yield* request("POST", "/webhooks", { url: hook.url })

        const accepted = new Map<string, string>()
        const numbers = ["0123", "0001", "0010", "0002", "0005", "0123"]
        let n = 0
        const placeOne = Effect.gen(function* () {
          const idempotency_key = `key-${n++}`
          const call = {
            agent_id,
            to_number: `+1212555${numbers[n % numbers.length]}`,
            idempotency_key,
            metadata: { n },
            call_config: {
              call_retry_config: { retry_count: 1, retry_busy: 0, retry_not_picked: 0, retry_failed: 0 }
            }
          }
          while (!accepted.has(idempotency_key)) {
            const { body, status } = yield* request("POST", "/calls", call).pipe(
              Effect.retry(Schedule.spaced("50 millis"))
            )
            if (status === 200) accepted.set(idempotency_key, (body as Listed).call_id)
            if (status === 409) accepted.set(idempotency_key, (body as Conflict).error.details.call_id)
            yield* Effect.sleep("30 millis")
          }
        })
        const load = yield* Effect.fork(
          Effect.all(
            Array.from({ length: 4 }, () => Effect.forever(placeOne)),
            { concurrency: "unbounded" }
          )
        )

        for (let i = 0; i < kills; i++) {
          yield* Effect.sleep(Math.random() * 700)
          const killed = yield* Ref.get(server)
          yield* Processes.kill(killed)
          assert.notInclude(killed.output(), key, "a key in the logs")
          assert.notInclude(killed.output(), "1212555", "a phone number in the logs")
          yield* Ref.set(server, yield* startServer)
        }
        yield* Fiber.interrupt(load)

        const list = (status: string) =>
          request("GET", `/calls?limit=1&status=${status}`).pipe(
            Effect.map(({ body }) => (body as List<Listed>).pagination.total)
          )
        yield* Effect.forEach(["queued", "ringing", "in_progress", "retry_scheduled"], list).pipe(
          Effect.repeat({
            until: (totals) => totals.every((total) => total === 0),
            schedule: Schedule.spaced("500 millis")
          })
        )
        const calls = new Map<string, Listed>()
        for (let offset = 0; ; offset += 100) {
          const { body } = yield* request("GET", `/calls?limit=100&offset=${offset}`)
          const page = (body as List<Listed>).data
          for (const call of page) calls.set(call.call_id, call)
          if (page.length < 100) break
        }
        const completed = () =>
          new Set(
            hook.received.flatMap(({ call_id, event_type }) =>
              event_type === "call_completed" ? [call_id] : []
            )
          )
        yield* Effect.sync(completed).pipe(
          Effect.repeat({
            until: (ids) => [...calls.keys()].every((id) => ids.has(id)),
            schedule: Schedule.spaced("500 millis")
          }),
          Effect.timeout("70 seconds"),
          Effect.ignore
        )

        const dials = readFileSync(ledger, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Dial)
          .filter(({ _tag }) => _tag === "Dial")
        const byKey = new Map<string, number>()
        const byCall = new Map<string, number>()
        for (const { call_id, key } of dials) {
          byKey.set(key, (byKey.get(key) ?? 0) + 1)
          byCall.set(call_id, (byCall.get(call_id) ?? 0) + 1)
        }
        const twice = [...byKey].filter(([, count]) => count > 1)
        const lost = [...accepted.values()].filter((id) => !calls.has(id) || !byCall.has(id))
        const inDoubt = [...calls.values()].filter(({ sub_status }) => sub_status === "in_doubt")
        assert.isAbove(accepted.size, kills, "there was load")
        assert.deepStrictEqual(twice, [], "attempts dialled twice")
        assert.deepStrictEqual(lost, [], "accepted calls that the carrier never got")
        assert.deepStrictEqual(inDoubt, [], "this carrier always knows, so nothing stays in doubt")
        for (const [id, call] of calls) {
          assert.strictEqual(byCall.get(id), call.attempt_count, "one dial for each attempt")
        }
        assert.deepStrictEqual(
          [...calls.keys()].filter((id) => !completed().has(id)),
          [],
          "calls whose end was not told"
        )
        const firsts = new Map<string, Array<string>>()
        const seen = new Set<string>()
        for (const { call_id, event_type, id } of hook.received) {
          if (seen.has(id)) continue
          seen.add(id)
          firsts.set(call_id, [...(firsts.get(call_id) ?? []), event_type])
        }
        for (const order of firsts.values()) {
          const start = order.indexOf("call_started")
          if (start >= 0) assert.isBelow(start, order.indexOf("call_completed"))
        }
      }),
    400_000
  )
})
