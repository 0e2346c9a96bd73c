import { Clock, Effect, Layer, Option, Redacted } from "effect"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { type CallbackAnswer, type CallbackRequest, CarrierCallbacks } from "../shared/CarrierCallbacks.ts"
import * as CallbackUrls from "./CallbackUrls.ts"
import * as CallRecordings from "./CallRecordings.ts"
import type { Conversations } from "./Conversations.ts"
import { requestOf } from "./DialledRequest.ts"
import { KnownCalls } from "./KnownCalls.ts"
import { progressOf, secondsOf, timeOf, type Told } from "./Progress.ts"
import * as Signature from "./Signature.ts"
import * as Twiml from "./Twiml.ts"

export interface Options {
  readonly authToken: Redacted.Redacted
  readonly publicUrl: string
  /** Those that are held here, unless they are held elsewhere. */
  readonly conversations?: Conversations | undefined
  /** Calls are recorded. */
  readonly record?: boolean
}

/** How calls are made here. */
type Here = Pick<Told, "held" | "recorded">

const codeOf = (text: string | null) => (text !== null && /^\d{3,6}$/.test(text) ? Number(text) : null)

const statusOf = (
  fields: Signature.Fields,
  { dialled_at, max_call_length }: CallbackUrls.Dialled,
  here: Here,
  now: number
): ReadonlyArray<Progress> =>
  progressOf({
    status: Signature.one(fields, "CallStatus") ?? "",
    answered_by: Signature.one(fields, "AnsweredBy"),
    duration_seconds: secondsOf(Signature.one(fields, "CallDuration")),
    max_call_length,
    error_code: codeOf(Signature.one(fields, "ErrorCode")),
    error_message: Signature.one(fields, "ErrorMessage"),
    sip_code: codeOf(Signature.one(fields, "SipResponseCode")),
    ...here,
    at: timeOf(Signature.one(fields, "Timestamp"), dialled_at, now),
    dialled_at
  })

const recordingsOf = (
  fields: Signature.Fields,
  { dialled_at }: CallbackUrls.Dialled,
  now: number
): ReadonlyArray<Progress> => {
  const sid = Signature.one(fields, "RecordingSid")
  if (sid === null || Signature.one(fields, "RecordingStatus") !== "completed") return []
  const told = {
    sid,
    duration_seconds: secondsOf(Signature.one(fields, "RecordingDuration")),
    track: Signature.one(fields, "RecordingTrack"),
    channels: secondsOf(Signature.one(fields, "RecordingChannels")),
    start_time: Signature.one(fields, "RecordingStartTime")
  }
  return [{ _tag: "RecordingReady", at: now, recording: CallRecordings.recordingOf(told, dialled_at, now) }]
}

/**
 * What a callback tells, oldest first; nothing for what is not known. Sources: Twilio, "StatusCallback",
 * "RecordingStatusCallback".
 */
export const translate = (
  place: "status" | "recording",
  dialled: CallbackUrls.Dialled,
  fields: Signature.Fields,
  now: number,
  here: Here = { held: false, recorded: false }
): ReadonlyArray<CallProgress> => {
  const { key, workspace_id } = dialled
  const told = place === "status" ? statusOf(fields, dialled, here, now) : recordingsOf(fields, dialled, now)
  return told.map((progress) => ({ workspace_id, key, progress }))
}

const answer = (status: number, body: string, contentType = "text/plain"): CallbackAnswer => ({
  status,
  body,
  contentType
})
const received = answer(200, Twiml.nothing, "text/xml")
const unknown = answer(404, "there is nothing here")
const forged = answer(403, "the signature is not the carrier's")
const unavailable = answer(503, "it could not be stored: send it again")

const make = ({ authToken, conversations, publicUrl, record = false }: Options) =>
  Effect.gen(function* () {
    const reports = yield* CarrierReports
    const repository = yield* Repository
    const known = yield* KnownCalls
    const token = Redacted.value(authToken)

    /** What did not fit into the TwiML of a call that is under way. */
    const agent = Effect.fnUntraced(function* (dialled: CallbackUrls.Dialled) {
      const request = yield* requestOf(repository, dialled)
      if (Option.isNone(request)) return unknown
      const { from_number: _, to_number: __, key: attempt_id, ...rest } = request.value
      return answer(200, JSON.stringify({ attempt_id, ...rest }), "application/json")
    })

    const handle = Effect.fnUntraced(function* ({ body, headers, url }: CallbackRequest) {
      const arrived = CallbackUrls.arrived(publicUrl, url)
      if (arrived === null) return unknown
      const { connection, dialled, isSealed, place, session_id, signed } = arrived
      if (place === "agent") return isSealed(authToken) ? yield* agent(dialled) : unknown
      const fields = Signature.fieldsOf(body)
      if (!Signature.verify(token, headers["x-twilio-signature"], signed, fields)) return forged
      const sid = Signature.one(fields, "CallSid")
      if (sid !== null) known.claim(dialled, sid)
      if (place === "detection" || place === "after") {
        if (conversations === undefined || session_id === null) return unknown
        const talk = { dialled, session_id, connection }
        if (place === "after") return answer(200, yield* conversations.after(talk, fields), "text/xml")
        yield* conversations.detected(talk, fields)
        return received
      }
      const told = translate(place, dialled, fields, yield* Clock.currentTimeMillis, {
        held: conversations !== undefined,
        recorded: record
      })
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
