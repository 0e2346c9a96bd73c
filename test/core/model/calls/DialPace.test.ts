import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { allowance, type Pace, started } from "../../../../core/model/calls/DialPace.ts"

describe("a cap on dials over time", () => {
  it.prop(
    "no window of its span holds more dials than the limit, and none is held back for longer than needed",
    {
      span: FastCheck.constantFrom(1_000, 60_000),
      limit: FastCheck.integer({ min: 1, max: 7 }),
      gaps: FastCheck.array(FastCheck.integer({ min: 0, max: 700 }), { maxLength: 80 })
    },
    ({ gaps, limit, span }) => {
      let pace: Pace = { span, starts: [] }
      let now = 0
      const dials: Array<number> = []
      for (const gap of gaps) {
        now += (gap * span) / 1_000
        const { allowed, next_at } = allowance(pace, limit, now)
        if (allowed === 0) {
          assert.isAbove(next_at, now)
          assert.strictEqual(allowance(pace, limit, next_at - 1).allowed, 0)
          assert.isAbove(allowance(pace, limit, next_at).allowed, 0)
        }
        pace = started(pace, allowed, now)
        for (let i = 0; i < allowed; i++) dials.push(now)
      }
      for (const at of dials) {
        assert.isAtMost(dials.filter((other) => other > at - span && other <= at).length, limit)
      }
    }
  )

  it("keeps no more than its span of the past", () => {
    let pace: Pace = { span: 1_000, starts: [] }
    for (let now = 0; now < 100_000; now += 100) pace = started(pace, 1, now)
    assert.strictEqual(pace.starts.length, 10)
  })
})
