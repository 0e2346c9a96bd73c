import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { describe as told } from "../../../../core/model/Issues.ts"
import { type CalleeModel, defaultModel, type Rates } from "../../../../core/model/simulation/CalleeModel.ts"
import { modelFromJson } from "../../../../core/model/simulation/SimulationBody.ts"
import { fateOf } from "../../../../core/model/simulation/Callee.ts"
import { chanceOf } from "../../../../core/model/simulation/Chance.ts"
import { makeLocalHour } from "../../../../core/model/simulation/LocalHour.ts"

const outcomes = ["answered", "voicemail", "no_answer", "busy", "failed"] as const

const rates = FastCheck.array(FastCheck.integer({ min: 0, max: 100 }), { minLength: 5, maxLength: 5 })
  .filter((weights) => weights.some((weight) => weight > 0))
  .map((weights) => {
    const sum = weights.reduce((a, b) => a + b)
    return Object.fromEntries(outcomes.map((outcome, i) => [outcome, weights[i]! / sum])) as Rates
  })

const fates = (model: CalleeModel, hour: number, count: number, longest = 3_600) =>
  Array.from({ length: count }, (_, i) => fateOf(model, hour, longest, chanceOf(7, `+1${i}`, 0)))

describe("a callee", () => {
  it.prop(
    "comes out as often as the rates of the hour say",
    [rates, rates],
    ([night, day]) => {
      const model = {
        ...defaultModel,
        rates: Array.from({ length: 24 }, (_, hour) => (hour < 6 ? night : day))
      }
      for (const [hour, wanted] of [
        [3, night],
        [15, day]
      ] as const) {
        const drawn = fates(model, hour, 4_000)
        for (const outcome of outcomes) {
          const share = drawn.filter((fate) => fate.outcome === outcome).length / drawn.length
          assert.closeTo(share, wanted[outcome], 0.045, outcome)
          if (wanted[outcome] === 0) assert.strictEqual(share, 0)
        }
      }
    },
    { fastCheck: { numRuns: 25 } }
  )

  it.prop(
    "never talks longer than it may, and says why it ended",
    [FastCheck.integer({ min: 1, max: 300 })],
    ([longest]) => {
      for (const fate of fates(defaultModel, 18, 300, longest)) {
        assert.isAtMost(fate.talk_seconds, longest)
        if (fate.sub_status === "max_call_length") assert.strictEqual(fate.talk_seconds, longest)
        if (fate.answered_after === null) assert.strictEqual(fate.talk_seconds, 0)
        else assert.strictEqual(fate.ended_after, fate.answered_after + fate.talk_seconds)
        assert.isTrue(Number.isInteger(fate.ended_after) && fate.ended_after > 0)
      }
    }
  )

  it("talks half of the time less than the median", () => {
    const talks = fates(defaultModel, 18, 20_000).filter(({ outcome }) => outcome === "answered")
    const below = talks.filter(({ talk_seconds }) => talk_seconds < defaultModel.talk.median_seconds)
    assert.closeTo(below.length / talks.length, 0.5, 0.02)
  })

  it.prop(
    "is the same for the same seed, number and try, whatever was drawn before",
    [FastCheck.nat(), FastCheck.string(), FastCheck.nat(9)],
    ([seed, number, turn]) => {
      const draw = () => fateOf(defaultModel, 12, 600, chanceOf(seed, number, turn))
      const first = draw()
      fates(defaultModel, 1, 3)
      assert.deepStrictEqual(draw(), first)
    }
  )

  it("has chances of its own at each try and for each seed", () => {
    const drawn = [chanceOf(1, "+1", 0), chanceOf(1, "+1", 1), chanceOf(2, "+1", 0), chanceOf(1, "+2", 0)]
    assert.strictEqual(new Set(drawn.map((chance) => chance())).size, 4)
  })

  it("has its day where it is", () => {
    const hourOf = makeLocalHour()
    const at = Date.UTC(2026, 6, 1, 22, 40)
    assert.deepStrictEqual(
      ["UTC", "Europe/Paris", "Asia/Kolkata", "America/New_York", "UTC"].map((zone) => hourOf(zone, at)),
      [22, 0, 4, 18, 22]
    )
  })
})

describe("a model", () => {
  const issues = (model: unknown) =>
    Either.match(modelFromJson(JSON.stringify(model)), {
      onLeft: (found) => found.map(told),
      onRight: () => []
    })

  it("is the default where it says nothing", () => {
    assert.deepStrictEqual(modelFromJson("{}"), Either.right({}))
    assert.deepStrictEqual(issues(defaultModel), [])
    const ring = Either.getOrThrow(modelFromJson('{"ring_seconds":45}'))
    assert.deepStrictEqual(ring, { ring_seconds: 45 })
  })

  const one = { answered: 0.5, voicemail: 0.5, no_answer: 0, busy: 0, failed: 0 }
  const wrong: ReadonlyArray<readonly [unknown, string]> = [
    [{ rates: [{ ...one, busy: 0.1 }] }, "rates.0 the rates of an hour must sum to 1"],
    [{ rates: [{ ...one, answered: 1.5 }] }, "rates.0.answered must be a number from 0 to 1"],
    [{ rates: [one, one] }, "rates must have one element, or one for each of 24 hours"],
    [
      { talk: { median_seconds: 0, spread: 1 } },
      "talk.median_seconds must be a whole number of seconds from 1 to 3600"
    ],
    [{ talk: { median_seconds: 60, spread: 9 } }, "talk.spread must be a number from 0 to 3"],
    [{ ring_seconds: 300 }, "ring_seconds must be a whole number of seconds from 1 to 110"],
    [{ mood: "good" }, "mood is not permitted"],
    [[], "the body must be a JSON object"]
  ]
  it.each(wrong)("is refused with the field and the rule: %j", (model, message) => {
    assert.deepStrictEqual(issues(model), [message])
  })
})
