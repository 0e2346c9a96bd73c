import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { Sleepers } from "../../../core/engine/Sleepers.ts"

const sleepers = FastCheck.array(
  FastCheck.record({ at: FastCheck.integer({ min: 0, max: 50 }), dropped: FastCheck.boolean() }),
  { maxLength: 4_000 }
)

/** What is put in, with some of it taken out again, and the order in which the rest has to wake. */
const filled = (given: ReadonlyArray<{ readonly at: number; readonly dropped: boolean }>) => {
  const set = new Sleepers()
  const woken: Array<number> = []
  const drops = given.map(({ at }, i) => set.add(at, () => woken.push(i)))
  drops.forEach((drop, i) => given[i]!.dropped && drop())
  const expected = given
    .map(({ at, dropped }, i) => ({ at, dropped, i }))
    .filter(({ dropped }) => !dropped)
    .sort((left, right) => left.at - right.at || left.i - right.i)
  return { set, woken, drops, expected }
}

describe("sleepers", () => {
  it.prop(
    "wake in the order of their times, and of two at one time the first put in first",
    [sleepers],
    ([given]) => {
      const { expected, set, woken } = filled(given)
      assert.strictEqual(set.size, expected.length)
      assert.strictEqual(set.next(), expected[0]?.at)
      set.wake(Infinity)
      assert.deepStrictEqual(
        woken,
        expected.map(({ i }) => i)
      )
      assert.strictEqual(set.size, 0)
    }
  )

  it.prop(
    "stay asleep until their time",
    [sleepers, FastCheck.integer({ min: 0, max: 50 })],
    ([given, now]) => {
      const { expected, set, woken } = filled(given)
      set.wake(now)
      assert.deepStrictEqual(
        woken,
        expected.filter(({ at }) => at <= now).map(({ i }) => i)
      )
      assert.strictEqual(set.next(), expected.find(({ at }) => at > now)?.at)
    }
  )

  it("are not woken once they are dropped, however often, nor dropped once they are awake", () => {
    const { drops, set, woken } = filled([
      { at: 1, dropped: true },
      { at: 2, dropped: false }
    ])
    for (const drop of [...drops, ...drops].slice(0, 1)) drop()
    set.wake(5)
    for (const drop of drops) drop()
    assert.deepStrictEqual(woken, [1])
    assert.strictEqual(set.size, 0)
  })
})
