import { assert, describe, it } from "@effect/vitest"
import { type Flushed, makeFlushes } from "../../../adapters/sql/Flushes.ts"
import { flushTo } from "../../../adapters/sql/sqlite/LogFlushes.ts"

/** A disk whose flushes end when they are told to. */
const slowDisk = () => {
  const under: Array<Flushed<string>> = []
  return { under, flush: (flushed: Flushed<string>) => void under.push(flushed) }
}

/** Asks for flushes, and writes down which have ended, and how. */
const asking = (flush: (flushed: Flushed<string>) => void) => {
  const ended: Array<string> = []
  return {
    ended,
    ask: (...names: ReadonlyArray<string>) => {
      for (const name of names)
        flush((fault) => void ended.push(fault === undefined ? name : `${name}: ${fault}`))
    }
  }
}

describe("flushes", () => {
  it("are one for all that ask while the one before is under way", () => {
    const { flush, under } = slowDisk()
    const { ask, ended } = asking(makeFlushes(flush))
    ask("a", "b", "c")
    assert.lengthOf(under, 1)
    under.pop()!(undefined)
    assert.deepStrictEqual(ended, ["a"])
    assert.lengthOf(under, 1)
    ask("d")
    under.pop()!("full")
    assert.deepStrictEqual(ended, ["a", "b: full", "c: full"])
    under.pop()!(undefined)
    assert.deepStrictEqual(ended.at(-1), "d")
  })

  it("are under way as many at a time as there are, each to its own end", () => {
    const { flush, under } = slowDisk()
    const { ask, ended } = asking(makeFlushes(flush, flush))
    ask("a", "b", "c", "d")
    assert.lengthOf(under, 2)
    under[1]!(undefined)
    assert.deepStrictEqual(ended, ["b"])
    assert.lengthOf(under, 3)
    under[2]!(undefined)
    under[0]!("gone")
    assert.deepStrictEqual(ended, ["b", "c", "d", "a: gone"])
  })
})

/** A disk that takes so many milliseconds for each flush, and writes down where it was done. */
const timedDisk = (took: ReadonlyArray<number>, fault?: unknown) => {
  const done: Array<"at once" | "aside"> = []
  let time = 0
  const pass = () => {
    time += took[done.length - 1] ?? 0
  }
  const flush = flushTo({
    now: () => time,
    sync: () => {
      done.push("at once")
      pass()
      if (fault !== undefined) throw fault
    },
    syncAside: (flushed) => {
      done.push("aside")
      pass()
      flushed(fault)
    }
  })
  let faults = 0
  for (const _ of took) flush((told) => void (faults += told === undefined ? 0 : 1))
  return { done, faults }
}

const times = <A>(count: number, value: A) => Array.from({ length: count }, () => value)

describe("the log of a SQLite file", () => {
  it("is flushed at once as long as the disk is quick, though it be slow now and then", () => {
    const took = [...times(7, 3), 0.1, ...times(7, 3), 0.1]
    assert.deepStrictEqual(timedDisk(took).done, times(16, "at once"))
  })

  it("is flushed aside once the disk was slow eight times in a row, until it is quick again", () => {
    const { done } = timedDisk([...times(10, 3), 0.1, 0.1])
    assert.deepStrictEqual(done, [...times(8, "at once"), ...times(3, "aside"), "at once"])
  })

  it("tells of each flush that failed, at once and aside", () => {
    assert.strictEqual(timedDisk(times(12, 3), new Error("no space")).faults, 12)
  })
})
