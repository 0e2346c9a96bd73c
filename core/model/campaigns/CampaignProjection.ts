import type { Attempt } from "../calls/Attempt.ts"
import type { Call, Outcome } from "../calls/Call.ts"
import type { State } from "../calls/CallStep.ts"
import { RawJson } from "../json/RawJson.ts"
import type { CampaignState } from "./Campaign.ts"
import { type CampaignCounters, dueBy, moved } from "./CampaignCounters.ts"
import * as Machine from "./CampaignMachine.ts"
import type { Recipient, RecipientStatus } from "./Recipient.ts"

/** Dials that the circuit breaker looks at, and how many of them may have failed. Source: design, "Campaign". */
const breakerWindow = 20
const mostFailures = breakerWindow / 2

/** What a recipient is while its call is so. */
export const statusOf = (call: Call): RecipientStatus => {
  if (call.phase === "live") return "in_progress"
  if (call.phase === "waiting") return "retry_scheduled"
  if (call.status === "failed") return call.sub_status === "do_not_call" ? "skipped" : "failed"
  return call.status === "cancelled" ? "cancelled" : "completed"
}

/** Dials that say something of the line, the list or the carrier; nobody at home or a busy line says nothing. */
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

const counted = (
  counters: CampaignCounters,
  recipient: Recipient,
  before: State | null,
  after: State
): CampaignCounters => {
  const status = statusOf(after.call)
  const { attempt, call } = after
  const ended = endedNow(before?.attempt ?? null, attempt)
  return {
    ...(recipient.status === status ? counters : moved(counters, recipient.status, status)),
    attempts: counters.attempts + (attempt !== null && attempt.id !== before?.attempt?.id ? 1 : 0),
    answered: counters.answered + (call.phase === "done" && call.outcome === "answered" ? 1 : 0),
    recent:
      ended === null
        ? counters.recent
        : `${counters.recent}${isFailure(ended) ? "f" : "."}`.slice(-breakerWindow)
  }
}

const trips = ({ recent }: CampaignCounters): boolean =>
  recent.length === breakerWindow && recent.split("f").length - 1 > mostFailures

/** When the loop has to look at the campaign because of the step. */
const wakened = ({ campaign, counters }: CampaignState, { call }: State, now: number): CampaignCounters => {
  if (campaign.status === "cancelled")
    return call.phase === "waiting" ? dueBy(counters, "tend", now) : counters
  if (campaign.status !== "running" || call.phase === "live") return counters
  // A slot is free now, and a retry will want one.
  return dueBy(counters, "dial", now)
}

/**
 * What a step of a recipient's call makes of the recipient and of its campaign: counters, circuit breaker,
 * completion. `before` is null for a call that begins with the step.
 */
export const project = (
  { campaign, counters }: CampaignState,
  recipient: Recipient,
  before: State | null,
  after: State,
  now: number
): { readonly state: CampaignState; readonly recipient: Recipient } => {
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
  const next: CampaignState = { campaign, counters: counted(counters, recipient, before, after) }
  const awake: CampaignState = { campaign, counters: wakened(next, after, now) }
  const stopped = trips(awake.counters) ? Machine.pause(awake, "failure_rate", now) : null
  const state = stopped ?? awake
  return { state: Machine.complete(state, now) ?? state, recipient: followed }
}
