import { Effect, Exit } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Batched from "../../../core/engine/Batched.ts"

describe("what is asked for at the same time", () => {
  it.scoped("is done together, in order, a bounded number at a time, and each gets its own result", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<number>> = []
      const double = yield* Batched.make(4, (items: ReadonlyArray<number>) =>
        Effect.sync(() => {
          batches.push(items)
          return items.map((item) => item * 2)
        })
      )
      const results = yield* Effect.forEach([1, 2, 3, 4, 5, 6], double, { concurrency: "unbounded" })
      assert.deepStrictEqual(results, [2, 4, 6, 8, 10, 12])
      assert.deepStrictEqual(batches.flat(), [1, 2, 3, 4, 5, 6])
      assert.isBelow(batches.length, 6)
      for (const batch of batches) assert.isAtMost(batch.length, 4)
    })
  )

  it.scoped("one that is broken takes nobody with it", () =>
    Effect.gen(function* () {
      const careful = yield* Batched.make(8, (items: ReadonlyArray<number>) =>
        items.includes(3) ? Effect.die("three") : Effect.succeed(items)
      )
      const exits = yield* Effect.forEach([1, 2, 3, 4], (item) => Effect.exit(careful(item)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.strictEqual(yield* careful(5), 5)
    })
  )
})
