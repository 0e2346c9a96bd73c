import { Deferred, Effect, FiberRef } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { SkippedTime } from "../../../core/engine/SkippedTime.ts"
import { makeStart } from "../../../core/engine/Starting.ts"
import { makeTimer } from "../../../core/engine/Timer.ts"

const start = 1_790_000_000_000

describe("a time that is skipped", () => {
  it.scoped(
    "goes on to what happens next, and stands still while work that was begun in it is under way",
    () =>
      Effect.gen(function* () {
        const time = new SkippedTime(start, yield* FiberRef.get(FiberRef.currentScheduler))
        const told: Array<string> = []
        const tell = (what: string) => void told.push(`${what} ${time.unsafeCurrentTimeMillis() - start}`)
        const asked = yield* Deferred.make<void>()
        const answer = yield* Deferred.make<void>()
        const over = yield* Deferred.make<void>()
        yield* Effect.gen(function* () {
          const timer = yield* makeTimer
          const begin = yield* makeStart
          timer(86_400_000, () => {
            tell("a day later")
            Deferred.unsafeDone(over, Effect.void)
          })
          timer(5_000, () => tell("called off"))()
          timer(1_000, () => {
            tell("asks")
            begin(Effect.map(Deferred.await(answer), () => tell("is answered")))
            Deferred.unsafeDone(asked, Effect.void)
          })
        }).pipe(Effect.withClock(time))
        yield* Deferred.await(asked)
        for (let turns = 0; turns < 10; turns++) yield* Effect.yieldNow()
        assert.deepStrictEqual(told, ["asks 1000"])
        yield* Deferred.succeed(answer, undefined)
        yield* Deferred.await(over)
        assert.deepStrictEqual(told, ["asks 1000", "is answered 1000", "a day later 86400000"])
      })
  )
})
