import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import { type Call, CallStatus, Outcome, SubStatus } from "./Call.ts"

export const TransitionCause = Schema.Literal(
  "placed",
  "outside_window",
  "dialled",
  "not_received",
  "ringing",
  "answered",
  "sent",
  "cancel_requested",
  "attempt_ended",
  "refused",
  "cancelled"
)
export type TransitionCause = typeof TransitionCause.Type

/** A step of a call: what it became, when, and why. */
export const Transition = Schema.Struct({
  at: Timestamp,
  cause: TransitionCause.annotations({
    description:
      "`outside_window`: put off until its calling window opens. `dialled`: handed to the carrier. `not_received`: the " +
      "carrier never got it, and it is dialled again. `attempt_ended`: `outcome` and `sub_status` tell how. `refused`: " +
      "not dialled, for the reason of `sub_status`"
  }),
  status: CallStatus,
  attempt_number: Schema.NullOr(Schema.Int),
  outcome: Schema.NullOr(Outcome),
  sub_status: Schema.NullOr(SubStatus),
  scheduled_for: Schema.NullOr(Timestamp)
}).annotations({ identifier: "CallTransition" })
export type Transition = typeof Transition.Type

type Noted = readonly [
  at: number,
  cause: TransitionCause,
  status: CallStatus,
  attempt_number?: number | null,
  outcome?: Outcome | null,
  sub_status?: SubStatus | null,
  scheduled_for?: number | null
]

/** What a transition tells of a call. */
export type Told = Pick<Call, "attempt_count" | "outcome" | "scheduled_for" | "status" | "sub_status">

/** Characters that the transitions of one call may take. A call that needs more loses its oldest. */
const most = 8_000

/**
 * The transitions of a call with one more, which made it what it is. They are kept as text in the call's own row, which
 * every transition writes anyway.
 */
export const noted = (
  before: string | null,
  { attempt_count, outcome, scheduled_for, status, sub_status }: Told,
  cause: TransitionCause,
  at: number
): string => {
  const whole = [
    at,
    cause,
    status,
    attempt_count === 0 ? null : attempt_count,
    outcome,
    sub_status,
    scheduled_for
  ]
  const text = JSON.stringify(whole.slice(0, whole.findLastIndex((value) => value !== null) + 1))
  if (before === null) return text
  return `${before.length > most ? before.slice(before.indexOf("],[") + 2) : before},${text}`
}

/** Oldest first. Of a call that an earlier version has placed, those since. */
export const transitionsOf = ({ transitions }: Pick<Call, "transitions">): ReadonlyArray<Transition> =>
  (JSON.parse(`[${transitions ?? ""}]`) as ReadonlyArray<Noted>).map(
    ([
      at,
      cause,
      status,
      attempt_number = null,
      outcome = null,
      sub_status = null,
      scheduled_for = null
    ]) => ({ at, cause, status, attempt_number, outcome, sub_status, scheduled_for })
  )
