import { Clock, Duration, Effect, Layer, Option, type Redacted, Stream } from "effect"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as CarrierCircuit from "../../core/engine/CarrierCircuit.ts"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import {
  CallDialer,
  type CarrierDriver,
  CarrierUnreachable,
  DialInDoubt,
  DialRefused,
  type Lookup,
  LookupFailed
} from "../../core/ports/CallDialer.ts"
import * as Addresses from "./Addresses.ts"
import * as Api from "./Api.ts"
import * as CallSearch from "./CallSearch.ts"
import { http } from "./Http.ts"
import { KnownCalls } from "./KnownCalls.ts"
import * as Meanings from "./Meanings.ts"
import { progressOf, secondsOf, timeOf } from "./Progress.ts"
import * as Throttle from "./Throttle.ts"
import { twiml } from "./Twiml.ts"
import { type Call, decodeCall, decodeFailure } from "./Wire.ts"

export interface Options extends Api.Account {
  /** What callbacks are signed with. */
  readonly authToken: Redacted.Redacted
  /** Where the conversation is: `wss://…` */
  readonly conversationUrl: string
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
const callOver: ReadonlySet<string> = new Set(["completed", "busy", "failed", "no-answer", "canceled"])
/** The call is not in a state in which it could be ended. */
const invalidCallState = 21_220

const isOk = (status: number) => status >= 200 && status < 300

const codeOf = (text: string) => Option.getOrNull(Option.map(decodeFailure(text), ({ code }) => code))

const lookedUp = (call: Call, since: number, now: number): Lookup => {
  const isOver = callOver.has(call.status)
  return {
    _tag: "Known",
    carrier_call_id: call.sid,
    progress: progressOf({
      status: call.status,
      answered_by: call.answered_by,
      duration_seconds: secondsOf(call.duration),
      max_call_length: Infinity,
      error_code: null,
      sip_code: null,
      at: isOver ? timeOf(call.end_time, since, now) : now,
      dialled_at: timeOf(call.start_time ?? call.date_created, since, now)
    })
  }
}

/** Twilio's driver. What it tells by itself comes to `Callbacks`. */
export const driver = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<CarrierDriver, never, HttpClient.HttpClient | KnownCalls> {
  const known = yield* KnownCalls
  const api = yield* Api.make(options)
  const throttle = Throttle.make()
  const timeout = Duration.toMillis(options.timeout)
  const find = CallSearch.make(api, known, timeout)

  const form = (request: DialRequest, dialled_at: number) => {
    const { key, max_call_length, workspace_id } = request
    const dialled = { workspace_id, key, dialled_at, max_call_length }
    const agentUrl = Addresses.agent(options.publicUrl, options.authToken, request)
    const fields: Array<[string, string]> = [
      ["To", request.to_number],
      ["From", request.from_number],
      ["Twiml", twiml(request, options.conversationUrl, agentUrl)],
      ["Timeout", String(options.ringSeconds ?? 60)],
      ["TimeLimit", String(max_call_length)],
      ["StatusCallback", Addresses.callback(options.publicUrl, "status", dialled)],
      ["StatusCallbackMethod", "POST"],
      ...events.map((event): [string, string] => ["StatusCallbackEvent", event])
    ]
    if (options.record) {
      fields.push(
        ["Record", "true"],
        ["Trim", "do-not-trim"],
        ["RecordingStatusCallback", Addresses.callback(options.publicUrl, "recording", dialled)],
        ["RecordingStatusCallbackMethod", "POST"],
        ["RecordingStatusCallbackEvent", "completed"]
      )
    }
    if (options.machineDetection) fields.push(["MachineDetection", "Enable"])
    return new URLSearchParams(fields)
  }

  const refusal = Effect.fnUntraced(function* (status: number, text: string, retryAfter: string | undefined) {
    const code = codeOf(text)
    const meaning = Meanings.ofRefusal(status, code)
    switch (meaning._tag) {
      case "Refused":
        return yield* new DialRefused({
          outcome: meaning.outcome,
          sub_status: meaning.sub_status ?? "carrier_error",
          code: code === null ? `http_${status}` : String(code),
          message: meaning.message
        })
      case "Account": {
        const message = `the carrier takes no calls from us: ${meaning.message} (${code ?? `http ${status}`})`
        yield* Effect.logWarning(message)
        return yield* new CarrierUnreachable({ message })
      }
      case "Later":
        yield* throttle.slowDown(retryAfter)
    }
  })

  /** Waits for the time that Twilio has asked for, if that is before `atLatest`. */
  const turn = Effect.fnUntraced(function* (atLatest: number) {
    for (;;) {
      const next = yield* throttle.next
      const now = yield* Clock.currentTimeMillis
      if (next <= now) return now
      if (next > atLatest) {
        return yield* new CarrierUnreachable({ message: "the carrier asks to slow down" })
      }
      yield* Effect.sleep(next - now)
    }
  })

  const dial: CarrierDriver["dial"] = Effect.fnUntraced(function* (request) {
    const began = yield* Clock.currentTimeMillis
    for (;;) {
      const now = yield* turn(began + timeout / 2)
      const { headers, status, text } = yield* api
        .post(api.at("/Calls.json"), form(request, now), began + timeout - now)
        .pipe(
          Effect.catchTags({
            NotConnected: ({ code }) =>
              new CarrierUnreachable({ message: `no connection to the carrier (${code})` }),
            ConnectionLost: ({ code }) =>
              new DialInDoubt({ message: `the connection to the carrier was lost (${code})` }),
            TimedOut: () => new DialInDoubt({ message: "the carrier did not answer in time" })
          })
        )
      if (status >= 400 && status < 500 && status !== 408 && status !== 499) {
        yield* refusal(status, text, headers["retry-after"])
        continue
      }
      yield* throttle.recovered
      const call = isOk(status) ? decodeCall(text) : Option.none()
      if (Option.isNone(call)) return yield* new DialInDoubt({ message: `the carrier answered ${status}` })
      known.claim(request, call.value.sid)
      return call.value.sid
    }
  })

  const lookup: CarrierDriver["lookup"] = Effect.fnUntraced(function* (reference) {
    const found = yield* find(reference)
    if (found._tag === "None") return { _tag: "NeverReceived" }
    return lookedUp(found.call, reference.since, yield* Clock.currentTimeMillis)
  })

  const end = Effect.fnUntraced(function* ({ sid }: Call, status: "canceled" | "completed") {
    const url = api.at(`/Calls/${encodeURIComponent(sid)}.json`)
    const answer = yield* api
      .post(url, new URLSearchParams({ Status: status }), timeout)
      .pipe(Effect.mapError(CallSearch.unanswered))
    if (answer.status === 404 || codeOf(answer.text) === invalidCallState) return null
    const call = isOk(answer.status) ? decodeCall(answer.text) : Option.none()
    return Option.isSome(call)
      ? call.value
      : yield* new LookupFailed({ message: `the carrier answered ${answer.status}` })
  })

  const hangUp: CarrierDriver["hangUp"] = Effect.fnUntraced(function* (reference) {
    const found = yield* find(reference)
    if (found._tag === "None" || callOver.has(found.call.status)) return
    // Cancelling leaves a call alone that has been answered in the meantime.
    const left = found.call.status === "in-progress" ? found.call : yield* end(found.call, "canceled")
    if (left?.status === "in-progress") yield* end(left, "completed")
  })

  const ping: CarrierDriver["ping"] = api.get(api.at("/Calls.json", { PageSize: "1" }), timeout).pipe(
    Effect.mapError(() => new CarrierUnreachable({ message: "the carrier does not answer" })),
    Effect.filterOrFail(
      ({ status }) => isOk(status),
      ({ status }) => new CarrierUnreachable({ message: `the carrier answered ${status}` })
    ),
    Effect.asVoid
  )

  return { dial, lookup, hangUp, ping, progress: Stream.empty }
})

/** Twilio, or a provider whose interface is like Twilio's. */
export const layer = (options: Options): Layer.Layer<CallDialer | KnownCalls> =>
  Layer.scoped(
    CallDialer,
    Effect.flatMap(driver(options), (driver) =>
      CarrierCircuit.make(driver, { dialTimeout: Infinity, ...options.circuit })
    )
  ).pipe(Layer.provide(http), Layer.provideMerge(KnownCalls.layer))
