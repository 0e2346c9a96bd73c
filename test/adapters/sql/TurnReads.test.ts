import { assert, describe, it } from "@effect/vitest"
import { setImmediate as nextTurn } from "node:timers/promises"
import { make } from "../../../adapters/sql/sqlite/TurnReads.ts"

/** A store that answers each read with its number. */
const counting = () => {
  let count = 0
  return make(() => [++count])
}

describe("reads of one turn of the event loop", () => {
  it("read an id once for all who ask", () => {
    const { all } = counting()
    assert.deepStrictEqual(all("by id", ["a"]), [1])
    assert.deepStrictEqual(all("by id", ["b"]), [2])
    assert.deepStrictEqual(all("by number", ["a"]), [3])
    assert.deepStrictEqual(
      [all("by id", ["a"]), all("by id", ["b"]), all("by number", ["a"])],
      [[1], [2], [3]]
    )
  })

  it("read an id again in the next turn", async () => {
    const { all } = counting()
    for (const n of [1, 2, 3]) {
      assert.deepStrictEqual([all("by id", ["a"]), all("by id", ["a"])], [[n], [n]])
      await nextTurn()
    }
  })

  it("read an id again once this process may have changed it", () => {
    const { all, forget } = counting()
    all("by id", ["a"])
    forget()
    assert.deepStrictEqual(all("by id", ["a"]), [2])
  })

  it("read each time what is not asked for by one id", () => {
    const { all } = counting()
    for (const n of [1, 2]) assert.deepStrictEqual(all("all", []), [n])
    for (const n of [3, 4]) assert.deepStrictEqual(all("a page", ["a", 10]), [n])
  })

  it("read a fault again", () => {
    let faults = 1
    const { all } = make(() => {
      if (faults-- > 0) throw new Error("the disk is away")
      return []
    })
    assert.throws(() => all("by id", ["a"]), "the disk is away")
    assert.deepStrictEqual(all("by id", ["a"]), [])
  })
})
