import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { type Bar, duration, render, size } from "../../../../apps/cli/progress/Bar.ts"
import { observe, perMinute, type Sample, timeFor } from "../../../../apps/cli/progress/Rate.ts"

const bar: Bar = {
  label: "running",
  done: 450,
  total: 1_000,
  facts: ["10 in progress", "ETA 9m", "300 answered", "60/min", "5 to retry"]
}

const amounts = FastCheck.integer({ min: 0, max: 10_000_000 })
const bars: FastCheck.Arbitrary<Bar> = FastCheck.record({
  label: FastCheck.constantFrom("running", "Uploading", "paused"),
  done: amounts,
  total: FastCheck.option(amounts, { nil: undefined }),
  facts: FastCheck.array(FastCheck.stringMatching(/^[a-z0-9 ]{1,20}$/), { maxLength: 6 })
})
const widths = FastCheck.integer({ min: 20, max: 200 })

describe("the bar", () => {
  it("shows what there is room for: how far it is always, facts last", () => {
    assert.strictEqual(
      render(bar, 120, 0),
      "running [===============>                  ]  45%    450/1,000" +
        "  10 in progress  ETA 9m  300 answered  60/min  5 to retry"
    )
    assert.strictEqual(
      render(bar, 80, 0),
      "running [======>       ]  45%    450/1,000  10 in progress  ETA 9m  300 answered"
    )
    assert.strictEqual(render(bar, 50, 0), "running [=========>            ]  45%    450/1,000")
    assert.strictEqual(render(bar, 25, 0), "running  45%    450/1,000")
    assert.strictEqual(render(bar, 20, 0), " 45%    450/1,000")
    assert.strictEqual(render(bar, 10, 0), "45%")
  })

  it("never takes more than the width, at any width, with any total", () => {
    FastCheck.assert(
      FastCheck.property(bars, widths, amounts, (bar, width, now) => {
        const text = render(bar, width, now)
        assert.isAtMost(text.length, width)
        assert.notMatch(text, /NaN|Infinity|undefined|[\r\n]/)
      })
    )
  })

  it("tells how far it is at every width from 20, and grows with what is done", () => {
    const filled = (text: string) => text.split("=").length
    FastCheck.assert(
      FastCheck.property(widths, FastCheck.nat(999), (width, done) => {
        const [now, next] = [render({ ...bar, done }, width, 0), render({ ...bar, done: done + 1 }, width, 0)]
        assert.include(now, `${done}/1,000`)
        assert.isAtMost(filled(now.split("]")[0]!), filled(next.split("]")[0]!))
      })
    )
  })

  it("without a total runs to and fro and counts", () => {
    const unknown = { label: "Adding", done: 12_345, total: undefined, facts: [] }
    const at = (now: number) => render(unknown, 30, now)
    assert.strictEqual(at(0), "Adding [<=>           ] 12,345")
    assert.strictEqual(at(300), "Adding [   <=>        ] 12,345")
    assert.strictEqual(at(1_100), "Adding [           <=>] 12,345")
    assert.strictEqual(at(1_200), "Adding [          <=> ] 12,345")
    assert.strictEqual(at(2_200), at(0))
  })

  it("of nothing at all is empty, and has no percentage", () => {
    assert.strictEqual(
      render({ ...bar, done: 0, total: 0, facts: [] }, 40, 0),
      "running [                          ] 0/0"
    )
  })

  it("says a hundred per cent when all is done, and not before", () => {
    assert.include(render({ ...bar, done: 999_999, total: 1_000_000 }, 60, 0), " 99%")
    assert.match(render({ ...bar, done: 1_000, total: 1_000 }, 60, 0), /\[=+\] 100%/)
    assert.include(render({ ...bar, done: 1_200, total: 1_000 }, 60, 0), "100%")
  })

  it("gives durations in two units at most, and sizes as people read them", () => {
    const texts = [0, 45, 60, 61, 3_599, 4_800, 86_400, 183_600].map((seconds) => duration(seconds * 1_000))
    assert.deepStrictEqual(texts, ["0s", "45s", "1m", "1m", "59m", "1h 20m", "1d", "2d 3h"])
    assert.deepStrictEqual([0, 1, 5_000, 5_242_880].map(size), ["0 KB", "1 KB", "5 KB", "5.0 MB"])
  })
})

describe("the pace", () => {
  const after = (...samples: ReadonlyArray<Sample>) =>
    samples.reduce<ReadonlyArray<Sample>>((seen, sample) => observe(seen, sample), [])

  it("is what was done in the last minute, however long one has watched", () => {
    const steady = Array.from({ length: 600 }, (_, i) => ({ at: i * 1_000, done: i * 2 }))
    const seen = after(...steady)
    assert.strictEqual(perMinute(seen), 120)
    assert.isAtMost(seen.length, 62)
    assert.strictEqual(perMinute(after(...steady, { at: 660_000, done: 1_198 })), 0)
  })

  it("is not told before two seconds were seen, and is never below zero", () => {
    assert.isUndefined(perMinute(after({ at: 0, done: 5 })))
    assert.isUndefined(perMinute(after({ at: 0, done: 5 }, { at: 1_999, done: 9 })))
    assert.strictEqual(perMinute(after({ at: 0, done: 5 }, { at: 2_000, done: 6 })), 30)
    assert.strictEqual(perMinute(after({ at: 0, done: 5 }, { at: 2_000, done: 1 })), 0)
  })

  it("says when what is left is done, unless nothing moves", () => {
    assert.strictEqual(timeFor(120, 60), 120_000)
    assert.strictEqual(timeFor(0, 60), 0)
    assert.isUndefined(timeFor(120, 0))
    assert.isUndefined(timeFor(120, undefined))
  })
})
