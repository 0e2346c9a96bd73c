import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { hour, second } from "../../../../core/model/Codecs.ts"
import { fateOf } from "../../../../core/model/simulation/Callee.ts"
import {
  CalleeModel,
  defaultModel,
  outcomes,
  type Rates
} from "../../../../core/model/simulation/CalleeModel.ts"
import { chanceOf } from "../../../../core/model/simulation/Chance.ts"
import { type Learned, nothingLearned } from "../../../../core/model/simulation/Learned.ts"
import { learn } from "../../../../core/model/simulation/Learning.ts"
import type { Observed, ObservedAttempts, ObservedTalks } from "../../../../core/model/simulation/Observed.ts"
import { drawn, likely } from "../../../../core/model/simulation/Posterior.ts"
import { spreadOf } from "../../../../core/model/simulation/Spread.ts"

const at = Date.UTC(2026, 2, 2)
const of = { campaign_id: "camp_1", since: null }

const attempt: ObservedAttempts = {
  campaign_id: "camp_1",
  timezone: null,
  call_config: null,
  at,
  is_retry: false,
  outcome: "answered",
  is_final: false,
  started_at: null,
  answered_at: null,
  count: 1,
  rang: 0
}

const truth: CalleeModel = {
  ...defaultModel,
  rates: Array.from({ length: 24 }, (_, h) => ({
    answered: h < 12 ? 0.5 : 0.7,
    voicemail: 0.05,
    no_answer: h < 12 ? 0.3 : 0.1,
    busy: 0.05,
    failed: 0.1
  })),
  talk: { median_seconds: 150, spread: 0.5 },
  voicemail: { median_seconds: 25, spread: 0.2 },
  answer_seconds: 10,
  ring_seconds: 45,
  // So that the rates of a retry sum to 1 at each hour.
  retry: { answered: 0.9, voicemail: 1, no_answer: 0.9, busy: 1.6, failed: 1.5 },
  final_failures: 0.4
}

/**
 * Calls of callees who behave so, in these hours: each is dialled once, and a second time. Those of the last seconds
 * are still under way.
 */
const observe = (
  model: CalleeModel,
  hours: ReadonlyArray<number>,
  each: number,
  cutAt = Infinity
): Observed => {
  const attempts: Array<ObservedAttempts> = []
  const talks: Array<ObservedTalks> = []
  const chance = chanceOf(11, "observed", 0)
  for (const h of hours) {
    for (let i = 0; i < each; i++) {
      const started_at = at + h * hour + i * second
      const is_retry = i % 2 === 1
      const fate = fateOf(model, h, 240, chance, is_retry ? 1 : 0)
      const is_open = started_at + fate.ended_after * second > cutAt
      const base = { ...attempt, at: at + h * hour, is_retry }
      if (is_open) {
        const answered = started_at + (fate.answered_after ?? Infinity) * second
        attempts.push({ ...base, outcome: null, started_at, answered_at: answered < cutAt ? answered : null })
        continue
      }
      attempts.push({
        ...base,
        outcome: fate.outcome,
        is_final: fate.sub_status === "invalid_number",
        rang: (fate.ended_after - fate.talk_seconds) * second
      })
      if (fate.outcome !== "answered" && fate.outcome !== "voicemail") continue
      const is_cut = fate.sub_status === "max_call_length"
      talks.push({ outcome: fate.outcome, seconds: fate.talk_seconds, is_cut, count: 1 })
    }
  }
  return { attempts, talks }
}

const all = Array.from({ length: 24 }, (_, h) => h)
const inUtc = () => "UTC"

describe("what calls say of callees", () => {
  it("is the default without any", () => {
    const learned = learn({ attempts: [], talks: [] }, of, inUtc, at)
    assert.deepStrictEqual(learned, { ...nothingLearned, ...of })
    assert.deepStrictEqual(likely(learned), defaultModel)
  })

  it("is how they behave, of many: by the hour, in their talks, at further attempts", () => {
    const learned = learn(observe(truth, all, 2_000), of, inUtc, at)
    const model = likely(learned)
    for (const h of [3, 9, 15, 21]) {
      for (const outcome of outcomes) {
        assert.closeTo(model.rates[h]![outcome], truth.rates[h]![outcome], 0.05, `${h} ${outcome}`)
      }
    }
    assert.closeTo(model.retry.answered, 0.9, 0.03)
    assert.closeTo(model.retry.failed, 1.5, 0.1)
    assert.closeTo(model.talk.median_seconds, 150, 4)
    assert.closeTo(model.talk.spread, 0.5, 0.04)
    assert.closeTo(model.voicemail.median_seconds, 25, 1)
    assert.closeTo(model.final_failures, 0.4, 0.03)
    assert.deepStrictEqual([model.answer_seconds, model.ring_seconds], [10, 45])
    assert.strictEqual(learned.attempts, 24 * 2_000)
    assert.strictEqual(learned.under_way, 0)
    const firsts = learned.first.map((counts) => Object.values(counts).reduce((a, b) => a + b))
    assert.deepStrictEqual(
      firsts,
      all.map(() => 1_000)
    )
  })

  it("is near to the default where there are few", () => {
    const one = likely(learn({ attempts: [attempt], talks: [] }, of, inUtc, at))
    assert.closeTo(one.rates[0]!.answered, defaultModel.rates[0]!.answered, 0.1)
    const six = likely(learn({ attempts: [{ ...attempt, count: 600 }], talks: [] }, of, inUtc, at))
    assert.isAbove(six.rates[0]!.answered, 0.95)
    // What is seen at one hour moves the hours of which nothing is seen.
    assert.isAbove(six.rates[12]!.answered, 0.7)
  })

  it("is by the hour of their own day, and leaves out calls whose callee could be anywhere", () => {
    const groups = [
      { ...attempt, timezone: "Asia/Kolkata", count: 3 },
      { ...attempt, timezone: "nowhere", count: 5 }
    ]
    const { attempts, first } = learn(
      { attempts: groups, talks: [] },
      of,
      ({ timezone }) => (timezone === "nowhere" ? null : timezone),
      at
    )
    assert.strictEqual(attempts, 3)
    assert.deepStrictEqual(
      first.flatMap(({ answered }, h) => (answered > 0 ? [[h, answered]] : [])),
      [[5, 3]]
    )
  })

  it("counts calls under way as what they may come to: to leave them out would favour short ones", () => {
    const cutAt = at + 240 * second
    const seen = observe(truth, [0], 240, cutAt)
    const ended = likely(
      learn({ ...seen, attempts: seen.attempts.filter((one) => one.outcome !== null) }, of, inUtc, cutAt)
    )
    const learned = learn(seen, of, inUtc, cutAt)
    const model = likely(learned)
    assert.isAbove(learned.under_way, 40)
    const whole = likely(learn(observe(truth, [0], 240), of, inUtc, at))
    const far = ({ rates }: CalleeModel) => Math.abs(rates[0]!.answered - whole.rates[0]!.answered)
    assert.isBelow(far(model), far(ended) / 2)
    assert.isBelow(Math.abs(model.talk.median_seconds - 150), Math.abs(ended.talk.median_seconds - 150))
  })

  it("takes a cut talk for one that would have gone on", () => {
    const talks = [
      { outcome: "answered", seconds: 60, is_cut: false, count: 50 },
      { outcome: "answered", seconds: 60, is_cut: true, count: 50 }
    ] as const
    const { talk } = learn({ attempts: [], talks }, of, inUtc, at)
    assert.strictEqual(talk.observations, 50)
    assert.isAbove(talk.median_seconds, 65)
  })

  it("is a model that can be given to a simulation, whatever was observed", () => {
    for (const count of [0, 1, 3, 1_000_000]) {
      const model = likely(
        learn({ attempts: [{ ...attempt, outcome: "busy", count }], talks: [] }, of, inUtc, at)
      )
      assert.isTrue(Either.isRight(Schema.encodeEither(CalleeModel)(model)), String(count))
    }
  })
})

describe("callees as they may be", () => {
  const learnedOf = (each: number) => learn(observe(truth, all, each), of, inUtc, at)

  it("are the same for the same seed, and differ the less the more is observed", () => {
    const [few, many] = [learnedOf(2), learnedOf(200)]
    assert.deepStrictEqual(drawn(few, 7), drawn(few, 7))
    assert.notDeepEqual(drawn(few, 7), drawn(few, 8))
    const parts: ReadonlyArray<(model: CalleeModel) => number> = [
      ({ rates }) => rates[9]!.answered,
      ({ talk }) => talk.median_seconds,
      ({ retry }) => retry.answered
    ]
    const draws = (learned: Learned) => Array.from({ length: 60 }, (_, seed) => drawn(learned, seed))
    const [ofFew, ofMany] = [draws(few), draws(many)]
    for (const pick of parts) {
      const [wide, narrow] = [spreadOf(ofFew.map(pick)), spreadOf(ofMany.map(pick))]
      const width = narrow.p90 - narrow.p10
      assert.isAbove(wide.p90 - wide.p10, 2 * width)
      assert.closeTo(narrow.mean, pick(likely(many)), width)
    }
  })

  it("are possible where an outcome was never seen in a great many calls", () => {
    const seen = { ...nothingLearned.first[0]!, answered: 2_000, no_answer: 2_000 }
    const hours = all.map(() => seen)
    const learned = { ...nothingLearned, first: hours, retries: hours }
    for (let seed = 1; seed <= 50; seed++) {
      const { rates, retry } = drawn(learned, seed)
      for (const factor of Object.values(retry)) assert.isTrue(factor >= 0 && factor <= 100, String(factor))
      for (const hour of rates) assert.closeTo(hour.answered, 0.5, 0.06)
    }
  })

  it("have rates that sum to 1", () => {
    const { rates } = drawn(nothingLearned, 1)
    const sumOf = (each: Rates) => Object.values(each).reduce((a, b) => a + b)
    for (const each of rates) assert.closeTo(sumOf(each), 1, 1e-9)
  })
})
