import { Clock, type Context, Duration, Effect, Layer, Option, type Redacted } from "effect"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as CarrierCircuit from "../../core/engine/CarrierCircuit.ts"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import { CallDialer, type CarrierDriver, DialInDoubt, type Lookup } from "../../core/ports/CallDialer.ts"
import { type Answer, http, isOk } from "../shared/HttpExchange.ts"
import * as PatientSending from "../shared/PatientSending.ts"
import * as ProviderFailures from "../shared/ProviderFailures.ts"
import type { OpenSockets } from "../shared/OpenSockets.ts"
import * as Throttle from "../shared/Throttle.ts"
import * as CallbackUrls from "./CallbackUrls.ts"
import * as CallRecordings from "./CallRecordings.ts"
import * as CallSearch from "./CallSearch.ts"
import { failures } from "./CallSearch.ts"
import * as ErrorCodes from "./ErrorCodes.ts"
import { KnownCalls } from "./KnownCalls.ts"
import { isOver, progressOf, secondsOf, timeOf } from "./Progress.ts"
import * as RestApi from "./RestApi.ts"
import * as SocketPlaces from "./SocketPlaces.ts"
import * as Twiml from "./Twiml.ts"
import { type Call, decodeCall, failureOf } from "./Wire.ts"

export interface Options extends RestApi.Account {
  /** What callbacks are signed with. */
  readonly authToken: Redacted.Redacted
  /** Where the conversation is held: `wss://…`; null: here. */
  readonly conversationUrl: string | null
  /** The sockets of conversations that are held here: a call is dialled when there is one for it. */
  readonly sockets?: Context.Tag.Service<OpenSockets> | undefined
  /** Where Twilio reaches this server. */
  readonly publicUrl: string
  /** Has answering machines told from people, which takes them some seconds. */
  readonly machineDetection: boolean
  readonly record: boolean
  /** How long a request may take, at most 15 seconds: a dial must be over before it is looked up. */
  readonly timeout: Duration.DurationInput
  /** How long it rings. Default 60. */
  readonly ringSeconds?: number | undefined
  readonly circuit?: CircuitOptions | undefined
}

const events = ["initiated", "ringing", "answered", "completed"]
/** The call is not in a state in which it could be ended. */
const invalidCallState = 21_220

const codeOf = (text: string) => failureOf(text)?.code ?? null

const lookedUp = (
  call: Call,
  { conversationUrl, record }: Pick<Options, "conversationUrl" | "record">,
  since: number,
  now: number
): Extract<Lookup, { readonly _tag: "Known" }> => {
  const ended = isOver(call.status)
  return {
    _tag: "Known",
    carrier_call_id: call.sid,
    progress: progressOf({
      status: call.status,
      answered_by: call.answered_by,
      duration_seconds: secondsOf(call.duration),
      max_call_length: Infinity,
      error_code: null,
      error_message: null,
      sip_code: null,
      held: conversationUrl === null,
      recorded: record,
      at: ended ? timeOf(call.end_time, since, now) : now,
      dialled_at: timeOf(call.start_time ?? call.date_created, since, now)
    })
  }
}

/** Twilio's driver. What it tells by itself comes to `Callbacks`. */
export const driver = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<CarrierDriver, never, HttpClient.HttpClient | KnownCalls> {
  const known = yield* KnownCalls
  const api = yield* RestApi.make(options)
  const throttle = Throttle.make("the carrier")
  const timeout = Duration.toMillis(options.timeout)
  const find = CallSearch.make(api, known, timeout)
  const recorded = CallRecordings.make(api, timeout)

  const document = (request: DialRequest, dialled: CallbackUrls.Dialled) => {
    const { authToken, conversationUrl, publicUrl } = options
    return conversationUrl === null
      ? Twiml.connect(request.agent, {
          url: CallbackUrls.conversation(publicUrl, authToken, request),
          action: CallbackUrls.after(publicUrl, dialled, request.session_id, CallbackUrls.firstConnection)
        })
      : Twiml.elsewhere(request, conversationUrl, CallbackUrls.agent(publicUrl, authToken, request))
  }

  /** A conversation elsewhere begins once Twilio knows who has answered; one that is held here hears it meanwhile. */
  const detection = ({ agent, session_id }: DialRequest, dialled: CallbackUrls.Dialled) => {
    if (!options.machineDetection) return []
    if (options.conversationUrl !== null) return [["MachineDetection", "Enable"] as const]
    const leavesMessage = agent.voicemail.action === "leave_message"
    return [
      ["MachineDetection", leavesMessage ? "DetectMessageEnd" : "Enable"],
      ["AsyncAmd", "true"],
      ["AsyncAmdStatusCallback", CallbackUrls.detection(options.publicUrl, dialled, session_id)],
      ["AsyncAmdStatusCallbackMethod", "POST"]
    ] as const
  }

  const form = (request: DialRequest, dialled_at: number) => {
    const { key, max_call_length, workspace_id } = request
    const dialled = { workspace_id, key, dialled_at, max_call_length }
    const fields: Array<[string, string]> = [
      ["To", request.to_number],
      ["From", request.from_number],
      ["Twiml", document(request, dialled)],
      ["Timeout", String(options.ringSeconds ?? 60)],
      ["TimeLimit", String(max_call_length)],
      ["StatusCallback", CallbackUrls.callback(options.publicUrl, "status", dialled)],
      ["StatusCallbackMethod", "POST"],
      ...events.map((event): [string, string] => ["StatusCallbackEvent", event])
    ]
    if (options.record) {
      fields.push(
        ["Record", "true"],
        ["RecordingChannels", "dual"],
        ["Trim", "do-not-trim"],
        ["RecordingStatusCallback", CallbackUrls.callback(options.publicUrl, "recording", dialled)],
        ["RecordingStatusCallbackMethod", "POST"],
        ["RecordingStatusCallbackEvent", "completed"]
      )
    }
    for (const [name, value] of detection(request, dialled)) fields.push([name, value])
    return new URLSearchParams(fields)
  }

  /** Fails with what a refusal means, or returns when the dial is to be sent once more. */
  const refusal = Effect.fnUntraced(function* ({ headers, status, text }: Answer) {
    const failure = failureOf(text)
    const code = failure?.code ?? null
    const meaning = ErrorCodes.ofRefusal(status, code)
    if (meaning._tag === "Later") return yield* throttle.slowDown(headers["retry-after"])
    return yield* failures.refused(code === null ? `http_${status}` : String(code), failure?.message, meaning)
  })

  const dial: CarrierDriver["dial"] = Effect.fnUntraced(function* (request) {
    const answer = yield* PatientSending.send({
      throttle,
      timeout,
      send: (now, within) =>
        Effect.mapError(api.post(api.at("/Calls.json"), form(request, now), within), failures.unanswered),
      isRefusal: ({ status, text }) => ProviderFailures.isRefusal(status, ErrorCodes.isKnown(codeOf(text))),
      refused: refusal
    })
    const call = isOk(answer) ? decodeCall(answer.text) : Option.none()
    if (Option.isSome(call)) {
      known.claim(request, call.value.sid)
      return call.value.sid
    }
    return yield* new DialInDoubt({ message: `the carrier answered ${answer.status}` })
  })

  const lookup: CarrierDriver["lookup"] = Effect.fnUntraced(function* (reference) {
    const found = yield* find(reference)
    if (found._tag === "None") return { _tag: "NeverReceived" }
    const { call } = found
    const told = lookedUp(call, options, reference.since, yield* Clock.currentTimeMillis)
    if (!options.record || call.status !== "completed") return told
    const recordings = yield* Effect.orElseSucceed(recorded(call.sid, reference.since), () => [])
    return { ...told, progress: [...told.progress, ...recordings] }
  })

  const end = Effect.fnUntraced(function* ({ sid }: Call, status: "canceled" | "completed") {
    const url = api.at(`/Calls/${encodeURIComponent(sid)}.json`)
    const answer = yield* api
      .post(url, new URLSearchParams({ Status: status }), timeout)
      .pipe(Effect.mapError(failures.unheard))
    if (answer.status === 404 || codeOf(answer.text) === invalidCallState) return null
    const call = isOk(answer) ? decodeCall(answer.text) : Option.none()
    return Option.isSome(call) ? call.value : yield* failures.untold(answer.status)
  })

  const hangUp: CarrierDriver["hangUp"] = Effect.fnUntraced(function* (reference) {
    const found = yield* find(reference)
    if (found._tag === "None" || isOver(found.call.status)) return
    // Cancelling leaves a call alone that has been answered in the meantime.
    const left = found.call.status === "in-progress" ? found.call : yield* end(found.call, "canceled")
    if (left?.status === "in-progress") yield* end(left, "completed")
  })

  const ping = failures.ping(api.get(api.at("/Calls.json", { PageSize: "1" }), timeout))

  return { dial, lookup, hangUp, ping }
})

/** Twilio, or a provider whose interface is like Twilio's. */
export const layer = (options: Options): Layer.Layer<CallDialer | KnownCalls> =>
  Layer.scoped(
    CallDialer,
    Effect.flatMap(driver(options), (driver) =>
      CarrierCircuit.make(driver, { dialTimeout: Infinity, ...options.circuit })
    ).pipe(
      Effect.map((dialer) =>
        options.sockets === undefined ? dialer : SocketPlaces.within(dialer, options.sockets)
      )
    )
  ).pipe(Layer.provide(http), Layer.provideMerge(KnownCalls.layer))
