import { Schema } from "effect"
import { isoOrNull, isoTimestamp, Timestamp } from "../Codecs.ts"

/** A recording of a session. Durations are seconds, sizes bytes. */
export const Recording = Schema.Struct({
  id: Schema.String,
  session_id: Schema.String,
  call_id: Schema.String,
  status: Schema.Literal("processing", "completed", "failed", "deleted").annotations({
    description: "`deleted`: the audio is gone, on request or since its time was over"
  }),
  track: Schema.Literal("mixed", "caller", "agent"),
  channels: Schema.Int,
  format: Schema.String,
  duration_seconds: Schema.Number,
  size_bytes: Schema.NullOr(Schema.Int),
  url: Schema.NullOr(Schema.String).annotations({
    description:
      "Where the audio is: a link that needs no key, made anew in each answer and good until `url_expires_at`, or " +
      "the carrier's own address, which needs the carrier's credentials and does not expire. A link of ours takes " +
      "GET, with ranges, and HEAD; one that is expired or altered is 403, one whose audio is gone 404"
  }),
  url_expires_at: Schema.NullOr(Timestamp),
  started_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotations({ identifier: "Recording" })

/**
 * `carrier_recording_id` is the carrier's name for it: one recording, one record, however often it is reported.
 * What is stored has the carrier's own address for a `url`, or null when the audio is given out here.
 */
export interface Recording extends Schema.Schema.Type<typeof Recording> {
  readonly customer_id: string
  readonly carrier_recording_id: string
}

/** The record as JSON, as its schema encodes it: an event tells of each recording, and the schema takes three times as long. */
export const toJson = (recording: Recording): string =>
  JSON.stringify({
    id: recording.id,
    session_id: recording.session_id,
    call_id: recording.call_id,
    status: recording.status,
    track: recording.track,
    channels: recording.channels,
    format: recording.format,
    duration_seconds: recording.duration_seconds,
    size_bytes: recording.size_bytes,
    url: recording.url,
    url_expires_at: isoOrNull(recording.url_expires_at),
    started_at: isoTimestamp(recording.started_at),
    completed_at: isoOrNull(recording.completed_at),
    created_at: isoTimestamp(recording.created_at)
  })

/** The record as customers see it, with a link to audio that the carrier does not give out itself. */
export const withLink = (recording: Recording, link: (recording: Recording) => RecordingLink): Recording => {
  if (recording.status !== "completed" || recording.url !== null) return recording
  const { expires_at, url } = link(recording)
  return { ...recording, url, url_expires_at: expires_at }
}

export const deleted = (recording: Recording): Recording => ({
  ...recording,
  status: "deleted",
  url: null,
  url_expires_at: null
})

export interface RecordingLink {
  /** Absolute. */
  readonly url: string
  /** Epoch milliseconds. */
  readonly expires_at: number
}
