import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, Ref, TestClock } from "effect"
import { insist } from "../../../../apps/cli/rest/Patience.ts"
import { NotAnswered, Refused, type RestError } from "../../../../apps/cli/rest/RestErrors.ts"

describe("insisting on an answer", () => {
  const lost = new NotAnswered({ message: "no server there", mayHaveArrived: false })
  /** Fails until `answersAt` (milliseconds), then answers. */
  const question = (error: RestError, answersAt: number) =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const said: Array<string> = []
      const done = yield* Deferred.make<void>()
      const ask = Effect.gen(function* () {
        yield* Ref.update(asked, (n) => n + 1)
        const now = yield* TestClock.currentTimeMillis
        return now >= answersAt ? "here" : yield* error
      })
      const fiber = yield* insist(ask, (text) => Effect.sync(() => void said.push(text))).pipe(
        Effect.either,
        Effect.tap(() => Deferred.succeed(done, undefined)),
        Effect.fork
      )
      return { asked, fiber, said }
    })

  it.effect("waits for minutes, at most five seconds between two questions", () =>
    Effect.gen(function* () {
      const { asked, fiber, said } = yield* question(lost, 120_000)
      yield* TestClock.adjust("3 minutes")
      assert.deepStrictEqual(yield* Fiber.join(fiber), Either.right("here"))
      assert.isAtLeast(yield* Ref.get(asked), 120 / 5)
      assert.isAtMost(yield* Ref.get(asked), 30)
      assert.deepStrictEqual(said, ["Connection lost, trying again: no server there.", "Connected again."])
    })
  )

  it.effect("gives up after five minutes, with what was wrong last", () =>
    Effect.gen(function* () {
      const { fiber, said } = yield* question(lost, Infinity)
      yield* TestClock.adjust("4 minutes")
      assert.isNull(yield* Effect.map(fiber.poll, (exit) => (exit._tag === "None" ? null : exit)))
      yield* TestClock.adjust("90 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), Either.left(lost))
      assert.strictEqual(said.length, 1)
    })
  )

  it.effect("asks no more than once where the answer is no", () =>
    Effect.gen(function* () {
      for (const status of [400, 401, 403, 404, 409, 422]) {
        const { asked, fiber, said } = yield* question(new Refused({ status, message: "no" }), Infinity)
        assert.isTrue(Either.isLeft(yield* Fiber.join(fiber)))
        assert.strictEqual(yield* Ref.get(asked), 1)
        assert.deepStrictEqual(said, [])
      }
    })
  )
})
