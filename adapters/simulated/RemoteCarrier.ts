import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Duration, Effect, Either, Layer, Option, Schedule, Schema, Stream } from "effect"
import * as CarrierCircuit from "../../core/engine/CarrierCircuit.ts"
import { CarrierReports, relay } from "../../core/engine/CarrierReports.ts"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import type { CallProgress } from "../../core/model/calls/CarrierProgress.ts"
import {
  CallDialer,
  type CarrierDriver,
  DialInDoubt,
  DialRefused,
  LookupFailed
} from "../../core/ports/CallDialer.ts"
import * as HttpExchange from "../shared/HttpExchange.ts"
import * as ProviderFailures from "../shared/ProviderFailures.ts"
import * as Slots from "../shared/Slots.ts"
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

const failures = ProviderFailures.make({ name: "the carrier", takes: "calls" })

/** An answer is small, but for the list of what a call went through. */
const mostBytes = 4 * 1024 * 1024

/** Silence after which the stream of progress counts as lost: the server writes something every ten seconds. */
const silence = "30 seconds"

const lost = (code: string) => new HttpExchange.ConnectionLost({ code })

/** The lines of an answer that has no end, on a connection of its own. Blank lines are left out. */
const linesAt = (client: Effect.Effect.Success<typeof HttpExchange.untraced>, url: URL) =>
  Stream.unwrapScoped(
    client.get(url).pipe(
      Effect.mapError(HttpExchange.failureOf),
      Effect.timeoutFail({ duration: silence, onTimeout: () => lost("SILENT") }),
      Effect.filterOrFail(
        ({ status }) => status === 200,
        ({ status }) => lost(`HTTP_${status}`)
      ),
      Effect.map(({ stream }) => Stream.mapError(stream, HttpExchange.brokenOff))
    )
  ).pipe(
    Stream.timeoutFail(() => lost("SILENT"), silence),
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line !== ""),
    Stream.concat(Stream.fail(lost("ENDED")))
  )

export interface RemoteCarrier {
  readonly driver: CarrierDriver
  /** Begins a few seconds before the first connection, and misses nothing from then on that the server still keeps. */
  readonly progress: Stream.Stream<CallProgress>
}

/** A client of the carrier server. */
export const connect = Effect.fnUntraced(function* ({
  connections = 128,
  url
}: RemoteCarrierOptions): Effect.fn.Return<RemoteCarrier, never, HttpClient.HttpClient> {
  const client = yield* HttpExchange.untraced
  const exchange = yield* HttpExchange.make({ mostBytes })
  const withSlot = Slots.make(connections)
  const base = url.replace(/\/+$/, "")
  let heard: number | null = null

  /** The circuit bounds how long it may take. */
  const request = (method: "GET" | "POST", path: string, body?: unknown) => {
    const request = HttpClientRequest.make(method)(base + path)
    return withSlot(
      exchange(body === undefined ? request : HttpClientRequest.bodyUnsafeJson(request, body), Infinity)
    )
  }

  const dial: CarrierDriver["dial"] = Effect.fnUntraced(function* (dialled) {
    const { status, text } = yield* Effect.mapError(request("POST", "/dial", dialled), failures.unanswered)
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
    const answer = yield* Effect.mapError(request(method, path, body), failures.unheard)
    if (HttpExchange.isOk(answer)) return answer.text
    return yield* failures.untold(answer.status)
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
    driver: {
      dial,
      lookup,
      hangUp: ({ key, workspace_id }) => Effect.asVoid(ask("POST", "/hangup", { workspace_id, key })),
      ping: failures.ping(request("GET", "/ping"))
    },
    progress: Stream.suspend(() =>
      linesAt(client, new URL(base + (heard === null ? "/progress" : `/progress?after=${heard}`)))
    ).pipe(Stream.filterMap(progressOf), Stream.retry(reconnecting), Stream.orDie)
  }
}, Effect.provide(HttpExchange.http))

/** The simulated carrier that runs as a process of its own. */
export const layer = (options: RemoteCarrierOptions): Layer.Layer<CallDialer, never, CarrierReports> =>
  Layer.scoped(
    CallDialer,
    Effect.gen(function* () {
      const { driver, progress } = yield* connect(options)
      yield* relay(progress, (yield* CarrierReports).record)
      return yield* CarrierCircuit.make(driver, options.circuit)
    })
  )
