import { Duration, Effect, Either, Layer, Option, Schedule, Schema, type Scope, Stream } from "effect"
import * as CarrierCircuit from "../../core/engine/CarrierCircuit.ts"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import type { CallProgress } from "../../core/model/calls/CarrierProgress.ts"
import {
  CallDialer,
  type CarrierDriver,
  CarrierUnreachable,
  DialInDoubt,
  DialRefused,
  LookupFailed
} from "../../core/ports/CallDialer.ts"
import * as CarrierHttp from "./CarrierHttp.ts"
import { DialAnswer, LookupAnswer, ProgressLine, RefusalBody } from "./Wire.ts"

export interface RemoteCarrierOptions {
  /** Where the carrier server is: `http://127.0.0.1:4010`. */
  readonly url: string
  /** How many requests may be under way at once. Default 128. */
  readonly connections?: number | undefined
  readonly circuit?: CircuitOptions | undefined
}

const decodeDial = Schema.decodeUnknownEither(Schema.parseJson(DialAnswer))
const decodeRefusal = Schema.decodeUnknownEither(Schema.parseJson(RefusalBody))
const decodeLookup = Schema.decodeUnknownEither(Schema.parseJson(LookupAnswer))
const decodeProgress = Schema.decodeUnknownOption(Schema.parseJson(ProgressLine))

/** 200 ms, doubling to 5 s; from the start again once something was heard. */
const reconnecting = Schedule.exponential("200 millis").pipe(
  Schedule.modifyDelay((_, delay) => Duration.min(delay, "5 seconds"))
)

/** The carrier server's driver. Its progress starts a few seconds before the first connection and misses nothing from then on that the server still keeps. */
export const driver = Effect.fnUntraced(function* ({
  connections = 128,
  url
}: RemoteCarrierOptions): Effect.fn.Return<CarrierDriver, never, Scope.Scope> {
  const carrier = yield* CarrierHttp.make(url, connections)
  let heard: number | null = null

  const dial: CarrierDriver["dial"] = Effect.fnUntraced(function* (request) {
    const { status, text } = yield* carrier.request("POST", "/dial", request).pipe(
      Effect.catchTags({
        NotConnected: ({ code }) =>
          new CarrierUnreachable({ message: `no connection to the carrier (${code})` }),
        ConnectionLost: ({ code }) =>
          new DialInDoubt({ message: `the connection to the carrier was lost (${code})` })
      })
    )
    if (status === 200) {
      const answer = decodeDial(text)
      if (Either.isRight(answer)) return answer.right.carrier_call_id
    }
    if (status >= 400 && status < 500) {
      const refusal = decodeRefusal(text)
      if (Either.isRight(refusal)) return yield* new DialRefused(refusal.right.error)
    }
    return yield* new DialInDoubt({ message: `the carrier answered ${status}` })
  })

  const ask = Effect.fnUntraced(function* (method: "GET" | "POST", path: string, body?: unknown) {
    const { status, text } = yield* carrier
      .request(method, path, body)
      .pipe(
        Effect.mapError(({ code }) => new LookupFailed({ message: `the carrier did not answer (${code})` }))
      )
    if (status >= 200 && status < 300) return text
    return yield* new LookupFailed({ message: `the carrier answered ${status}` })
  })

  const lookup: CarrierDriver["lookup"] = Effect.fnUntraced(function* ({ key, workspace_id }) {
    const query = new URLSearchParams({ workspace_id, key })
    const answer = decodeLookup(yield* ask("GET", `/lookup?${query}`))
    if (Either.isRight(answer)) return answer.right
    return yield* new LookupFailed({ message: "the carrier's answer is not what is expected" })
  })

  const progressOf = (line: string) =>
    Option.map(decodeProgress(line), ({ seq, ...progress }): CallProgress => {
      heard = seq
      return progress
    })

  return {
    dial,
    lookup,
    hangUp: ({ key, workspace_id }) => Effect.asVoid(ask("POST", "/hangup", { workspace_id, key })),
    ping: Effect.asVoid(
      Effect.mapError(ask("GET", "/ping"), ({ message }) => new CarrierUnreachable({ message }))
    ),
    progress: carrier
      .lines(() => (heard === null ? "/progress" : `/progress?after=${heard}`))
      .pipe(Stream.filterMap(progressOf), Stream.retry(reconnecting), Stream.orDie)
  }
})

/** The simulated carrier that runs as a process of its own. */
export const layer = (options: RemoteCarrierOptions): Layer.Layer<CallDialer> =>
  Layer.scoped(
    CallDialer,
    Effect.flatMap(driver(options), (driver) => CarrierCircuit.make(driver, options.circuit))
  )
