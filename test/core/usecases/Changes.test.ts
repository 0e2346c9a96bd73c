import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Queue, Stream, TestClock } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import type { Change } from "../../../core/model/changes/Change.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Changes } from "../../../core/usecases/Changes.ts"
import {
  makeCall,
  makeState,
  makeDelivery,
  makeEvent,
  makeRun,
  makeWebhook
} from "../../contracts/repository/Fixtures.ts"

const layer = Layer.provideMerge(Changes.layer, MemoryRepository.layer)

/** Follows a workspace; `next` answers what the look after a second has found. */
const followed = Effect.fnUntraced(function* (workspace_id: string) {
  const told = yield* Queue.unbounded<Change>()
  const { follow } = yield* Changes
  yield* Effect.forkScoped(Stream.runForEach(follow(workspace_id), (change) => told.offer(change)))
  assert.deepStrictEqual(yield* Queue.take(told), { type: "ready" })
  const next = Effect.gen(function* () {
    yield* TestClock.adjust("1 second")
    return [...(yield* Queue.takeAll(told))].map((change) =>
      change.type === "call"
        ? `${change.record.call_id} ${change.record.status}`
        : change.type === "ready"
          ? "ready"
          : change.type
    )
  })
  return { next }
})

describe("what changes in a workspace", () => {
  it.scoped("is told once, from the time on at which it is followed", () =>
    Effect.gen(function* () {
      const { calls } = yield* Repository
      yield* calls.insert(makeCall(1, { customer_id: "ws_1", status: "queued", phase: "waiting", due_at: 0 }))
      const { next } = yield* followed("ws_1")
      assert.deepStrictEqual(yield* next, [])

      const first = makeCall(1, { customer_id: "ws_1", due_at: 9e12 })
      yield* calls.update({ ...first, status: "ringing", phase: "live", version: first.version + 1 })
      yield* calls.insert(makeCall(2, { customer_id: "ws_1", status: "queued", created_at: 1_000 }))
      yield* calls.insert(makeCall(3, { customer_id: "ws_2", status: "queued", created_at: 1_000 }))
      assert.sameMembers(yield* next, ["call_000001 ringing", "call_000002 queued"])
      assert.deepStrictEqual(yield* next, [])

      const over = { phase: "done", due_at: null } as const
      yield* calls.update({ ...first, ...over, status: "completed", version: first.version + 2 })
      assert.deepStrictEqual(yield* next, ["call_000001 completed"])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("has a call that waits told when it has been dialled and has ended between two looks", () =>
    Effect.gen(function* () {
      const { calls } = yield* Repository
      const waiting = makeCall(1, {
        customer_id: "ws_1",
        status: "retry_scheduled",
        phase: "waiting",
        due_at: 60_000,
        created_at: 0
      })
      yield* calls.insert(waiting)
      const { next } = yield* followed("ws_1")
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* next, [])
      yield* calls.update({
        ...waiting,
        status: "failed",
        phase: "done",
        due_at: null,
        version: waiting.version + 1
      })
      assert.deepStrictEqual(yield* next, ["call_000001 failed"])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("are campaigns, runs and deliveries too", () =>
    Effect.gen(function* () {
      const { campaigns, deliveries, runs, webhooks } = yield* Repository
      const { next } = yield* followed("ws_1")
      yield* campaigns.insert(makeState(1, { customer_id: "ws_1" }))
      yield* runs.insert(makeRun(1, { customer_id: "ws_1" }))
      assert.deepStrictEqual(yield* next, ["campaign", "run"])
      yield* webhooks.insert(makeWebhook(1, { customer_id: "ws_1" }))
      yield* deliveries.append([
        {
          event: makeEvent(1, { customer_id: "ws_1" }),
          deliveries: [makeDelivery(1, { customer_id: "ws_1" })]
        }
      ])
      assert.deepStrictEqual(yield* next, ["delivery"])
      assert.deepStrictEqual(yield* next, [])
    }).pipe(Effect.provide(layer))
  )
})
