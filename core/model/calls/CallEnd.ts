import { minute } from "../Codecs.ts"
import { priceOf, release, settle } from "../workspaces/Ledger.ts"
import type { Attempt } from "./Attempt.ts"
import { type Call, configOf, type ErrorDetail, hasReached, type Outcome, type SubStatus } from "./Call.ts"
import { nextOpening } from "./CallingWindow.ts"
import { move, step, type Step } from "./CallStep.ts"
import type { Ended, Refusal } from "./CarrierProgress.ts"
import { nextDelay } from "./RetryPolicy.ts"
import type { TransitionCause } from "./Transition.ts"

const plainWords: Partial<Record<SubStatus, string>> = {
  invalid_number: "the number does not exist",
  do_not_call: "the number is on the do-not-call list",
  destination_blocked: "the destination may not be called",
  agent_not_found: "no such agent",
  agent_not_published: "the agent is not published",
  agent_not_voice: "the agent is not a voice agent",
  agent_not_msg: "the agent is not a messaging agent",
  template_not_found: "no such message template",
  template_not_approved: "the message template is not approved",
  template_variable_missing: "the recipient has nothing for a placeholder of the message template",
  phone_number_not_found: "the caller ID is no longer a phone number of the workspace",
  insufficient_credits: "insufficient credits",
  carrier_error: "the carrier could not complete the call",
  in_doubt: "the carrier cannot tell what became of the call"
}

/** What is said otherwise of a message. */
const ofMessages: Partial<Record<SubStatus, string>> = {
  destination_blocked: "the destination may not be written to",
  phone_number_not_found: "the sender is no longer a phone number of the workspace",
  carrier_error: "the provider could not deliver the message",
  in_doubt: "the provider cannot tell what became of the message"
}

const wordsOf = (call: Call, sub_status: SubStatus): string | null =>
  (call.channel === "msg" ? ofMessages[sub_status] : undefined) ?? plainWords[sub_status] ?? null

export const ended = (outcome: Outcome, sub_status: SubStatus | null, at: number): Ended => ({
  _tag: "Ended",
  at,
  outcome,
  sub_status,
  duration_seconds: 0,
  error_code: null,
  error_message: null
})

/** A carrier's refusal of a dial, as the end of the attempt. */
export const fromRefusal = (refusal: Refusal, at: number): Ended => ({
  ...ended(refusal.outcome, refusal.sub_status, at),
  error_code: refusal.code,
  error_message: refusal.message,
  ...(refusal.carrier_message !== undefined && { carrier_message: refusal.carrier_message })
})

/** What the carrier itself says of a failure; nothing when the failure is not the carrier's. */
const carrierError = (progress: Ended | null): Pick<ErrorDetail, "details"> => {
  if (progress === null || progress.error_code === null) return {}
  const { carrier_message = progress.error_message, error_code } = progress
  return { details: { carrier_code: error_code, carrier_message } }
}

const attemptStatus = (outcome: Outcome): Attempt["status"] =>
  hasReached(outcome)
    ? "completed"
    : outcome === "cancelled"
      ? "cancelled"
      : outcome === "unknown"
        ? "unknown"
        : "failed"

/** What an attempt that ended so costs: the started minutes of a call, a message that was sent. */
export const costOf = (call: Call, { duration_seconds, outcome }: Ended): number =>
  call.channel === "voice"
    ? priceOf(duration_seconds, call.price_per_minute)
    : hasReached(outcome)
      ? call.price_per_minute
      : 0

/** A recording is ready a few seconds after its call, and a carrier tells of it for some minutes until it is heard. */
const recordedWithin = 10 * minute

/** The end of an attempt: what it cost, and either the next attempt's time or the end of the call. */
export const end = (
  { attempt, call }: { readonly call: Call; readonly attempt: Attempt },
  progress: Ended,
  balance: number,
  now: number
): Step => {
  const bill = settle(call.credits_held, balance, costOf(call, progress))
  const outcome = call.cancel_requested && progress.outcome !== "unknown" ? "cancelled" : progress.outcome
  const sub_status = outcome === "cancelled" ? "cancelled" : progress.sub_status
  const talked = attempt.answered_at !== null || outcome === "answered"
  const closedAttempt: Attempt = {
    ...attempt,
    status: attemptStatus(progress.outcome === "answered" ? "answered" : outcome),
    answered_at: talked ? Math.min(attempt.answered_at ?? progress.at, progress.at) : null,
    completed_at: progress.at,
    outcome,
    sub_status,
    error_code: progress.error_code ?? (attemptStatus(outcome) === "failed" ? (sub_status ?? outcome) : null),
    error_message:
      progress.carrier_message ??
      progress.error_message ??
      (sub_status === null ? null : wordsOf(call, sub_status)),
    duration_seconds: progress.duration_seconds,
    credits: bill.charged,
    updated_at: now
  }
  const answered =
    talked && attempt.answered_at === null ? move(call, now, "answered", { status: "in_progress" }) : null
  const started = answered === null ? [] : [{ type: "call_started" as const, call: answered }]
  const talkedOn: Call = {
    ...(answered ?? call),
    duration_seconds: call.duration_seconds + progress.duration_seconds,
    credits: call.credits + bill.charged
  }
  const config = configOf(call)
  const delay = nextDelay(config.call_retry_config ?? {}, { outcome, sub_status }, attempt.attempt_number)
  if (delay !== null) {
    const due = config.call_time === undefined ? now + delay : nextOpening(config.call_time, now + delay)
    return step(
      {
        attempt: closedAttempt,
        call: move(talkedOn, now, "attempt_ended", {
          credits_held: bill.held,
          status: "retry_scheduled",
          outcome,
          sub_status,
          phase: "waiting",
          due_at: due,
          scheduled_for: due
        })
      },
      { events: started, movements: bill.movements }
    )
  }
  const closed = close(talkedOn, { outcome, sub_status, cause: "attempt_ended" }, progress, now)
  return step(
    { attempt: closedAttempt, call: closed },
    {
      events: [...started, { type: "call_completed", call: closed }],
      movements: [...bill.movements, ...release(bill.held)]
    }
  )
}

/** The end of a call for good. What is still held has to be released beside it. */
export const close = (
  call: Call,
  {
    cause,
    outcome,
    sub_status
  }: {
    readonly outcome: Outcome
    readonly sub_status: SubStatus | null
    readonly cause: TransitionCause
  },
  progress: Ended | null,
  now: number
): Call => {
  const status = hasReached(outcome) ? "completed" : outcome === "cancelled" ? "cancelled" : "failed"
  return move(call, now, cause, {
    status,
    outcome,
    sub_status,
    error:
      status === "failed"
        ? {
            code: sub_status ?? outcome,
            message:
              progress?.error_message ??
              (sub_status === null ? null : wordsOf(call, sub_status)) ??
              `the call ended without an answer: ${outcome}`,
            ...carrierError(progress)
          }
        : null,
    scheduled_for: null,
    completed_at: now,
    phase: "done",
    due_at: progress?.recorded === true ? now + recordedWithin : null,
    redial: false,
    credits_held: 0
  })
}
