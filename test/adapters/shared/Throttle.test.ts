import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as Throttle from "../../../adapters/shared/Throttle.ts"
import { monotonicMillis } from "../../../core/ports/MonotonicTime.ts"
import { withSetBackClock } from "../../SetBackClock.ts"

const wait = (throttle: Throttle.Throttle) =>
  Effect.gen(function* () {
    const began = yield* monotonicMillis
    const turn = yield* Effect.fork(throttle.turn(began + 3_600_000))
    yield* TestClock.adjust("1 hour")
    return (yield* turn) - began
  })

describe("a throttle", () => {
  it.effect("lets requests through while nothing asks it to slow down", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* wait(Throttle.make("the carrier")), 0)
    })
  )

  it.effect("waits for as long as Retry-After asks", () =>
    Effect.gen(function* () {
      const throttle = Throttle.make("the carrier")
      yield* throttle.slowDown("7")
      const waited = yield* wait(throttle)
      assert.isAtLeast(waited, 7_000)
      assert.isAtMost(waited, 7_250)
    })
  )

  it.effect("waits no longer when the clock is set back meanwhile", () =>
    withSetBackClock((setBack) =>
      Effect.gen(function* () {
        const throttle = Throttle.make("the carrier")
        yield* throttle.slowDown("7")
        yield* setBack(3_600_000)
        const waited = yield* wait(throttle)
        assert.isAtMost(waited, 7_250)
      })
    )
  )

  it.effect("doubles its own wait once for all requests that are refused together, until one is taken", () =>
    Effect.gen(function* () {
      const throttle = Throttle.make("the carrier")
      const expectWait = Effect.fnUntraced(function* (millis: number) {
        yield* throttle.slowDown(undefined)
        yield* throttle.slowDown(undefined)
        const waited = yield* wait(throttle)
        assert.isAtLeast(waited, millis)
        assert.isAtMost(waited, millis + 250)
      })
      for (const millis of [500, 1_000, 2_000]) yield* expectWait(millis)
      yield* throttle.recovered
      yield* expectWait(500)
    })
  )

  it.effect("is unreachable at once when the turn would come too late", () =>
    Effect.gen(function* () {
      const throttle = Throttle.make("the provider")
      yield* throttle.slowDown("60")
      const failure = yield* Effect.flip(throttle.turn((yield* monotonicMillis) + 5_000))
      assert.strictEqual(failure.message, "the provider asks to slow down")
    })
  )
})
