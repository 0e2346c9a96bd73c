import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { SortedSet } from "../../../adapters/memory/SortedSet.ts"

interface Item {
  readonly key: number
  readonly value: number
}

const keys = FastCheck.array(FastCheck.integer({ min: 0, max: 3_000 }), { minLength: 0, maxLength: 3_000 })

/** The set with every key added once and then the second ones removed, and what it has to hold. */
const filled = (added: ReadonlyArray<number>, removed: ReadonlyArray<number>) => {
  const set = new SortedSet<Item>((left, right) => left.key - right.key)
  const expected = new Set<number>()
  for (const key of added) {
    if (!expected.has(key)) set.add({ key, value: 0 })
    expected.add(key)
  }
  for (const key of removed) assert.strictEqual(set.delete({ key, value: 1 }), expected.delete(key))
  return { set, expected: [...expected].sort((left, right) => left - right) }
}

const keysOf = (items: Iterable<Item>) => Array.from(items, ({ key }) => key)

describe("SortedSet", () => {
  it.prop("keeps items in order through additions and removals", [keys, keys], ([added, removed]) => {
    const { expected, set } = filled(added, removed)
    assert.strictEqual(set.size, expected.length)
    assert.strictEqual(set.first()?.key, expected[0])
    assert.deepStrictEqual(keysOf(set.ascending()), expected)
  })

  it.prop("is read from any item on, forwards", [keys, FastCheck.nat(3_000)], ([added, from]) => {
    const { expected, set } = filled(added, [])
    const wanted = expected.filter((key) => key >= from)
    assert.deepStrictEqual(keysOf(set.ascending(({ key }) => key - from)), wanted)
    assert.strictEqual(set.find(({ key }) => key - from)?.key, wanted[0] === from ? from : undefined)
  })

  it.prop("is read from any offset on, backwards", [keys, FastCheck.nat(3_000)], ([added, offset]) => {
    const { expected, set } = filled(added, [])
    assert.deepStrictEqual(keysOf(set.descending(offset)), expected.reverse().slice(offset))
  })

  it.prop(
    "is read from any item on, backwards, after any number of them",
    [keys, FastCheck.nat(3_000), FastCheck.nat(1_000)],
    ([added, from, offset]) => {
      const { expected, set } = filled(added, [])
      const wanted = expected.filter((key) => key <= from).reverse()
      assert.deepStrictEqual(keysOf(set.descending(offset, ({ key }) => key - from)), wanted.slice(offset))
    }
  )
})
