import { Schema } from "effect"
import { Channel } from "../agents/Channel.ts"
import { Timestamp } from "../Codecs.ts"
import { Outcome, SubStatus } from "./Call.ts"

export const AttemptStatus = Schema.Literal(
  "scheduled",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
  "unknown"
)
export type AttemptStatus = typeof AttemptStatus.Type

/** One dial, or one message sent. Source: contract, "Attempt". */
export const AttemptRecord = Schema.Struct({
  id: Schema.String,
  call_id: Schema.String,
  campaign_id: Schema.NullOr(Schema.String),
  recipient_id: Schema.NullOr(Schema.String),
  session_id: Schema.String,
  channel: Channel,
  attempt_number: Schema.Int,
  status: AttemptStatus,
  scheduled_for: Timestamp,
  started_at: Schema.NullOr(Timestamp),
  completed_at: Schema.NullOr(Timestamp),
  provider_message_id: Schema.NullOr(Schema.String),
  error_code: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String),
  from_number: Schema.String,
  result: Schema.Struct({ outcome: Schema.NullOr(Outcome) }),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Attempt" })
export type AttemptRecord = typeof AttemptRecord.Type

/** An attempt as its call shows it. */
export const CallAttemptRecord = Schema.Struct({
  ...AttemptRecord.fields,
  answered_at: Schema.NullOr(Timestamp),
  result: Schema.Struct({ outcome: Schema.NullOr(Outcome), sub_status: Schema.NullOr(SubStatus) }),
  carrier_call_id: Schema.NullOr(Schema.String).annotations({
    description: "What the carrier calls it; null before that is known"
  }),
  agent_version: Schema.NullOr(Schema.Int),
  duration_seconds: Schema.Number.annotations({ description: "Seconds of talk" }),
  credits: Schema.Int.annotations({ description: "Credits charged" })
}).annotations({ identifier: "CallAttempt" })
export type CallAttemptRecord = typeof CallAttemptRecord.Type

/** What the attempts of a call come to. */
export interface Spent {
  readonly attempts: number
  /** Seconds of talk. */
  readonly duration_seconds: number
  readonly credits: number
}

/** `id` is the key under which the carrier knows the dial: one attempt, one key, at most one dial. */
export interface Attempt {
  readonly id: string
  readonly customer_id: string
  readonly call_id: string
  readonly campaign_id: string | null
  readonly recipient_id: string | null
  readonly session_id: string
  readonly channel: Channel
  readonly attempt_number: number
  /** Its number among the attempts of its campaign, in the order of dialling, from 1; null of a call of no campaign. */
  readonly dial_number: number | null
  readonly status: AttemptStatus
  readonly scheduled_for: number
  readonly started_at: number | null
  readonly answered_at: number | null
  readonly completed_at: number | null
  /** What the carrier, or the provider of messages, calls it; null before that is known. */
  readonly carrier_call_id: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly from_number: string
  readonly outcome: Outcome | null
  readonly sub_status: SubStatus | null
  /** Seconds of talk. */
  readonly duration_seconds: number
  /** Credits charged. */
  readonly credits: number
  /** The version of the agent that it was dialled with; null for an agent without versions, and of a message. */
  readonly agent_version: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** What an attempt is and stays. */
export const fixed = [
  "id",
  "customer_id",
  "call_id",
  "campaign_id",
  "recipient_id",
  "session_id",
  "channel",
  "attempt_number",
  "dial_number",
  "agent_version",
  "created_at"
] as const satisfies ReadonlyArray<keyof Attempt>

export const toRecord = (attempt: Attempt): AttemptRecord => ({
  ...attempt,
  provider_message_id: attempt.channel === "msg" ? attempt.carrier_call_id : null,
  result: { outcome: attempt.outcome }
})

export const toCallRecord = (attempt: Attempt): CallAttemptRecord => ({
  ...toRecord(attempt),
  ...attempt,
  result: { outcome: attempt.outcome, sub_status: attempt.sub_status }
})
