import { Schema } from "effect"
import { Talk } from "../../core/model/agents/Talk.ts"
import { Outcome, SubStatus } from "../../core/model/calls/Call.ts"

/** The carrier server's wire: the port's own shapes as JSON. */

const Seconds = Schema.NonNegative.pipe(Schema.finite())

export const DialBody = Schema.Struct({
  key: Schema.NonEmptyString,
  workspace_id: Schema.String,
  call_id: Schema.String,
  session_id: Schema.String,
  to_number: Schema.NonEmptyString,
  from_number: Schema.String,
  agent: Schema.Struct({
    agent_id: Schema.String,
    prompt: Schema.String,
    first_message: Schema.String,
    voice: Schema.String,
    language: Schema.String,
    interruptible: Talk.interruptible,
    voicemail: Talk.voicemail,
    transcription: Talk.transcription,
    speech: Talk.speech
  }),
  idle_timeout_warning: Seconds,
  idle_timeout_end: Seconds,
  max_call_length: Seconds
})

export const DialAnswer = Schema.Struct({ carrier_call_id: Schema.String })

export const HangUpBody = Schema.Struct({ workspace_id: Schema.String, key: Schema.String })

/** The body of a 4xx. Without an outcome it is a failure of the carrier. */
export const RefusalBody = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    outcome: Schema.optionalWith(Outcome, { default: () => "failed" }),
    sub_status: Schema.optionalWith(SubStatus, { default: () => "carrier_error" })
  })
})

const Recording = Schema.Struct({
  carrier_recording_id: Schema.String,
  track: Schema.Literal("mixed", "caller", "agent"),
  channels: Schema.Number,
  format: Schema.String,
  duration_seconds: Seconds,
  size_bytes: Schema.NullOr(Schema.Number),
  url: Schema.NullOr(Schema.String),
  started_at: Schema.Number
})

const at = Schema.Number

const ProgressBody = Schema.Union(
  Schema.TaggedStruct("Ringing", { at }),
  Schema.TaggedStruct("Answered", { at }),
  Schema.TaggedStruct("Ended", {
    at,
    outcome: Outcome,
    sub_status: Schema.NullOr(SubStatus),
    duration_seconds: Seconds,
    error_code: Schema.NullOr(Schema.String),
    error_message: Schema.NullOr(Schema.String)
  }),
  Schema.TaggedStruct("RecordingReady", { at, recording: Recording })
)

export const LookupAnswer = Schema.Union(
  Schema.TaggedStruct("Known", {
    carrier_call_id: Schema.String,
    progress: Schema.Array(ProgressBody)
  }),
  Schema.TaggedStruct("NeverReceived", {})
)

/** A line of the progress stream. `seq` only ever grows, also from one life of the server to the next. */
export const ProgressLine = Schema.Struct({
  seq: Schema.Number,
  workspace_id: Schema.String,
  key: Schema.String,
  progress: ProgressBody
})
