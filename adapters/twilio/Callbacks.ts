import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import { dialRequest } from "../../core/model/calls/DialDecision.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { type CallbackAnswer, type CallbackRequest, CarrierCallbacks } from "../shared/CarrierCallbacks.ts"
import * as CallbackUrls from "./CallbackUrls.ts"
import { KnownCalls } from "./KnownCalls.ts"
import { progressOf, secondsOf, timeOf } from "./Progress.ts"
import * as Signature from "./Signature.ts"

export interface Options {
  readonly authToken: Redacted.Redacted
  readonly publicUrl: string
}

const one = (fields: Signature.Fields, name: string): string | null => fields.get(name)?.[0] || null

const codeOf = (text: string | null) => (text !== null && /^\d{3,6}$/.test(text) ? Number(text) : null)

const statusOf = (
  fields: Signature.Fields,
  { dialled_at, max_call_length }: CallbackUrls.Dialled,
  now: number
): ReadonlyArray<Progress> =>
  progressOf({
    status: one(fields, "CallStatus") ?? "",
    answered_by: one(fields, "AnsweredBy"),
    duration_seconds: secondsOf(one(fields, "CallDuration")),
    max_call_length,
    error_code: codeOf(one(fields, "ErrorCode")),
    error_message: one(fields, "ErrorMessage"),
    sip_code: codeOf(one(fields, "SipResponseCode")),
    at: timeOf(one(fields, "Timestamp"), dialled_at, now),
    dialled_at
  })

const tracks = { inbound: "caller", outbound: "agent", both: "mixed" } as const
const isTrack = (text: string): text is keyof typeof tracks => Object.hasOwn(tracks, text)

const recordingOf = (
  fields: Signature.Fields,
  { dialled_at }: CallbackUrls.Dialled,
  now: number
): ReadonlyArray<Progress> => {
  const carrier_recording_id = one(fields, "RecordingSid")
  if (carrier_recording_id === null || one(fields, "RecordingStatus") !== "completed") return []
  const duration_seconds = secondsOf(one(fields, "RecordingDuration"))
  const track = one(fields, "RecordingTrack") ?? "both"
  const earliest = Math.max(dialled_at, now - 1_000 * duration_seconds)
  const started = one(fields, "RecordingStartTime")
  return [
    {
      _tag: "RecordingReady",
      at: now,
      recording: {
        carrier_recording_id,
        track: isTrack(track) ? tracks[track] : "mixed",
        channels: Math.max(1, secondsOf(one(fields, "RecordingChannels"))),
        format: "wav",
        duration_seconds,
        size_bytes: null,
        url: one(fields, "RecordingUrl"),
        started_at: started === null ? earliest : timeOf(started, dialled_at, now)
      }
    }
  ]
}

/** What a callback tells, oldest first; nothing for what is not known. Sources: Twilio, "StatusCallback", "RecordingStatusCallback". */
export const translate = (
  place: "status" | "recording",
  dialled: CallbackUrls.Dialled,
  fields: Signature.Fields,
  now: number
): ReadonlyArray<CallProgress> => {
  const { key, workspace_id } = dialled
  const told = place === "status" ? statusOf(fields, dialled, now) : recordingOf(fields, dialled, now)
  return told.map((progress) => ({ workspace_id, key, progress }))
}

const answer = (status: number, body: string, contentType = "text/plain"): CallbackAnswer => ({
  status,
  body,
  contentType
})
const received = answer(200, "<Response/>", "text/xml")
const unknown = answer(404, "there is nothing here")
const forged = answer(403, "the signature is not the carrier's")
const unavailable = answer(503, "it could not be stored: send it again")

const make = ({ authToken, publicUrl }: Options) =>
  Effect.gen(function* () {
    const reports = yield* CarrierReports
    const repository = yield* Repository
    const known = yield* KnownCalls
    const token = Redacted.value(authToken)

    /** What did not fit into the TwiML of a call that is under way. */
    const agent = Effect.fnUntraced(function* ({ key, workspace_id }: CallbackUrls.Dialled) {
      const attempt = yield* repository.attempts.get(workspace_id, key)
      if (Option.isNone(attempt) || attempt.value.status !== "in_progress") return unknown
      const call = yield* repository.calls.get(workspace_id, attempt.value.call_id)
      if (Option.isNone(call)) return unknown
      const found = yield* repository.agents.get(workspace_id, call.value.agent_id)
      if (Option.isNone(found)) return unknown
      const {
        from_number: _,
        to_number: __,
        key: attempt_id,
        ...rest
      } = dialRequest(call.value, attempt.value, found.value)
      return answer(200, JSON.stringify({ attempt_id, ...rest }), "application/json")
    })

    const handle = Effect.fnUntraced(function* ({ body, headers, url }: CallbackRequest) {
      const arrived = CallbackUrls.arrived(publicUrl, url)
      if (arrived === null) return unknown
      const { dialled, isSealed, place, signed } = arrived
      if (place === "agent") return isSealed(authToken) ? yield* agent(dialled) : unknown
      const fields = Signature.fieldsOf(body)
      if (!Signature.verify(token, headers["x-twilio-signature"], signed, fields)) return forged
      const sid = one(fields, "CallSid")
      if (sid !== null) known.claim(dialled, sid)
      const told = translate(place, dialled, fields, yield* Clock.currentTimeMillis)
      if (told.length > 0) yield* reports.record(told)
      return received
    })

    return CarrierCallbacks.of({
      handle: (request) =>
        Effect.catchAllDefect(handle(request), (defect) =>
          Effect.as(Effect.logError("a callback of the carrier could not be answered", defect), unavailable)
        )
    })
  })

/**
 * Answers what comes from Twilio. Its status and recording callbacks are taken when their signature is right, in
 * any order and any number of times; those for attempts that are not known here are taken too, and change nothing. A
 * callback that could not be stored is answered 503, and Twilio sends it again.
 */
export const layer = (options: Options) =>
  Layer.effect(CarrierCallbacks, make(options)).pipe(Layer.provide(KnownCalls.layer))
