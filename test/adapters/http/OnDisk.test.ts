import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Database } from "../../../adapters/sql/Database.ts"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { platformWide, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { minimal, start } from "./Harness.ts"

/** A server on a database file, and a quick client with connections that stay open. */
const onDisk = Effect.gen(function* () {
  const server = yield* start({ repository: Layer.orDie(onFreshFile) })
  const place = (key: string, body: object) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/v0/calls`, {
        method: "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ ...minimal, ...body })
      })
      return {
        status: response.status,
        json: (await response.json()) as {
          readonly call_id: string
          readonly error: {
            readonly code: string
            readonly details: { readonly call_id: string }
          }
        }
      }
    })
  const pragma = (text: string) =>
    Context.unsafeGet(server.context as Context.Context<unknown> as Context.Context<Database>, Database).run(
      platformWide,
      `pragma ${text}`,
      []
    )
  return { ...server, place, pragma }
})

/** A store on a file whose disk can be filled: what changes a row fails then, what changes none does not. */
const fillable = (isFull: () => boolean) => {
  const disk = Layer.effect(
    Database,
    Effect.map(Database, (database) =>
      Database.of({
        ...database,
        run: (...statement) =>
          Effect.tap(database.run(...statement), (changed) =>
            changed > 0 && isFull() ? Effect.die(new StoreUnavailable({ cause: "full" })) : Effect.void
          )
      })
    )
  )
  return Layer.fresh(repository).pipe(Layer.provide(disk), Layer.provide(onFreshFile))
}

describe("GET /health/ready on a database file", () => {
  it.scopedLive("is 503 while the disk is full, and 200 once there is room again", () =>
    Effect.gen(function* () {
      let full = false
      const server = yield* start({ repository: Layer.orDie(fillable(() => full)) })
      const ready = Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${server.port}/health/ready`)
        return [response.status, ((await response.json()) as { readonly checks: object }).checks] as const
      })
      assert.deepStrictEqual(yield* ready, [200, { store: "up", carrier: "up" }])
      full = true
      assert.deepStrictEqual(yield* ready, [503, { store: "down", carrier: "up" }])
      full = false
      assert.deepStrictEqual(yield* ready, [200, { store: "up", carrier: "up" }])
    })
  )
})

describe("POST /calls on a database file", () => {
  it.scopedLive(
    "of 50 racers for each of 40 keys exactly one is accepted, and the others learn its call",
    () =>
      Effect.gen(function* () {
        const server = yield* onDisk
        yield* server.credits.topUp(server.workspace.id, 1_000, null)
        const before = yield* server.credits.balance(server.workspace.id)
        const racers = Array.from({ length: 2_000 }, (_, i) => `key-${i % 40}`)
        const answers = yield* Effect.forEach(
          racers,
          (idempotency_key, i) =>
            Effect.map(server.place(server.key, { idempotency_key, metadata: { i } }), (answer) => ({
              idempotency_key,
              ...answer
            })),
          { concurrency: 64 }
        )
        const winners = new Map<string, string>()
        for (const { idempotency_key, json, status } of answers) {
          if (status === 200) winners.set(idempotency_key, json.call_id)
        }
        const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length
        assert.deepStrictEqual([count(200), count(409)], [40, 1_960])
        assert.strictEqual(winners.size, 40)
        for (const { idempotency_key, json, status } of answers) {
          if (status !== 409) continue
          assert.strictEqual(json.error.code, "conflict")
          assert.strictEqual(json.error.details.call_id, winners.get(idempotency_key))
        }
        assert.strictEqual(yield* server.countCalls, 40)
        assert.strictEqual(before - (yield* server.credits.balance(server.workspace.id)), 40)
      })
  )

  it.scopedLive("with credits for one call, of 100 racers exactly one gets 200 and the others 402", () =>
    Effect.gen(function* () {
      const server = yield* onDisk
      const balance = yield* server.credits.balance(server.workspace.id)
      yield* server.credits.topUp(server.workspace.id, 1 - balance, null)
      const answers = yield* Effect.forEach(Array.from({ length: 100 }), () => server.place(server.key, {}), {
        concurrency: "unbounded"
      })
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 99 }, () => 402)])
      assert.strictEqual(yield* server.credits.balance(server.workspace.id), 0)
    })
  )

  it.scopedLive("a database that cannot be written answers 503 and stores nothing", () =>
    Effect.gen(function* () {
      const server = yield* onDisk
      const balance = yield* server.credits.balance(server.workspace.id)
      yield* server.pragma("query_only = 1")
      const refused = yield* server.place(server.key, { idempotency_key: "k" })
      assert.deepStrictEqual([refused.status, refused.json.error.code], [503, "service_unavailable"])
      assert.strictEqual(yield* server.countCalls, 0)
      assert.strictEqual(yield* server.credits.balance(server.workspace.id), balance)
    })
  )

  it.scopedLive("a disk that is full answers 503, burns no key, and what was accepted before stands", () =>
    Effect.gen(function* () {
      const server = yield* onDisk
      yield* server.pragma("max_page_count = 1")
      const metadata = { filler: "x".repeat(8_000) }
      let accepted = 0
      let status = 200
      for (let i = 0; status === 200 && i < 50; i++) {
        status = (yield* server.place(server.key, { metadata, idempotency_key: `k${i}` })).status
        if (status === 200) accepted += 1
      }
      assert.strictEqual(status, 503)
      assert.strictEqual(yield* server.countCalls, accepted)
      assert.strictEqual(yield* server.credits.balance(server.workspace.id), 100 - accepted)
      yield* server.pragma("max_page_count = 1000000")
      const again = yield* server.place(server.key, { metadata, idempotency_key: `k${accepted}` })
      assert.strictEqual(again.status, 200)
    })
  )
})
