import type { DialRefused, Progress } from "../ports/CallDialer.ts"
import { priceOf, release, settle } from "../workspaces/Ledger.ts"
import type { Attempt } from "./Attempt.ts"
import { type Call, configOf, type Outcome, type SubStatus } from "./Call.ts"
import { nextOpening } from "./CallingWindow.ts"
import { type Step, step, touch } from "./CallStep.ts"
import { nextDelay } from "./RetryPolicy.ts"

const plainWords: Partial<Record<SubStatus, string>> = {
  invalid_number: "the number does not exist",
  do_not_call: "the number is on the do-not-call list",
  destination_blocked: "the destination may not be called",
  agent_not_found: "no such agent",
  agent_not_published: "the agent is not published",
  agent_not_voice: "the agent is not a voice agent",
  phone_number_not_found: "the caller ID is no longer a phone number of the workspace",
  insufficient_credits: "insufficient credits",
  carrier_error: "the carrier could not complete the call",
  in_doubt: "the carrier cannot tell what became of the call"
}

export type Ended = Extract<Progress, { readonly _tag: "Ended" }>

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
export const fromRefusal = (refusal: DialRefused, at: number): Ended => ({
  ...ended(refusal.outcome, refusal.sub_status, at),
  error_code: refusal.code,
  error_message: refusal.message
})

const attemptStatus = (outcome: Outcome): Attempt["status"] =>
  outcome === "answered" || outcome === "voicemail"
    ? "completed"
    : outcome === "cancelled"
      ? "cancelled"
      : outcome === "unknown"
        ? "unknown"
        : "failed"

/** The end of an attempt: what it cost, and either the next attempt's time or the end of the call. */
export const end = (
  { attempt, call }: { readonly call: Call; readonly attempt: Attempt },
  progress: Ended,
  balance: number,
  now: number
): Step => {
  const bill = settle(call.credits_held, balance, priceOf(progress.duration_seconds, call.price_per_minute))
  const outcome = call.cancel_requested && progress.outcome !== "unknown" ? "cancelled" : progress.outcome
  const sub_status = outcome === "cancelled" ? "cancelled" : progress.sub_status
  const talked = attempt.answered_at !== null || outcome === "answered"
  const closedAttempt: Attempt = {
    ...attempt,
    status: attemptStatus(progress.outcome === "answered" ? "answered" : outcome),
    answered_at: talked ? (attempt.answered_at ?? progress.at) : null,
    completed_at: progress.at,
    outcome,
    sub_status,
    error_code: progress.error_code ?? (attemptStatus(outcome) === "failed" ? (sub_status ?? outcome) : null),
    error_message: progress.error_message ?? (sub_status === null ? null : (plainWords[sub_status] ?? null)),
    duration_seconds: progress.duration_seconds,
    credits: bill.charged,
    updated_at: now
  }
  const started =
    talked && attempt.answered_at === null
      ? [{ type: "call_started" as const, call: touch(call, now, { status: "in_progress" }) }]
      : []
  const settled = { ...call, credits_held: bill.held }
  const config = configOf(call)
  const delay = nextDelay(config.call_retry_config ?? {}, { outcome, sub_status }, attempt.attempt_number)
  if (delay !== null) {
    const due = config.call_time === undefined ? now + delay : nextOpening(config.call_time, now + delay)
    return step(
      {
        attempt: closedAttempt,
        call: touch(settled, now, {
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
  const closed = close(settled, outcome, sub_status, progress, now)
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
  outcome: Outcome,
  sub_status: SubStatus | null,
  progress: Ended | null,
  now: number
): Call => {
  const status =
    outcome === "answered" || outcome === "voicemail"
      ? "completed"
      : outcome === "cancelled"
        ? "cancelled"
        : "failed"
  return touch(call, now, {
    status,
    outcome,
    sub_status,
    error:
      status === "failed"
        ? {
            code: sub_status ?? outcome,
            message:
              progress?.error_message ??
              (sub_status === null ? undefined : plainWords[sub_status]) ??
              `the call ended without an answer: ${outcome}`
          }
        : null,
    scheduled_for: null,
    completed_at: now,
    phase: "done",
    due_at: null,
    redial: false,
    credits_held: 0
  })
}
