import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as FastCheck from "effect/FastCheck"
import * as Slots from "../../../adapters/shared/Slots.ts"

/** Counts who runs, and who ran at once at most. */
const counting = () => {
  let running = 0
  let most = 0
  const run = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        running += 1
        most = Math.max(most, running)
      }),
      () => self,
      () =>
        Effect.sync(() => {
          running -= 1
        })
    )
  return { run, most: () => most }
}

describe("places for requests", () => {
  it.effect("are taken in the order of arrival", () =>
    Effect.gen(function* () {
      const withSlot = Slots.make(1)
      const order: Array<number> = []
      const ids = Array.from({ length: 50 }, (_, i) => i)
      yield* Effect.forEach(
        ids,
        (i) =>
          withSlot(
            Effect.andThen(
              Effect.yieldNow(),
              Effect.sync(() => order.push(i))
            )
          ),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(order, ids)
    })
  )

  it.effect("serve ten thousand who wait, never more at once than there are", () =>
    Effect.gen(function* () {
      const withSlot = Slots.make(7)
      const { most, run } = counting()
      yield* Effect.forEach(Array.from({ length: 10_000 }), () => withSlot(run(Effect.yieldNow())), {
        concurrency: "unbounded"
      })
      assert.strictEqual(most(), 7)
    })
  )

  it.effect.prop(
    "are all there again, whichever work was interrupted, failed or died, and whenever",
    [
      FastCheck.integer({ min: 1, max: 4 }),
      FastCheck.array(
        FastCheck.record({
          end: FastCheck.constantFrom("succeed", "fail", "die", "interrupt"),
          yields: FastCheck.integer({ min: 0, max: 6 }),
          wait: FastCheck.integer({ min: 0, max: 6 })
        }),
        { maxLength: 40 }
      )
    ],
    ([size, works]) =>
      Effect.gen(function* () {
        const withSlot = Slots.make(size)
        const { most, run } = counting()
        const yieldTimes = (times: number) =>
          Effect.forEach(Array.from({ length: times }), () => Effect.yieldNow(), { discard: true })
        const fibers = yield* Effect.forEach(works, ({ end, yields }) => {
          const last: Effect.Effect<void, string> =
            end === "fail" ? Effect.fail("no") : end === "die" ? Effect.die("no") : Effect.void
          return Effect.fork(withSlot(run(Effect.andThen(yieldTimes(yields), last))))
        })
        for (const [i, { end, wait }] of works.entries()) {
          yield* yieldTimes(wait)
          if (end === "interrupt") yield* Fiber.interruptFork(fibers[i]!)
        }
        yield* Fiber.awaitAll(fibers)
        const all = yield* Deferred.make<void>()
        let inside = 0
        yield* Effect.forEach(
          Array.from({ length: size }),
          () =>
            withSlot(
              Effect.suspend(() => {
                inside += 1
                return inside === size ? Deferred.succeed(all, undefined) : Deferred.await(all)
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.isAtMost(most(), size)
      })
  )
})
