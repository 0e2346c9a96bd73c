import { Schema } from "effect"
import type { Channel } from "../agents/Channel.ts"
import { isoOrNull, isoTimestamp, JsonObject, Timestamp } from "../Codecs.ts"
import type { RawJson } from "../json/RawJson.ts"
import { memo } from "../Memo.ts"
import { maskNumber } from "../numbers/Masking.ts"
import type { CallConfig } from "./CallConfig.ts"

export const CallStatus = Schema.Literal(
  "queued",
  "ringing",
  "in_progress",
  "retry_scheduled",
  "completed",
  "failed",
  "cancelled"
)
export type CallStatus = typeof CallStatus.Type

export const Outcome = Schema.Literal(
  "answered",
  "busy",
  "no_answer",
  "voicemail",
  "sent",
  "delivered",
  "rejected",
  "failed",
  "cancelled",
  "unknown"
)
export type Outcome = typeof Outcome.Type

/** Why a call or an attempt came out as it did. */
export const SubStatus = Schema.Literal(
  "user_hangup",
  "agent_hangup",
  "idle_timeout",
  "max_call_length",
  "transferred",
  "agent_error",
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
  "carrier_error",
  "cancelled",
  "in_doubt"
)
export type SubStatus = typeof SubStatus.Type

export const CarrierError = Schema.Struct({
  carrier_code: Schema.String.annotations({ description: "The carrier's own error code" }),
  carrier_message: Schema.NullOr(Schema.String).annotations({
    description: "The carrier's own words, with numbers masked; null when it gave none"
  })
})
export type CarrierError = typeof CarrierError.Type

export const ErrorDetail = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  details: Schema.optionalWith(CarrierError, { exact: true }).annotations({
    description: "What the carrier said, when the call failed at the carrier"
  })
})
export type ErrorDetail = typeof ErrorDetail.Type

/** The call as its owner sees it. Source: contract, "Call record". */
export const CallRecord = Schema.Struct({
  call_id: Schema.String,
  customer_id: Schema.String,
  agent_id: Schema.String,
  status: CallStatus,
  outcome: Schema.NullOr(Outcome),
  sub_status: Schema.NullOr(SubStatus),
  error: Schema.NullOr(ErrorDetail),
  to_number_masked: Schema.String.annotations({
    description: "The destination, all but its last four digits masked"
  }),
  callee_name: Schema.NullOr(Schema.String),
  from_number: Schema.String.annotations({ description: "The E.164 number dialled from" }),
  from_phone_number_id: Schema.String,
  custom_variables: JsonObject,
  call_config: JsonObject,
  smart_formatter: JsonObject,
  metadata: Schema.NullOr(JsonObject).annotations({
    description: "As supplied on creation, byte for byte; null when none was supplied"
  }),
  scheduled_for: Schema.NullOr(Timestamp),
  attempt_count: Schema.Int,
  session_id: Schema.NullOr(Schema.String),
  agent_version: Schema.NullOr(Schema.Int).annotations({
    description:
      "The version of the agent that the last attempt talked with; null for an agent without versions"
  }),
  campaign_id: Schema.NullOr(Schema.String).annotations({ description: "Null for a single call" }),
  recipient_id: Schema.NullOr(Schema.String).annotations({ description: "Null for a single call" }),
  duration_seconds: Schema.Int.annotations({ description: "Seconds of talk, all attempts together" }),
  credits: Schema.Int.annotations({ description: "Credits charged for the talk so far" }),
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp)
}).annotations({ identifier: "Call" })
export type CallRecord = typeof CallRecord.Type

/** What the due-work loop may do with a call: dial it, watch it, or nothing any more. */
export type Phase = "waiting" | "live" | "done"

/**
 * A call. Fields that its record has too are spelled as there; times are epoch milliseconds; what the
 * customer supplied as JSON is kept as supplied.
 */
export interface Call {
  readonly call_id: string
  readonly customer_id: string
  readonly agent_id: string
  readonly status: CallStatus
  readonly outcome: Outcome | null
  readonly sub_status: SubStatus | null
  readonly error: ErrorDetail | null
  readonly to_number: string
  readonly callee_name: string | null
  readonly from_number: string
  readonly from_phone_number_id: string
  readonly custom_variables: RawJson | null
  readonly call_config: RawJson | null
  readonly smart_formatter: RawJson | null
  readonly metadata: RawJson | null
  readonly scheduled_for: number | null
  readonly attempt_count: number
  readonly session_id: string | null
  readonly agent_version: number | null
  readonly duration_seconds: number
  readonly credits: number
  readonly created_at: number
  readonly updated_at: number
  readonly completed_at: number | null

  /** A message is a call of its own kind: the same attempts, retries, windows and pace. */
  readonly channel: Channel
  readonly idempotency_key: string | null
  readonly campaign_id: string | null
  readonly recipient_id: string | null
  /** The attempt under way, or the last one. */
  readonly attempt_id: string | null
  /** `attempt_id` is committed but certain not to have reached the carrier: it is dialled under the same key. */
  readonly redial: boolean
  readonly cancel_requested: boolean
  /** Credits for a started minute, fixed when the call was placed. */
  readonly price_per_minute: number
  /** Credits put aside for the next attempt. */
  readonly credits_held: number
  readonly phase: Phase
  /** When the due-work loop has to look at the call; null once it is done. */
  readonly due_at: number | null
  /** What became of it so far; `Transition.ts` reads it. Null of a call that an earlier version has placed. */
  readonly transitions: string | null
  /** Grows by one with each update; every update is conditional on it. */
  readonly version: number
}

/** What a call is and stays: no update changes it, whatever the update says. */
export const fixed = [
  "call_id",
  "customer_id",
  "channel",
  "agent_id",
  "to_number",
  "callee_name",
  "from_number",
  "from_phone_number_id",
  "custom_variables",
  "smart_formatter",
  "metadata",
  "created_at",
  "idempotency_key",
  "campaign_id",
  "recipient_id",
  "price_per_minute"
] as const satisfies ReadonlyArray<keyof Call>

/** Outcomes that reached the callee. */
export const hasReached = (outcome: Outcome): boolean =>
  outcome === "answered" || outcome === "voicemail" || outcome === "sent" || outcome === "delivered"

/** The calls of a campaign have one configuration, or one for each of its time zones. */
const parsed = memo(512, (text: RawJson) => JSON.parse(text) as CallConfig)

const standard: CallConfig = {}

/** The parsed form of `call_config`, which was checked when the call was placed. */
export const configOf = ({ call_config: text }: Pick<Call, "call_config">): CallConfig =>
  text === null ? standard : parsed(text)

/** What of the call's record is not supplied as JSON. */
export const fieldsOf = (call: Call) => ({
  call_id: call.call_id,
  customer_id: call.customer_id,
  agent_id: call.agent_id,
  status: call.status,
  outcome: call.outcome,
  sub_status: call.sub_status,
  error: call.error,
  to_number_masked: maskNumber(call.to_number),
  callee_name: call.callee_name,
  from_number: call.from_number,
  from_phone_number_id: call.from_phone_number_id,
  scheduled_for: isoOrNull(call.scheduled_for),
  attempt_count: call.attempt_count,
  session_id: call.session_id,
  agent_version: call.agent_version,
  campaign_id: call.campaign_id,
  recipient_id: call.recipient_id,
  duration_seconds: call.duration_seconds,
  credits: call.credits,
  created_at: isoTimestamp(call.created_at),
  updated_at: isoTimestamp(call.updated_at),
  completed_at: isoOrNull(call.completed_at)
})

/** The call's record as JSON text, with everything that was supplied as JSON spliced in as supplied. */
export const toJson = (call: Call): string => {
  const own = JSON.stringify(fieldsOf(call))
  return (
    `${own.slice(0, -1)},"custom_variables":${call.custom_variables ?? "{}"}` +
    `,"call_config":${call.call_config ?? "{}"},"smart_formatter":${call.smart_formatter ?? "{}"}` +
    `,"metadata":${call.metadata ?? "null"}}`
  )
}
