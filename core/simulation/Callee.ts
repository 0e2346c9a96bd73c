import type { Outcome, SubStatus } from "../model/calls/Call.ts"
import type { CalleeModel, Rates } from "../model/simulation/CalleeModel.ts"
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

/** In the order in which a dial's chance passes them. */
const outcomes = ["answered", "voicemail", "no_answer", "busy", "failed"] as const

const outcomeOf = (rates: Rates, chance: number): Fate["outcome"] => {
  let passed = 0
  for (const outcome of outcomes) {
    passed += rates[outcome]
    if (chance < passed) return outcome
  }
  return outcomes.findLast((outcome) => rates[outcome] > 0)!
}

const busyTone = 2

/** What comes of a dial that starts in an hour (0 to 23) of the callee's day and lasts `max_call_length` seconds at most. */
export const fateOf = (model: CalleeModel, hour: number, max_call_length: number, chance: Chance): Fate => {
  const outcome = outcomeOf(model.rates[hour % model.rates.length]!, chance())
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
    sub_status: outcome === "failed" ? "carrier_error" : null,
    answered_after: null,
    ended_after: outcome === "no_answer" ? model.ring_seconds : busyTone,
    talk_seconds: 0
  }
}
