import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { minimal, start } from "./Harness.ts"

const many = (count: number, over: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({
    ...minimal,
    to_number: `+1415555${String(n).padStart(4, "0")}`,
    ...over(n)
  }))

interface Item {
  readonly index: number
  readonly status: string
  readonly call_id: string | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A store in memory whose unit under way dies when the part of this number is kept, once. */
const dyingAt = (part: number) =>
  Layer.map(MemoryRepository.layer, (context) => {
    const repository = Context.get(context, Repository)
    const { callBatches } = repository
    let alive = true
    const addPart: typeof callBatches.addPart = (workspace_id, id, n, items) =>
      Effect.suspend(() => {
        if (n !== part || !alive) return callBatches.addPart(workspace_id, id, n, items)
        alive = false
        return Effect.die("the process has died")
      })
    return Context.make(Repository, { ...repository, callBatches: { ...callBatches, addPart } })
  })

describe("POST /call-batches", () => {
  it.scopedLive("tells of each call whether it was created, is a duplicate, or was refused and why", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { call_id } = (yield* server.call("/calls", { json: { ...minimal, idempotency_key: "A" } })).json
      const metadata = '{ "id":12345678901234567890, "x":1e400,"x":1.0 }'
      const calls = [
        JSON.stringify(minimal).replace(/}$/, `,"metadata":${metadata}}`),
        JSON.stringify({ ...minimal, idempotency_key: "A" }),
        JSON.stringify({ ...minimal, idempotency_key: "B" }),
        JSON.stringify({ ...minimal, idempotency_key: "B" }),
        JSON.stringify({ ...minimal, to_number: "none" }),
        JSON.stringify({ ...minimal, surprise: 1 }),
        JSON.stringify({ ...minimal, from_phone_number_id: "pn_none" }),
        "7"
      ]
      const reply = yield* server.call("/call-batches", { body: `{"calls":[${calls.join(", ")}]}` })
      assert.strictEqual(reply.status, 200, reply.text)
      const { counts, id, items, ...rest } = reply.json
      assert.deepInclude(rest, { status: "accepted", customer_id: server.workspace.id, scheduled_for: null })
      assert.deepStrictEqual(counts, { total: 8, created: 2, duplicate: 2, refused: 4 })
      assert.strictEqual(rest.statuses.queued, 2)
      assert.deepStrictEqual(
        items.map(({ error, status }: Item) => [status, error?.code ?? null]),
        [
          ["created", null],
          ["duplicate", null],
          ["created", null],
          ["duplicate", null],
          ["refused", "invalid_request"],
          ["refused", "invalid_request"],
          ["refused", "not_found"],
          ["refused", "invalid_request"]
        ]
      )
      assert.strictEqual(items[1].call_id, call_id)
      assert.strictEqual(items[3].call_id, items[2].call_id)
      assert.include(items[4].error.message, "to_number")
      const stored = yield* server.call(`/calls/${items[0].call_id}`)
      assert.include(stored.text, `"metadata":${metadata.trim()}`)
      assert.deepStrictEqual((yield* server.call(`/call-batches/${id}`)).json, reply.json)
      assert.strictEqual((yield* server.call("/call-batches/batch_none")).status, 404)
    })
  )

  it.scopedLive("takes no credits for a duplicate where they do not reach for all", () =>
    Effect.gen(function* () {
      const server = yield* start()
      yield* server.call("/call-batches", { json: { calls: many(98) } })
      const keys = ["A", "A", "B", "C"]
      const calls = many(keys.length, (n) => ({ idempotency_key: keys[n] }))
      const { items } = (yield* server.call("/call-batches", { json: { calls } })).json
      assert.deepStrictEqual(
        items.map(({ status }: Item) => status),
        ["created", "duplicate", "created", "refused"]
      )
      assert.strictEqual((yield* server.call("/credits")).json.balance, 0)
    })
  )

  it.scopedLive("accepts as many as the credits reach, and takes them at their time", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const scheduled_for = "2090-01-01T09:00:00.000Z"
      const { counts, items } = (yield* server.call("/call-batches", {
        json: { calls: many(130), scheduled_for: "2090-01-01T10:00:00+01:00" }
      })).json
      assert.deepStrictEqual(counts, { total: 130, created: 100, duplicate: 0, refused: 30 })
      assert.strictEqual(items[129].error.code, "insufficient_credits")
      assert.strictEqual((yield* server.call("/credits")).json.balance, 0)
      const call = (yield* server.call(`/calls/${items[0].call_id}`)).json
      assert.deepInclude(call, { status: "queued", scheduled_for })
      const late = { calls: many(1), scheduled_for: "2020-01-01T00:00:00Z" }
      const refused = yield* server.call("/call-batches", { json: late })
      assert.strictEqual(refused.status, 400)
      assert.deepStrictEqual(refused.json.error.details, { field: "scheduled_for" })
    })
  )

  it.scopedLive(
    "is gone on with by the same request after its process has died, and places nothing twice",
    () =>
      Effect.gen(function* () {
        const server = yield* start({ repository: dyingAt(1) })
        yield* server.credits.topUp(server.workspace.id, 1_000, null)
        const send = (json: object, key = '"june"') =>
          server.call("/call-batches", { json, headers: { "idempotency-key": key } })
        const batch = { calls: many(250) }
        const died = yield* send(batch)
        assert.strictEqual(died.status, 500)
        const total = Effect.map(server.call("/calls?limit=1"), ({ json }) => json.pagination.total)
        assert.strictEqual(yield* total, 100)
        const again = yield* send(batch, "june")
        assert.deepInclude(again.json.counts, { total: 250, created: 250 }, again.text)
        assert.strictEqual(yield* total, 250)
        const third = yield* send(batch)
        assert.deepStrictEqual(third.json, again.json)
        assert.strictEqual(yield* total, 250)
        const other = yield* send({ calls: many(249) })
        assert.strictEqual(other.status, 422, other.text)
        assert.strictEqual((yield* send(batch, '"with space"')).status, 400)
        const racers = yield* Effect.replicateEffect(send({ calls: many(20) }, "july"), 8, {
          concurrency: "unbounded"
        })
        for (const { json } of racers) assert.deepStrictEqual(json, racers[0]!.json)
        assert.strictEqual(yield* total, 270)
      })
  )

  it.scopedLive("is cancelled with all its calls that wait, and by no other workspace's key", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { id, items } = (yield* server.call("/call-batches", { json: { calls: many(3) } })).json
      yield* server.call(`/calls/${items[0].call_id}/cancel`, { method: "POST" })
      const cancelled = yield* server.call(`/call-batches/${id}/cancel`, { method: "POST" })
      assert.strictEqual(cancelled.json.status, "cancelled", cancelled.text)
      assert.strictEqual(cancelled.json.statuses.cancelled, 3)
      for (const { call_id } of items as ReadonlyArray<Item>) {
        assert.strictEqual((yield* server.call(`/calls/${call_id}`)).json.status, "cancelled")
      }
      assert.strictEqual((yield* server.call("/credits")).json.balance, 100)
      const other = yield* server.workspaces.create({ name: "Other" })
      const foreign = yield* server.keyWith(allScopes, other.id)
      const read = yield* server.call(`/call-batches/${id}`, { headers: { "x-api-key": foreign } })
      assert.strictEqual(read.status, 404)
    })
  )

  it.scopedLive("refuses what is no batch, and a carrier that does not answer, whole", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const json of [
        {},
        { calls: {} },
        { calls: [] },
        { calls: many(1_001) },
        { calls: many(1), surprise: 1 },
        { calls: many(1), scheduled_for: "tomorrow" },
        []
      ]) {
        const reply = yield* server.call("/call-batches", { json })
        assert.strictEqual(reply.status, 400, reply.text)
      }
      server.carrier.available = false
      const unavailable = yield* server.call("/call-batches", { json: { calls: many(1) } })
      assert.strictEqual(unavailable.status, 503)
      assert.strictEqual((yield* server.call("/calls")).json.pagination.total, 0)
    })
  )
})
