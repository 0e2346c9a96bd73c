import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { percentile, spreadOf } from "../../../../core/model/simulation/Spread.ts"
import { timelineOf } from "../../../../core/model/simulation/Timeline.ts"
import { Gauge } from "../../../../core/simulation/Gauge.ts"
import { Log } from "../../../../core/simulation/Log.ts"

const minute = 60_000
const values = FastCheck.array(FastCheck.integer({ min: -1_000, max: 1_000 }), {
  minLength: 1,
  maxLength: 200
})

describe("a spread", () => {
  it.prop("has its percentiles in order, between the least and the most", [values], ([given]) => {
    const { max, mean, min, p10, p50, p90 } = spreadOf(given)
    const order = [min, p10, p50, p90, max]
    assert.deepStrictEqual(
      order,
      order.toSorted((a, b) => a - b)
    )
    assert.strictEqual(min, Math.min(...given))
    assert.strictEqual(max, Math.max(...given))
    assert.isTrue(mean >= min - 1e-3 && mean <= max + 1e-3)
  })

  it.prop("does not depend on the order of the values", [values], ([given]) => {
    assert.deepStrictEqual(spreadOf(given.toReversed()), spreadOf(given))
  })

  it("has no negative zero", () => {
    const given = [998, 994, -6, -8, -992, -991, 5]
    assert.isTrue(Object.is(spreadOf(given).mean, 0))
    assert.deepStrictEqual(spreadOf(given.toReversed()), spreadOf(given))
    assert.isTrue(Object.is(spreadOf([-0.000_1]).min, 0))
  })

  it.prop("leaves the share of a percentile below it", [values, FastCheck.nat(100)], ([given, percent]) => {
    const ascending = given.toSorted((a, b) => a - b)
    const value = percentile(ascending, percent / 100)
    const below = ascending.filter((each) => each < value).length
    const above = ascending.filter((each) => each > value).length
    assert.isAtMost(below, Math.ceil((percent / 100) * (given.length - 1)))
    assert.isAtMost(above, Math.ceil((1 - percent / 100) * (given.length - 1)))
  })
})

const moves = FastCheck.array(
  FastCheck.record({ by: FastCheck.constantFrom(-1, 1, 2), after: FastCheck.nat(5 * minute) }),
  { maxLength: 60 }
)

describe("a gauge", () => {
  it.prop(
    "has the mean of each span of time, and the most there ever was",
    [moves, FastCheck.nat(10 * minute)],
    ([given, rest]) => {
      const gauge = new Gauge(minute)
      let [at, value, area, peak] = [0, 0, 0, 0]
      for (const { after, by } of given) {
        area += value * after
        at += after
        value += by
        peak = Math.max(peak, value)
        gauge.move(by, at)
      }
      const means = gauge.readings(at + rest)
      const sum = means.reduce((total, mean) => total + mean * minute, 0)
      assert.closeTo(sum, area + value * rest, 1e-3)
      assert.strictEqual(means.length, Math.floor((at + rest) / minute) + 1)
      assert.strictEqual(gauge.peak, peak)
    }
  )
})

describe("a log", () => {
  it("counts recipients by how often they were dialled, and which of them were reached by when", () => {
    const log = new Log(1_000)
    for (const attempt of [1, 1, 2, 1, 3]) log.began(1_000, attempt)
    log.ended(1_000 + minute, "answered")
    log.ended(1_000 + 3 * minute, "answered")
    log.ended(1_000 + 3 * minute, "busy")
    assert.deepStrictEqual(log.tries(5), [2, 2, 0, 1])
    assert.deepStrictEqual(log.reached(1_000 + 3 * minute), [0, 1, 1, 2])
    assert.strictEqual(log.dialled, 3)
  })
})

describe("a timeline", () => {
  const traces = FastCheck.array(
    FastCheck.array(FastCheck.nat(50), { minLength: 1, maxLength: 5_000 }).map((calls) => ({
      calls,
      reached: calls.map((_, i) => i)
    })),
    { minLength: 1, maxLength: 4 }
  )

  it.prop(
    "has at most 300 points, of whole steps, that reach to the end of the longest run",
    [traces],
    ([runs]) => {
      const { points, step_seconds } = timelineOf(0, runs)
      const longest = Math.max(...runs.map(({ calls }) => calls.length))
      assert.isAtMost(points.length, 300)
      assert.isAtLeast(points.length * step_seconds, longest * 60)
      assert.isBelow((points.length - 1) * step_seconds, longest * 60)
      for (const [i, { at, calls, reached }] of points.entries()) {
        assert.strictEqual(at, i * step_seconds * 1_000)
        assert.isTrue(calls.p10 <= calls.p50 && calls.p50 <= calls.p90)
        assert.isTrue(reached.p10 >= (points[i - 1]?.reached.p10 ?? 0))
      }
    }
  )

  it("has a run that is over at rest, with whom it has reached", () => {
    const short = { calls: [4], reached: [3] }
    const { points } = timelineOf(0, [short, { calls: [4, 2], reached: [3, 5] }])
    assert.deepStrictEqual(points[1]!.calls, { p10: 0.2, p50: 1, p90: 1.8 })
    assert.deepStrictEqual(points[1]!.reached, { p10: 3.2, p50: 4, p90: 4.8 })
  })
})
