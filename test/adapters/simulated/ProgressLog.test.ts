import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as ProgressLog from "../../../adapters/simulated/ProgressLog.ts"
import { parsedLines } from "./Fixtures.ts"

const progress = (count: number, at = 0) =>
  Array.from({ length: count }, (_, i) => ({
    workspace_id: "ws_1",
    key: `k${i}`,
    progress: { _tag: "Ringing" as const, at: at + i }
  }))

const seqs = (written: ReadonlyArray<string>) => parsedLines(written.join("")).map(({ seq }) => seq)

describe("the progress log", () => {
  it.prop(
    "gives every reader each line after its number once, in order, however often it pauses",
    [
      FastCheck.array(FastCheck.nat({ max: 3_000 }), { maxLength: 5 }),
      FastCheck.nat({ max: 12_000 }),
      FastCheck.nat({ max: 3 })
    ],
    ([counts, after, patience]) => {
      const log = ProgressLog.make(100_000, 1_000)
      const written: Array<string> = []
      let left = patience
      const reader = log.follow(after, (lines) => {
        assert.notStrictEqual(lines, "")
        written.push(lines)
        return --left > 0
      })
      for (const count of counts) {
        log.add(progress(count))
        left = patience
        reader.more()
      }
      const last = 1_000 + counts.reduce((sum, count) => sum + count, 0)
      for (let before = -1; before !== written.length;) {
        before = written.length
        reader.more()
      }
      const first = Math.max(after, 1_000) + 1
      assert.deepStrictEqual(
        seqs(written),
        Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
      )
    }
  )

  it("drops the oldest once there is twice what it keeps, and a slow reader goes on with what is left", () => {
    const log = ProgressLog.make(100, 0)
    const written: Array<string> = []
    const reader = log.follow(0, (lines) => {
      written.push(lines)
      return false
    })
    log.add(progress(50))
    log.add(progress(250))
    reader.more()
    assert.deepStrictEqual(seqs(written), [
      ...Array.from({ length: 50 }, (_, i) => i + 1),
      ...Array.from({ length: 100 }, (_, i) => i + 201)
    ])
    reader.stop()
    log.add(progress(1))
    reader.more()
    assert.strictEqual(written.length, 3)
  })

  it("knows the number before a time", () => {
    const log = ProgressLog.make(100, 10)
    assert.strictEqual(log.before(0), 10)
    log.add(progress(20, 1_000))
    assert.deepStrictEqual([1_000, 1_005, 5_000].map(log.before), [10, 15, 30])
  })
})
