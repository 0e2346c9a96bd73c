import { minute } from "../Codecs.ts"
import { hasReached, type Outcome, type SubStatus } from "./Call.ts"
import type { RetryConfig } from "./CallConfig.ts"

/** How an attempt ended. */
export interface Ended {
  readonly outcome: Outcome
  readonly sub_status: SubStatus | null
}

/** Whether an outcome ends a call: it reached the callee, was called off, or it is unknown whether it did. */
const isFinal = (outcome: Outcome): boolean =>
  hasReached(outcome) || outcome === "cancelled" || outcome === "unknown"

/** Reasons that another dial would meet again, or that forbid one. */
const finalReasons: ReadonlySet<SubStatus> = new Set([
  "invalid_number",
  "do_not_call",
  "destination_blocked",
  "agent_not_found",
  "agent_not_published",
  "agent_not_voice",
  "agent_not_msg",
  "template_not_found",
  "template_not_approved",
  "template_variable_missing",
  "phone_number_not_found",
  "insufficient_credits",
  "in_doubt",
  "cancelled"
])

const defaultDelay = 15

const delayAfter = (config: RetryConfig, outcome: Outcome): number => {
  if (outcome === "busy") return config.retry_busy ?? defaultDelay
  if (outcome === "no_answer") return config.retry_not_picked ?? defaultDelay
  return config.retry_failed ?? defaultDelay
}

/**
 * Milliseconds to wait before the next attempt, after `attempts_made` of them (the one that ended included);
 * null when there is none. `retry_count` attempts may follow the first, by default none; a delay that is not
 * given is 15 minutes. Source: contract, `call_retry_config`.
 */
export const nextDelay = (config: RetryConfig, ended: Ended, attempts_made: number): number | null => {
  if (isFinal(ended.outcome)) return null
  if (ended.sub_status !== null && finalReasons.has(ended.sub_status)) return null
  if (attempts_made > (config.retry_count ?? 0)) return null
  return delayAfter(config, ended.outcome) * minute
}
