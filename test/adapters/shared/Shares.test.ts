import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Option, Scope } from "effect"
import * as Shares from "../../../adapters/shared/Shares.ts"

/** Takes in a scope of its own, in the background. */
const taker = (take: ReturnType<typeof Shares.make>) =>
  Effect.fnUntraced(function* (key: string, amount: number) {
    const scope = yield* Scope.make()
    const fiber = yield* Effect.fork(Scope.extend(take(key, amount), scope))
    yield* Effect.yieldNow()
    return {
      fiber,
      has: Effect.map(Fiber.poll(fiber), Option.isSome),
      giveBack: Effect.zipRight(Scope.close(scope, Exit.void), Effect.yieldNow())
    }
  })

describe("shares", () => {
  it.effect("of one key wait for each other, and not those of other keys", () =>
    Effect.gen(function* () {
      const take = taker(Shares.make({ total: 2, each: 1 }))
      const first = yield* take("a", 1)
      const second = yield* take("a", 1)
      const other = yield* take("b", 1)
      assert.deepStrictEqual([yield* first.has, yield* second.has, yield* other.has], [true, false, true])
      yield* first.giveBack
      assert.isTrue(yield* second.has)
    })
  )

  it.effect("of all keys have the total, in the order in which they came", () =>
    Effect.gen(function* () {
      const take = taker(Shares.make({ total: 10, each: 8 }))
      const first = yield* take("a", 6)
      const large = yield* take("b", 7)
      const small = yield* take("c", 1)
      assert.deepStrictEqual([yield* large.has, yield* small.has], [false, false])
      yield* first.giveBack
      assert.deepStrictEqual([yield* large.has, yield* small.has], [true, true])
    })
  )

  it.effect("are free again when a caller is interrupted, whether it waits or has them", () =>
    Effect.gen(function* () {
      const take = taker(Shares.make({ total: 1, each: 1 }))
      const first = yield* take("a", 1)
      const waits = yield* take("b", 1)
      const last = yield* take("c", 1)
      yield* Fiber.interrupt(waits.fiber)
      yield* first.giveBack
      assert.isTrue(yield* last.has)
    })
  )
})
