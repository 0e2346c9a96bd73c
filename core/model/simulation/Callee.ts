import type { Outcome, SubStatus } from "../calls/Call.ts"
import { type CalleeModel, outcomes, type Rates } from "./CalleeModel.ts"
import { between, type Chance, logNormal } from "./Chance.ts"

/** What comes of one dial. Times are whole seconds, counted from the dial. */
export interface Fate {
  readonly outcome: Extract<Outcome, keyof Rates>
  readonly sub_status: SubStatus | null
  /** Null when the callee does not pick up. */
  readonly answered_after: number | null
  readonly ended_after: number
  readonly talk_seconds: number
}

/** How many times as often each outcome comes; null: as often as the rates say. */
type Weights = CalleeModel["retry"] | null

/** What comes of a dial whose chance is `chance`. Where all that is possible has the weight 0, nothing is weighed. */
const outcomeOf = (rates: Rates, weights: Weights, chance: number): Fate["outcome"] => {
  let sum = 1
  if (weights !== null) {
    sum = 0
    for (const outcome of outcomes) sum += rates[outcome] * weights[outcome]
    if (sum === 0) return outcomeOf(rates, null, chance)
  }
  let passed = 0
  for (const outcome of outcomes) {
    passed += rates[outcome] * (weights?.[outcome] ?? 1)
    if (chance * sum < passed) return outcome
  }
  return outcomes.findLast((outcome) => rates[outcome] * (weights?.[outcome] ?? 1) > 0)!
}

const failureOf = ({ final_failures }: CalleeModel, chance: Chance): SubStatus =>
  final_failures > 0 && chance() < final_failures ? "invalid_number" : "carrier_error"

/** Seconds that a dial lasts which finds the line busy, or fails. */
export const busyTone = 2

/**
 * What comes of a dial that starts in an hour (0 to 23) of the callee's day and lasts `max_call_length` seconds at most.
 * `before` is how often the callee was dialled before.
 */
export const fateOf = (
  model: CalleeModel,
  hour: number,
  max_call_length: number,
  chance: Chance,
  before = 0
): Fate => {
  const rates = model.rates[hour % model.rates.length]!
  const outcome = outcomeOf(rates, before === 0 ? null : model.retry, chance())
  if (outcome === "answered" || outcome === "voicemail") {
    const spell = outcome === "answered" ? model.talk : model.voicemail
    const wanted = Math.max(1, Math.round(logNormal(chance, spell.median_seconds, spell.spread)))
    const talk_seconds = Math.min(wanted, max_call_length)
    const answered_after = between(chance, 1, model.answer_seconds)
    const cut = wanted > max_call_length
    return {
      outcome,
      sub_status: cut ? "max_call_length" : outcome === "answered" ? "user_hangup" : "agent_hangup",
      answered_after,
      ended_after: answered_after + talk_seconds,
      talk_seconds
    }
  }
  return {
    outcome,
    sub_status: outcome === "failed" ? failureOf(model, chance) : null,
    answered_after: null,
    ended_after: outcome === "no_answer" ? model.ring_seconds : busyTone,
    talk_seconds: 0
  }
}
