import { Clock, type Duration, Effect, Option } from "effect"
import type { CarrierRecording, Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { CarrierUnreachable, LookupFailed } from "../../core/ports/CallDialer.ts"
import { failures } from "./CallSearch.ts"
import { secondsOf, timeOf } from "./Progress.ts"
import type { RestApi } from "./RestApi.ts"
import { decodeRecordingPage } from "./Wire.ts"

const tracks = { inbound: "caller", outbound: "agent", both: "mixed" } as const
const isTrack = (text: string): text is keyof typeof tracks => Object.hasOwn(tracks, text)

/** A recording as Twilio tells of it, in a callback or in a list. */
export interface Told {
  readonly sid: string
  readonly duration_seconds: number
  readonly track: string | null
  readonly channels: number
  /** RFC 2822. */
  readonly start_time: string | null
}

/** The audio is given out here, with the account's credentials. `dialled_at` and `now` are epoch milliseconds. */
export const recordingOf = (
  { channels, duration_seconds, sid, start_time, track }: Told,
  dialled_at: number,
  now: number
): CarrierRecording => {
  const earliest = Math.max(dialled_at, now - 1_000 * duration_seconds)
  return {
    carrier_recording_id: sid,
    track: track !== null && isTrack(track) ? tracks[track] : "mixed",
    channels: Math.max(1, channels),
    format: "wav",
    duration_seconds,
    size_bytes: null,
    url: null,
    started_at: start_time === null ? earliest : timeOf(start_time, dialled_at, now)
  }
}

/** Finds what was recorded of a call that is over. A callback that told of it may have been lost. */
export const make =
  (api: RestApi, timeout: Duration.DurationInput) =>
  (
    sid: string,
    dialled_at: number
  ): Effect.Effect<ReadonlyArray<Progress>, LookupFailed | CarrierUnreachable> =>
    Effect.gen(function* () {
      const url = api.at(`/Calls/${encodeURIComponent(sid)}/Recordings.json`)
      const { status, text } = yield* Effect.mapError(api.get(url, timeout), failures.unheard)
      const page = status === 200 ? decodeRecordingPage(text) : Option.none()
      if (Option.isNone(page)) return yield* failures.untold(status)
      const now = yield* Clock.currentTimeMillis
      return page.value.recordings
        .filter(({ status }) => status === "completed")
        .map(({ channels, duration, sid, start_time, track }) => {
          const told = {
            sid,
            track,
            start_time,
            duration_seconds: secondsOf(duration),
            channels: secondsOf(channels)
          }
          return { _tag: "RecordingReady", at: now, recording: recordingOf(told, dialled_at, now) }
        })
    })
