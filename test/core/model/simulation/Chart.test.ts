import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
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
  workspace: {
    max_concurrency: 1,
    calls_per_second: 1,
    allowed_countries: [],
    allow_costly_destinations: false
  },
  credits: null,
  price_per_minute: 1,
  max_call_length: 600,
  campaign: { call_config: null, max_concurrency: null, failure_breaker: null, calls_per_minute: null },
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
