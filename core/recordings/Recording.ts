import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"

/** A recording of a session. Durations are seconds, sizes bytes. */
export const Recording = Schema.Struct({
  id: Schema.String,
  session_id: Schema.String,
  call_id: Schema.String,
  status: Schema.Literal("processing", "completed", "failed", "deleted"),
  track: Schema.Literal("mixed", "caller", "agent"),
  channels: Schema.Int,
  format: Schema.String,
  duration_seconds: Schema.Number,
  size_bytes: Schema.NullOr(Schema.Int),
  url: Schema.NullOr(Schema.String),
  url_expires_at: Schema.NullOr(Timestamp),
  started_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotations({ identifier: "Recording" })

/** `carrier_recording_id` is the carrier's name for it: one recording, one record, however often it is reported. */
export interface Recording extends Schema.Schema.Type<typeof Recording> {
  readonly customer_id: string
  readonly carrier_recording_id: string
}

export const encodeRecording = Schema.encodeSync(Recording)
