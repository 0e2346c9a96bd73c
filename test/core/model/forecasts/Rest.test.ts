import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { linesBeside } from "../../../../core/model/campaigns/FairShare.ts"
import { minute, second } from "../../../../core/model/Codecs.ts"
import { Agenda } from "../../../../core/model/forecasts/Agenda.ts"
import { holds, sizeOf } from "../../../../core/model/forecasts/Forecast.ts"
import { Pace } from "../../../../core/model/forecasts/Pace.ts"
import { type Ending, play, type Rest } from "../../../../core/model/forecasts/Rest.ts"
import { type CalleeModel, defaultModel, type Rates } from "../../../../core/model/simulation/CalleeModel.ts"
import { chanceOf } from "../../../../core/model/simulation/Chance.ts"
import { predicted } from "../../../../core/model/simulation/Spread.ts"
import { makeState } from "../../../contracts/repository/Fixtures.ts"

const now = Date.UTC(2026, 2, 2, 9)

const always = (outcome: keyof Rates, talk = 60): CalleeModel => ({
  ...defaultModel,
  rates: [{ answered: 0, voicemail: 0, no_answer: 0, busy: 0, failed: 0, [outcome]: 1 }],
  talk: { median_seconds: talk, spread: 0 },
  answer_seconds: 1,
  ring_seconds: 30
})

const waiting = (count: number) => [{ timezone: null, attempts: 0, due_at: null, count }]

const rest = (over: Partial<Rest> = {}): Rest => ({
  now,
  open: { waiting: waiting(60), calls: [] },
  call_config: {},
  holidaysOf: () => [],
  lines: 10,
  calls_per_second: 100,
  calls_per_minute: null,
  credits: 1e9,
  price_per_minute: 1,
  max_call_length: 600,
  ...over
})

const ending = (given: Rest, model: CalleeModel, scale = 1, seed = 1): Ending => {
  const run = play(given, model, chanceOf(seed, "rest", 0), scale)
  for (;;) {
    const step = run.next()
    if (step.done === true) return step.value
  }
}

describe("the rest of a campaign", () => {
  it("takes as long as its lines need, and charges started minutes", () => {
    const { attempts, credits, ended_at, is_completed, reached } = ending(rest(), always("answered", 61))
    assert.deepStrictEqual([is_completed, reached, attempts, credits], [true, 60, 60, 120])
    assert.strictEqual(ended_at, now + 6 * 62 * second)
  })

  it("keeps its pace", () => {
    const paced = ending(rest({ calls_per_minute: 20, lines: 100 }), always("busy"))
    assert.strictEqual(paced.ended_at, now + 2 * minute + 2 * second)
    assert.strictEqual(ending(rest({ calls_per_second: 1 }), always("busy")).ended_at, now + 61 * second)
  })

  it("calls again as its retries say, with those who wait for one, and within the window", () => {
    const call_config = {
      call_retry_config: { retry_count: 2, retry_not_picked: 10 },
      call_time: { call_start_time: "09:00", call_end_time: "09:20", timezone: "UTC" }
    }
    const open = {
      waiting: [
        { timezone: null, attempts: 1, due_at: now + 5 * minute, count: 3 },
        { timezone: "Asia/Tokyo", attempts: 0, due_at: null, count: 1 }
      ],
      calls: []
    }
    const { attempts, ended_at } = ending(rest({ call_config, open }), always("no_answer"))
    // Two more of three, three of one; at Tokyo's nine o'clock a third call falls out of the window, and waits a day.
    assert.strictEqual(attempts, 9)
    assert.strictEqual(ended_at, Date.UTC(2026, 2, 4) + 30 * second)
  })

  it("makes no first call and no retry on a holiday of the callees' country", () => {
    const call_config = {
      call_retry_config: { retry_count: 1, retry_not_picked: 24 * 60 },
      call_time: { call_start_time: "09:00", call_end_time: "17:00", timezone: "UTC" }
    }
    const open = { waiting: [{ timezone: "#FR", attempts: 0, due_at: null, count: 1 }], calls: [] }
    const holidaysOf = (country: string) => (country === "FR" ? ["2026-03-02", "2026-03-04"] : [])
    const { attempts, ended_at } = ending(rest({ call_config, holidaysOf, open }), always("no_answer"))
    assert.strictEqual(attempts, 2)
    assert.strictEqual(ended_at, Date.UTC(2026, 2, 5, 9) + 30 * second)
  })

  it("goes on with calls under way as long as they may last yet", () => {
    const calls = [
      { timezone: null, attempts: 1, started_at: now - 20_000, answered_at: now - 10_000 },
      { timezone: null, attempts: 1, started_at: now - 900_000, answered_at: null }
    ]
    const { attempts, ended_at, reached } = ending(rest({ open: { waiting: [], calls } }), always("answered"))
    assert.deepStrictEqual([attempts, reached, ended_at], [0, 1, now + 50 * second])
  })

  it("stands still when the credits are used up", () => {
    const { attempts, credits, is_completed } = ending(rest({ credits: 25 }), always("answered"))
    assert.deepStrictEqual([is_completed, attempts, credits], [false, 25, 25])
  })

  it("of many recipients, each standing for several, comes to about the same", () => {
    const config = { call_config: { call_retry_config: { retry_count: 1, retry_not_picked: 10 } } }
    for (const lines of [3, 7, 40]) {
      const given = rest({
        ...config,
        open: { waiting: waiting(12_000), calls: [] },
        lines,
        calls_per_minute: 70
      })
      const [whole, scaled] = [ending(given, defaultModel), ending(given, defaultModel, 6)]
      const close = (of: (each: Ending) => number, share: number) =>
        assert.closeTo(of(scaled) / of(whole), 1, share, `${lines}`)
      close(({ ended_at }) => ended_at - now, 0.05)
      close(({ reached }) => reached, 0.07)
      close(({ attempts }) => attempts, 0.03)
      close(({ credits }) => credits, 0.07)
    }
  })
})

describe("an agenda", () => {
  it.prop("has its things in the order of their times", [FastCheck.array(FastCheck.nat(50))], ([times]) => {
    const agenda = new Agenda<{ readonly at: number }>()
    for (const at of times) agenda.add({ at })
    const taken = times.map(() => agenda.take().at)
    assert.deepStrictEqual(
      taken,
      times.toSorted((a, b) => a - b)
    )
    assert.strictEqual(agenda.next, Infinity)
  })
})

describe("a pace", () => {
  it("lets as many be dialled in any span as it may, and no more", () => {
    const pace = new Pace(2, 1_000)
    for (const at of [0, 400]) {
      assert.isAtMost(pace.next, at)
      pace.dialled(at)
    }
    assert.strictEqual(pace.next, 1_000)
    pace.dialled(1_000)
    assert.strictEqual(pace.next, 1_400)
  })
})

describe("the lines of a campaign beside others", () => {
  const cases: ReadonlyArray<readonly [number, number, ReadonlyArray<number>, number]> = [
    [50, Infinity, [], 50],
    [50, 20, [], 20],
    [50, Infinity, [Infinity], 25],
    [50, Infinity, [5, Infinity], 22],
    [50, 10, [Infinity, Infinity], 10],
    [2, Infinity, [Infinity, Infinity, Infinity], 1]
  ]
  it.each(cases)("of %j, its own cap %j, beside %j: %j", (all, own, others, lines) => {
    assert.strictEqual(linesBeside(all, own, others), lines)
  })
})

describe("a forecast", () => {
  it("is kept while little has happened and nothing was changed", () => {
    const state = makeState(1)
    const counters = { ...state.counters, attempts: 1_000, pending: 1_000 }
    const made = { state: { ...state, counters }, at: now }
    const after = (attempts: number, at: number) =>
      holds(made, { ...state, counters: { ...counters, attempts } }, at)
    assert.isTrue(after(1_900, now + 14 * second))
    assert.isTrue(after(1_020, now + minute))
    assert.isFalse(after(1_200, now + minute))
    assert.isFalse(after(1_000, now + 5 * minute))
    const campaign = { ...state.campaign, updated_at: state.campaign.updated_at + 1 }
    assert.isFalse(holds(made, { campaign, counters }, now + second))
  })

  it("plays at most some hundred thousand dials, whatever the size of the campaign", () => {
    for (const recipients of [1, 5_000, 5_001, 20_001, 1_000_000]) {
      const { runs, scale } = sizeOf(recipients)
      assert.isAtMost(runs * (recipients / scale), 400_000)
    }
  })

  it("takes for the bounds of four in five what lies at the tenths of one more", () => {
    const nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert.deepStrictEqual(
      [0.1, 0.5, 0.9].map((chance) => predicted(nine, chance)),
      [1, 5, 9]
    )
    assert.strictEqual(predicted([7], 0.9), 7)
  })
})
