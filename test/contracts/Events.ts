import { Chunk, Clock, Effect, Layer, Stream } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { Events, mostBehind } from "../../core/engine/Events.ts"
import { makeOutbox, ofCall } from "../../core/engine/Outbox.ts"
import type { Call } from "../../core/model/calls/Call.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { Repository } from "../../core/ports/Repository.ts"

const call = { customer_id: "ws_1", call_id: "call_1", metadata: null } as Call

const tell = Effect.fnUntraced(function* (call_id: string) {
  const outbox = yield* makeOutbox
  const started = { type: "call_started", of: ofCall({ ...call, call_id }, null), data: () => "{}" } as const
  yield* outbox.tell(call.customer_id, [started], yield* Clock.currentTimeMillis)
})

const heard = (count: number) => (events: Stream.Stream<{ readonly subject_id: string }>) =>
  Effect.map(Stream.runCollect(Stream.take(events, count)), (found) =>
    Chunk.toReadonlyArray(found).map(({ subject_id }) => subject_id)
  )

/** What listeners hear of the commits of a store. */
export const eventsContract = (where: string, store: Layer.Layer<Repository>) => {
  const layer = Layer.merge(Layer.provide(Events.layer, store), Ids.layer)

  describe(`events of commits ${where}`, () => {
    it.scoped("reach a listener in the order of the commits, without any webhook", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Repository
        const events = yield* (yield* Events).subscribe
        yield* transaction(call.customer_id, tell("call_1"))
        yield* transaction(call.customer_id, Effect.zipRight(tell("call_2"), tell("call_3")))
        assert.deepStrictEqual(yield* heard(3)(events), ["call_1", "call_2", "call_3"])
      }).pipe(Effect.provide(layer))
    )

    it.scoped("are not told of work that fails or dies", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Repository
        const events = yield* (yield* Events).subscribe
        yield* Effect.exit(transaction(call.customer_id, Effect.zipRight(tell("call_1"), Effect.fail("no"))))
        yield* Effect.exit(
          transaction(call.customer_id, Effect.zipRight(tell("call_2"), Effect.die("never")))
        )
        yield* transaction(call.customer_id, tell("call_3"))
        assert.deepStrictEqual(yield* heard(1)(events), ["call_3"])
      }).pipe(Effect.provide(layer))
    )

    it.scoped("are told once, whatever a unit that fails beside them makes the store undo", () =>
      Effect.gen(function* () {
        const { doNotCall, transaction } = yield* Repository
        const events = yield* (yield* Events).subscribe
        const stored = doNotCall.add(call.customer_id, ["+14155550123"], 0)
        const failing = transaction(call.customer_id, Effect.zipRight(stored, Effect.fail("no")))
        const [first, second] = [tell("call_1"), tell("call_2")].map((told) =>
          transaction(call.customer_id, told)
        )
        yield* Effect.all([first!, Effect.exit(failing), second!], { concurrency: "unbounded" })
        yield* transaction(call.customer_id, tell("call_3"))
        assert.deepStrictEqual(yield* heard(3)(events), ["call_1", "call_2", "call_3"])
      }).pipe(Effect.provide(layer))
    )

    it.scoped("leave out what a unit within the unit has undone", () =>
      Effect.gen(function* () {
        const { transaction } = yield* Repository
        const events = yield* (yield* Events).subscribe
        const undone = Effect.ignore(
          transaction(call.customer_id, Effect.zipRight(tell("call_2"), Effect.fail("no")))
        )
        yield* transaction(
          call.customer_id,
          Effect.gen(function* () {
            yield* tell("call_1")
            yield* undone
            yield* transaction(call.customer_id, tell("call_3"))
          })
        )
        assert.deepStrictEqual(yield* heard(2)(events), ["call_1", "call_3"])
      }).pipe(Effect.provide(layer))
    )

    it.scoped(
      "are kept for a reader that is behind, and the oldest are dropped when it is too far behind",
      () =>
        Effect.gen(function* () {
          const { transaction } = yield* Repository
          const events = yield* (yield* Events).subscribe
          const all = Array.from({ length: mostBehind + 2 }, (_, i) => `call_${i}`)
          yield* transaction(call.customer_id, Effect.forEach(all, tell, { discard: true }))
          const [first] = yield* heard(1)(events)
          assert.strictEqual(first, "call_2")
        }).pipe(Effect.provide(layer))
    )
  })
}
