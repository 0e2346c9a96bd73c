import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { RawJson } from "../../../../core/model/json/RawJson.ts"
import { defaultModel } from "../../../../core/model/simulation/CalleeModel.ts"
import { chartOf } from "../../../../core/model/simulation/Chart.ts"
import { scale } from "../../../../core/model/simulation/ChartPanel.ts"
import type { Plan, Run } from "../../../../core/model/simulation/Plan.ts"
import { simulationOf } from "../../../../core/model/simulation/Simulation.ts"
import { parse } from "../../../apps/cli/suite/xml.ts"

const starts_at = Date.UTC(2026, 1, 3, 9)

const plan: Plan = {
  starts_at,
  beat_seconds: 1,
  model: defaultModel,
  learned: null,
  workspace: {
    max_concurrency: 1,
    calls_per_second: 1,
    allowed_countries: [],
    allow_costly_destinations: false
  },
  credits: null,
  price_per_minute: 1,
  max_call_length: 600,
  campaign: {
    call_config: null,
    max_concurrency: null,
    failure_breaker: null,
    skip_public_holidays: false,
    calls_per_minute: null
  },
  people: [{ phone_number: "+14155550123", timezone: null }],
  do_not_call: []
}

const stats = {
  total: 1,
  pending: 0,
  in_progress: 0,
  retry_scheduled: 0,
  completed: 1,
  failed: 0,
  skipped: 0,
  attempts: 1,
  answered: 1
}

const run = FastCheck.record({
  minutes: FastCheck.integer({ min: 1, max: 5_000 }),
  calls: FastCheck.double({ min: 0, max: 100_000, noNaN: true }),
  completed: FastCheck.boolean()
}).map(({ calls, completed, minutes }): Run => ({
  seed: 1,
  status: completed ? "completed" : "paused",
  status_reason: completed ? null : "failure_rate",
  ended_at: starts_at + (minutes - 1) * 60_000,
  stats,
  credits: 1,
  peak: Math.ceil(calls),
  tries: [0, 1],
  calls: Array.from({ length: minutes }, () => calls),
  reached: Array.from({ length: minutes }, (_, i) => i)
}))
const runs = FastCheck.array(run, { minLength: 1, maxLength: 4 })

describe("a chart", () => {
  it.prop(
    "is well-formed, of finite numbers, without a script, whatever came out and whatever it is called",
    [runs, FastCheck.fullUnicodeString()],
    ([given, name]) => {
      const svg = chartOf(simulationOf(plan, given), name)
      const root = parse(`<?xml version="1.0" encoding="UTF-8"?>\n${svg}`)
      assert.strictEqual(root.name, "svg")
      assert.notMatch(svg, /NaN|Infinity|undefined|<script| on[a-z]+=/)
      assert.include(
        root.children.map((child) => child.name),
        "title"
      )
    },
    { fastCheck: { numRuns: 60 } }
  )

  const windowed: Plan = {
    ...plan,
    starts_at: Date.UTC(2026, 1, 3, 10, 30),
    campaign: {
      ...plan.campaign,
      call_config: RawJson(
        '{"call_time":{"call_start_time":"09:00","call_end_time":"18:00","timezone":"America/New_York"}}'
      )
    }
  }
  const twoDays: Run = {
    seed: 1,
    status: "completed",
    status_reason: null,
    ended_at: windowed.starts_at + 30 * 3_600_000,
    stats,
    credits: 1,
    peak: 10,
    tries: [0, 1],
    calls: Array.from({ length: 30 * 60 }, () => 5),
    reached: Array.from({ length: 30 * 60 }, (_, i) => i)
  }

  it("shades the hours in which the campaign may not call, and shows local time", () => {
    const svg = chartOf(simulationOf(windowed, [twoDays]))
    const shaded = [...svg.matchAll(/<rect class="closed" x="([\d.]+)" y="96" width="([\d.]+)"/g)].map(
      ([, x, width]) => [Number(x), Number(x) + Number(width)]
    )
    // Eastern time: 05:30 to 09:00, 18:00 to 09:00, and from 18:00 on, of 30 hours that are 864 pixels wide.
    const at = (hours: number) => 72 + (864 * hours) / 30
    assert.lengthOf(shaded, 2)
    for (const [i, [from, until]] of [
      [0, 3.5],
      [12.5, 27.5]
    ].entries()) {
      assert.closeTo(shaded[i]![0]!, at(from!), 1)
      assert.closeTo(shaded[i]![1]!, at(until!), 1)
    }
    assert.include(svg, "completed 2026-02-04 11:30 America/New_York")
    assert.include(svg, "Grey: closed hours. Times in America/New_York.")
    assert.match(svg, /text-anchor="middle">02-03 08:00<\/text>/)
  })

  it("writes no word over its curves", () => {
    const svg = chartOf(simulationOf(windowed, [twoDays]))
    const heights = [...svg.matchAll(/<text[^>]* x="([\d.]+)" y="([\d.]+)"/g)]
      .filter(([, x]) => Number(x) >= 72)
      .map(([, , y]) => Number(y))
    for (const y of heights) {
      assert.isFalse((y > 96 && y < 296 + 12) || (y > 340 && y < 540 + 12), `a text at ${y}`)
    }
  })

  it("shows its name as text", () => {
    const svg = chartOf(
      simulationOf(plan, [FastCheck.sample(run, { numRuns: 1, seed: 1 })[0]!]),
      `<b>&"'\u0000`
    )
    assert.include(svg, "&lt;b&gt;&amp;&quot;&#39;</text>")
  })

  it.prop(
    "has a scale of a few round numbers from nothing to the most",
    [FastCheck.double({ min: 0, max: 1e7, noNaN: true })],
    ([most]) => {
      const ticks = scale(most)
      assert.strictEqual(ticks[0], 0)
      assert.isAtLeast(ticks.at(-1)!, most)
      assert.isTrue(ticks.length >= 2 && ticks.length <= 7)
    }
  )
})
