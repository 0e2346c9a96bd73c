import { assert, it } from "@effect/vitest"
import { Deferred, Effect, FiberId, Schedule } from "effect"
import { freshDatabase, password } from "../../adapters/sql/PostgresServer.ts"
import { onServer } from "../../adapters/sql/PostgresSuite.ts"
import { asJson, listen } from "../../Listener.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"

const key = "od_live_postgres_0123456789abcdef0123456789abcdef"

interface Event {
  readonly event_type: string
  readonly call_id: string
}

/** A receiver that tells when it has heard of the end of a call. */
const receiver = Effect.gen(function* () {
  const ends = new Map<string, Deferred.Deferred<void>>()
  const endOf = (call_id: string) => {
    const end = ends.get(call_id) ?? Deferred.unsafeMake<void>(FiberId.none)
    ends.set(call_id, end)
    return end
  }
  const { url } = yield* listen(asJson<Event>(), ({ body, response }) => {
    if (body.event_type === "call_completed") Deferred.unsafeDone(endOf(body.call_id), Effect.void)
    response.writeHead(204).end()
  })
  return { url, awaitEnd: (call_id: string) => Deferred.await(endOf(call_id)) }
})

onServer("the server on PostgreSQL", (running) => {
  it.scopedLive(
    "answers 503 while the database is away, and goes on by itself when it is back",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const port = yield* Processes.freePort
        const programs = yield* Programs.programs
        const server = yield* Processes.scoped(
          programs.server,
          [],
          {
            PORT: String(port),
            OUTDIAL_DATABASE_URL: url,
            OUTDIAL_BOOTSTRAP_API_KEY: key,
            OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
            OUTDIAL_SIMULATED_SPEED: "20"
          },
          /Listening on/
        )
        const agent = /agent_\w+/.exec(server.output())![0]
        const post = (path: string, body: object) =>
          Effect.promise(async () => {
            const response = await fetch(`http://127.0.0.1:${port}/v0${path}`, {
              method: "POST",
              headers: { "x-api-key": key, "content-type": "application/json" },
              body: JSON.stringify(body)
            })
            const json = (await response.json()) as { readonly call_id: string }
            return { json, retryAfter: response.headers.get("retry-after"), status: response.status }
          })
        const place = (idempotency_key: string) =>
          post("/calls", { agent_id: agent, to_number: "+14155550123", idempotency_key })

        const hook = yield* receiver
        yield* post("/webhooks", { url: hook.url })
        const before = yield* place("before")
        assert.strictEqual(before.status, 200)
        yield* running().stop("fast")
        const away = yield* place("away")
        assert.strictEqual(away.status, 503)
        assert.isNotNull(away.retryAfter)
        yield* running().start
        const after = yield* place("away").pipe(
          Effect.filterOrFail(({ status }) => status !== 503),
          Effect.retry(Schedule.spaced("100 millis"))
        )
        assert.strictEqual(after.status, 200)
        yield* hook.awaitEnd(before.json.call_id)
        yield* hook.awaitEnd(after.json.call_id)
        assert.isNull(server.process.exitCode)
        assert.notInclude(server.output(), password)
      }),
    60_000
  )
})
