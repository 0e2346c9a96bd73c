import type { Attempt } from "../calls/Attempt.ts"
import type { Call, Outcome } from "../calls/Call.ts"
import type { State } from "../calls/CallStep.ts"
import { RawJson } from "../json/RawJson.ts"
import type { CampaignState } from "./Campaign.ts"
import { type CampaignCounters, dueBy, moved } from "./CampaignCounters.ts"
import * as Machine from "./CampaignMachine.ts"
import * as Breaker from "./FailureBreaker.ts"
import type { FailureBreaker } from "./FailureBreaker.ts"
import type { Recipient, RecipientStatus } from "./Recipient.ts"

/** What a recipient is while its call is so. */
export const statusOf = (call: Call): RecipientStatus => {
  if (call.phase === "live") return "in_progress"
  if (call.phase === "waiting") return "retry_scheduled"
  if (call.status === "failed") return call.sub_status === "do_not_call" ? "skipped" : "failed"
  return call.status === "cancelled" ? "cancelled" : "completed"
}

/** A failure says something of the line, the list or the carrier. No answer or a busy line says nothing of them. */
const isFailure = (outcome: Outcome): boolean => outcome === "failed" || outcome === "unknown"

/** How an attempt has ended in this step; null if it has not. */
export const endedNow = (before: Attempt | null, after: Attempt | null): Outcome | null =>
  after === null || after.outcome === null || (before?.id === after.id && before.outcome !== null)
    ? null
    : after.outcome

/** Whether a step of a call means anything to its campaign. */
export const matters = (before: State | null, after: State): boolean =>
  before === null ||
  before.call.phase !== after.call.phase ||
  (after.call.phase === "waiting" && before.call.due_at !== after.call.due_at) ||
  endedNow(before.attempt, after.attempt) !== null

/** Whether a step begins an attempt. */
const begins = (before: State | null, { attempt }: State): boolean =>
  attempt !== null && attempt.id !== before?.attempt?.id

/** What a step says of the campaign's dials. */
const dialled = (
  counters: CampaignCounters,
  breaker: FailureBreaker,
  before: State | null,
  after: State
): CampaignCounters => {
  if (begins(before, after)) return Breaker.placed(counters, breaker)
  if (before === null || before.attempt === null) return counters
  const number = before.attempt.dial_number
  const outcome = endedNow(before.attempt, after.attempt)
  if (outcome !== null) return Breaker.ended(counters, number, isFailure(outcome))
  const [was, is] = [before.call.phase, after.call.phase]
  if (was === "live" && is === "waiting") return Breaker.notPlaced(counters, number)
  return was === "waiting" && is === "live" ? Breaker.placedAgain(counters, number) : counters
}

const counted = (
  counters: CampaignCounters,
  recipient: Recipient,
  before: State | null,
  after: State
): CampaignCounters => {
  const status = statusOf(after.call)
  const { call } = after
  return {
    ...(recipient.status === status ? counters : moved(counters, recipient.status, status)),
    attempts: counters.attempts + (begins(before, after) ? 1 : 0),
    answered: counters.answered + (call.phase === "done" && call.outcome === "answered" ? 1 : 0)
  }
}

/** When the loop has to look at the campaign because of the step. */
const dueAfter = ({ campaign, counters }: CampaignState, { call }: State, now: number): CampaignCounters => {
  if (campaign.status === "cancelled")
    return call.phase === "waiting" ? dueBy(counters, "tend", now) : counters
  if (campaign.status !== "running" || call.phase === "live") return counters
  // A slot is free now, and a retry will want one.
  return dueBy(counters, "dial", now)
}

/**
 * What a step of a recipient's call makes of the recipient and of its campaign: counters, circuit breaker,
 * completion. `before` is null for a call that begins with the step. `dial_number` is that of the attempt that
 * the step begins; null if it begins none.
 */
export const project = (
  { campaign, counters }: CampaignState,
  recipient: Recipient,
  before: State | null,
  after: State,
  now: number
): {
  readonly state: CampaignState
  readonly recipient: Recipient
  readonly dial_number: number | null
} => {
  const { call } = after
  const followed: Recipient = {
    ...recipient,
    status: statusOf(call),
    call_id: call.call_id,
    outcome:
      call.outcome === null
        ? recipient.outcome
        : RawJson(
            JSON.stringify({
              outcome: call.outcome,
              sub_status: call.sub_status,
              call_id: call.call_id,
              attempt_count: call.attempt_count
            })
          ),
    next_action_at: call.phase === "waiting" ? call.due_at : null,
    updated_at: now
  }
  const breaker = Breaker.breakerOf(campaign.failure_breaker)
  const next = dialled(counted(counters, recipient, before, after), breaker, before, after)
  const due: CampaignState = { campaign, counters: dueAfter({ campaign, counters: next }, after, now) }
  const stopped = Breaker.trips(next, breaker) ? Machine.pause(due, "failure_rate", now) : null
  const state = stopped ?? due
  return {
    state: Machine.complete(state, now) ?? state,
    recipient: followed,
    dial_number: begins(before, after) ? next.dials : null
  }
}
