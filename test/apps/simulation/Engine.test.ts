import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { play } from "../../../apps/simulation/Engine.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { type CalleeModel, defaultModel, type Rates } from "../../../core/model/simulation/CalleeModel.ts"
import { chartOf } from "../../../core/model/simulation/Chart.ts"
import type { Plan, Run } from "../../../core/model/simulation/Plan.ts"
import { simulationOf, toJson } from "../../../core/model/simulation/Simulation.ts"

const hour = 3_600_000
const starts_at = Date.UTC(2026, 1, 3, 9)

const people = (count: number, timezone: string | null = null): Plan["people"] =>
  Array.from({ length: count }, (_, i) => ({ phone_number: `+1415555${String(1_000 + i)}`, timezone }))

const always = (outcome: keyof Rates): CalleeModel => ({
  ...defaultModel,
  rates: [{ answered: 0, voicemail: 0, no_answer: 0, busy: 0, failed: 0, [outcome]: 1 }]
})

type Changes = Partial<Omit<Plan, "campaign" | "workspace">> & {
  readonly config?: object
  readonly campaign?: Partial<Plan["campaign"]>
  readonly workspace?: Partial<Plan["workspace"]>
}

const planOf = ({ campaign, config, workspace, ...changes }: Changes = {}): Plan => ({
  starts_at,
  beat_seconds: 1,
  model: defaultModel,
  learned: null,
  credits: null,
  price_per_minute: 1,
  max_call_length: 600,
  people: people(150),
  do_not_call: [],
  ...changes,
  workspace: {
    max_concurrency: 20,
    calls_per_second: 10,
    allowed_countries: [],
    allow_costly_destinations: false,
    ...workspace
  },
  campaign: {
    call_config: RawJson(JSON.stringify(config ?? { call_retry_config: { retry_count: 2, retry_busy: 10 } })),
    max_concurrency: null,
    failure_breaker: null,
    skip_public_holidays: false,
    calls_per_minute: null,
    ...campaign
  }
})

/** In which hours from the start there were calls. */
const hoursOf = (calls: ReadonlyArray<number>) => [
  ...new Set(calls.flatMap((mean, i) => (mean > 0 ? [Math.floor(i / 60)] : [])))
]

describe("a simulation", () => {
  it.live("is the same to the byte for the same seed, and another for another", () =>
    Effect.gen(function* () {
      const texts: Array<string> = []
      for (const seeds of [
        [1, 2],
        [1, 2],
        [3, 4]
      ]) {
        const plan = planOf({ people: people(30) })
        const simulation = simulationOf(plan, yield* Effect.forEach(seeds, (seed) => play(plan, seed)))
        texts.push(toJson(simulation) + chartOf(simulation))
      }
      assert.strictEqual(texts[1], texts[0])
      assert.notStrictEqual(texts[2], texts[0])
    })
  )

  it.live("does the same while another is played beside it", () =>
    Effect.gen(function* () {
      const plan = planOf({ people: people(60) })
      const alone = yield* play(plan, 5)
      const [beside] = yield* Effect.all([play(plan, 5), play(plan, 6)], { concurrency: 2 })
      assert.deepStrictEqual(beside, alone)
    })
  )

  it.live("calls each recipient until they are reached or tried often enough", () =>
    Effect.gen(function* () {
      const { credits, stats, status, tries } = yield* play(planOf(), 1)
      assert.strictEqual(status, "completed")
      assert.strictEqual(stats.completed + stats.failed, 150)
      assert.strictEqual(tries.length, 4)
      assert.strictEqual(tries[0], 0)
      assert.strictEqual(
        tries.reduce((sum, count) => sum + count),
        150
      )
      assert.strictEqual(
        tries.reduce((sum, count, attempts) => sum + count * attempts),
        stats.attempts
      )
      assert.isAtLeast(credits, stats.completed)
    })
  )

  it.live("tries again as the retries say, and no sooner", () =>
    Effect.gen(function* () {
      const config = { call_retry_config: { retry_count: 3, retry_busy: 60 } }
      const { ended_at, stats, tries } = yield* play(planOf({ config, model: always("busy") }), 1)
      assert.deepStrictEqual(tries, [0, 0, 0, 0, 150])
      assert.strictEqual(stats.failed, 150)
      assert.isAtLeast(ended_at, starts_at + 3 * hour)
      assert.isBelow(ended_at, starts_at + 3 * hour + 600_000)
    })
  )

  it.live("never has more calls than the campaign and its workspace may have", () =>
    Effect.gen(function* () {
      const ofWorkspace = yield* play(planOf({ model: always("answered") }), 1)
      const ofCampaign = yield* play(
        planOf({ model: always("answered"), campaign: { max_concurrency: 7 } }),
        1
      )
      assert.strictEqual(ofWorkspace.peak, 20)
      assert.strictEqual(ofCampaign.peak, 7)
      assert.isTrue(ofCampaign.calls.every((mean) => mean <= 7))
    })
  )

  it.live("starts no more calls a minute, or a second, than it may", () =>
    Effect.gen(function* () {
      const paced = yield* play(
        planOf({ model: always("busy"), config: {}, campaign: { calls_per_minute: 15 } }),
        1
      )
      assert.isAtLeast(paced.ended_at, starts_at + 9 * 60_000)
      const slow = yield* play(
        planOf({ model: always("busy"), config: {}, workspace: { calls_per_second: 1 } }),
        1
      )
      assert.isAtLeast(slow.ended_at, starts_at + 149_000)
      assert.isBelow(slow.ended_at, starts_at + 160_000)
    })
  )

  it.live("calls within the window of each recipient's own zone, and goes on the next day", () =>
    Effect.gen(function* () {
      const call_time = { call_start_time: "09:00", call_end_time: "10:00", timezone: "UTC" }
      const config = { call_time, call_retry_config: { retry_count: 1, retry_not_picked: 120 } }
      const utc = yield* play(planOf({ config, model: always("no_answer") }), 1)
      assert.deepStrictEqual(hoursOf(utc.calls), [0, 24])
      const york = planOf({ config, model: always("no_answer"), people: people(20, "America/New_York") })
      assert.deepStrictEqual(hoursOf((yield* play(york, 1)).calls), [5, 29])
    })
  )

  it.live("has callees answer by the hour of their own day", () =>
    Effect.gen(function* () {
      const [answered] = always("answered").rates
      const [busy] = always("busy").rates
      const rates = Array.from({ length: 24 }, (_, hour) => (hour === 18 ? answered! : busy!))
      const of = (zone: string) =>
        planOf({ config: {}, model: { ...defaultModel, rates }, people: people(20, zone) })
      assert.strictEqual((yield* play(of("UTC"), 1)).stats.answered, 0)
      assert.strictEqual((yield* play(of("Asia/Tokyo"), 1)).stats.answered, 20)
    })
  )

  it.live("stands still when the credits are used up, and has spent no more", () =>
    Effect.gen(function* () {
      const run = yield* play(planOf({ credits: 60, model: always("answered") }), 1)
      assert.deepStrictEqual([run.status, run.status_reason], ["paused", "insufficient_credits"])
      assert.isTrue(run.credits <= 60 && run.credits > 40)
      assert.isAbove(run.stats.pending, 0)
      const { completed_share, finishes_at } = simulationOf(planOf(), [run])
      assert.deepStrictEqual([completed_share, finishes_at], [0, null])
    })
  )

  it.live("stands still when most calls fail", () =>
    Effect.gen(function* () {
      const run = yield* play(planOf({ model: always("failed") }), 1)
      assert.deepStrictEqual([run.status, run.status_reason], ["paused", "failure_rate"])
    })
  )

  it.live("is paused within 60 dials when the carrier fails every dial, on any number of lines", () =>
    Effect.gen(function* () {
      for (const lines of [1, 20, 49, 300]) {
        const workspace = { max_concurrency: lines, calls_per_second: 1_000 }
        const run = yield* play(planOf({ model: always("failed"), people: people(500), workspace }), 1)
        assert.deepStrictEqual([run.status, run.status_reason], ["paused", "failure_rate"])
        assert.isAtMost(run.stats.attempts, 60)
      }
    })
  )

  it.live("goes on while every tenth dial fails, on any number of lines, however long the others talk", () =>
    Effect.gen(function* () {
      const rates = [{ answered: 0.5, voicemail: 0, no_answer: 0.3, busy: 0.1, failed: 0.1 }]
      for (const lines of [10, 100, 300]) {
        const run = yield* play(
          planOf({
            model: { ...defaultModel, rates },
            people: people(200),
            config: { call_retry_config: { retry_count: 1, retry_failed: 1, retry_busy: 1 } },
            workspace: { max_concurrency: lines, calls_per_second: 1_000 }
          }),
          lines
        )
        assert.deepStrictEqual([run.status, run.status_reason], ["completed", null])
      }
    })
  )

  it.live("is paused by the share and the numbers of its own circuit breaker", () =>
    Effect.gen(function* () {
      const rates = [{ answered: 0.7, voicemail: 0, no_answer: 0, busy: 0, failed: 0.3 }]
      const status = (failure_breaker: string) =>
        Effect.map(
          play(
            planOf({
              model: { ...defaultModel, rates },
              people: people(300),
              config: {},
              campaign: { failure_breaker: RawJson(failure_breaker) }
            }),
            1
          ),
          (run) => run.status
        )
      assert.strictEqual(yield* status("{}"), "completed")
      assert.strictEqual(yield* status('{"share":0.1}'), "paused")
      assert.strictEqual(yield* status('{"share":0.1,"window":10,"least":2}'), "paused")
      assert.strictEqual(yield* status('{"share":1,"window":1}'), "completed")
    })
  )

  it.live("leaves out who must not be called", () =>
    Effect.gen(function* () {
      const all = people(150)
      const do_not_call = all.slice(0, 40).map(({ phone_number }) => phone_number)
      const { stats, tries } = yield* play(planOf({ people: all, do_not_call }), 1)
      assert.strictEqual(stats.skipped, 40)
      assert.strictEqual(tries[0], 40)
      const elsewhere = yield* play(planOf({ workspace: { allowed_countries: ["FR"] } }), 1)
      assert.strictEqual(elsewhere.stats.failed, 150)
      assert.strictEqual(elsewhere.stats.attempts, 0)
    })
  )

  it.live("takes about as long, and reaches about as many, on a coarser beat", () =>
    Effect.gen(function* () {
      const on = (beat_seconds: number) => play(planOf({ beat_seconds, config: {}, people: people(600) }), 1)
      const [fine, coarse] = [yield* on(1), yield* on(5)]
      const lengthOf = ({ ended_at }: Run) => ended_at - starts_at
      assert.closeTo(lengthOf(coarse) / lengthOf(fine), 1, 0.1)
      assert.closeTo(coarse.stats.answered / fine.stats.answered, 1, 0.05)
    })
  )
})
