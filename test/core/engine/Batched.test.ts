import { Effect, Exit } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Batched from "../../../core/engine/Batched.ts"

describe("what is asked for at the same time", () => {
  it.scoped("is done together, in order, a bounded number at a time, and each gets its own result", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<number>> = []
      const double = yield* Batched.make(
        4,
        () => "ws_1",
        (_, items: ReadonlyArray<number>) =>
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

  it.scoped("is done by workspace, and none waits for another", () =>
    Effect.gen(function* () {
      const batches: Array<string> = []
      const done = yield* Batched.make(
        8,
        (item: string) => item[0]!,
        (workspace_id, items) => {
          batches.push(`${workspace_id}: ${items.join(" ")}`)
          return workspace_id === "a" ? Effect.never : Effect.succeed(items)
        }
      )
      yield* Effect.fork(done("a1"))
      const answers = yield* Effect.forEach(["b1", "c1", "b2"], done, { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, ["b1", "c1", "b2"])
      assert.deepStrictEqual(batches.toSorted(), ["a: a1", "b: b1 b2", "c: c1"])
    })
  )

  it.scoped("one that is broken fails no other", () =>
    Effect.gen(function* () {
      const careful = yield* Batched.make(
        8,
        () => "ws_1",
        (_, items: ReadonlyArray<number>) => (items.includes(3) ? Effect.die("three") : Effect.succeed(items))
      )
      const exits = yield* Effect.forEach([1, 2, 3, 4], (item) => Effect.exit(careful(item)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, false, true])
      assert.strictEqual(yield* careful(5), 5)
    })
  )
})
