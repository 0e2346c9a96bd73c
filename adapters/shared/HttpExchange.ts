import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import type { HttpClientRequest } from "@effect/platform/HttpClientRequest"
import { Data, type Duration, Effect, Layer, Stream } from "effect"

/** No connection could be made: the request was certainly not sent. */
export class NotConnected extends Data.TaggedError("NotConnected")<{ readonly code: string }> {}

/** The connection was lost, or the answer is too long: the request may have arrived. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{ readonly code: string }> {}

/** There was no whole answer in time: the request may have arrived. */
export class TimedOut extends Data.TaggedError("TimedOut")<{}> {}

export type Unanswered = NotConnected | ConnectionLost | TimedOut

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Sends a request and reads its whole answer. `within` bounds both together. */
export type HttpExchange = (
  request: HttpClientRequest,
  within: Duration.DurationInput
) => Effect.Effect<Answer, Unanswered>

export const isOk = ({ status }: Pick<Answer, "status">): boolean => status >= 200 && status < 300

/** The code of an answer that has more bytes than are read. */
export const tooLong = "TOO_LONG"

/** A certificate is checked before anything is sent. */
const certificateRefused =
  /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY))/

interface SystemError {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly errors?: unknown
  readonly cause?: unknown
}

const isObject = (error: unknown): error is SystemError => typeof error === "object" && error !== null

/** The system's code for the fault, such as ECONNRESET, and nothing else of the error. */
const codeOf = (error: unknown, depth = 0): string => {
  if (!isObject(error) || depth > 4) return "UNKNOWN"
  if (typeof error.code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(error.code)) return error.code
  return codeOf(error.cause, depth + 1)
}

/** A host with several addresses reports one error for each. */
const neverSent = (error: unknown, depth = 0): boolean => {
  if (!isObject(error) || depth > 4) return false
  if (Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.every((each) => neverSent(each, depth + 1))
  }
  if (error.syscall === "connect" || error.syscall === "getaddrinfo") return true
  if (error.code === "UND_ERR_CONNECT_TIMEOUT") return true
  if (typeof error.code === "string" && certificateRefused.test(error.code)) return true
  return neverSent(error.cause, depth + 1)
}

/** Why a request got no answer. */
export const failureOf = ({ cause }: HttpClientError): NotConnected | ConnectionLost =>
  neverSent(cause) ? new NotConnected({ code: codeOf(cause) }) : new ConnectionLost({ code: codeOf(cause) })

/** Why an answer that had begun broke off. */
export const brokenOff = ({ cause }: HttpClientError) => new ConnectionLost({ code: codeOf(cause) })

/** An answer without a body has an empty text: a 204, for one. */
const textOf = (body: Stream.Stream<Uint8Array, HttpClientError>, mostBytes: number) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let size = 0
    let text = ""
    const pieces = Stream.catchAll(body, (error) =>
      error.reason === "EmptyBody" ? Stream.empty : Stream.fail(brokenOff(error))
    )
    return Stream.runForEach(pieces, (bytes) => {
      size += bytes.length
      if (size > mostBytes) return new ConnectionLost({ code: tooLong })
      text += decoder.decode(bytes, { stream: true })
      return Effect.void
    }).pipe(Effect.map(() => text + decoder.decode()))
  })

/** The client in use, without spans or trace headers: addresses of providers hold phone numbers. */
export const untraced = Effect.map(HttpClient.HttpClient, (client) =>
  client.pipe(
    HttpClient.withTracerPropagation(false),
    HttpClient.withTracerDisabledWhen(() => true),
    HttpClient.withScope
  )
)

export interface ExchangeOptions {
  /** Adds the credentials. */
  readonly prepare?: ((request: HttpClientRequest) => HttpClientRequest) | undefined
  /** Bytes of an answer that are read. */
  readonly mostBytes: number
}

/** Exchanges with one provider. Errors repeat nothing of a request. */
export const make = ({
  mostBytes,
  prepare = (request) => request
}: ExchangeOptions): Effect.Effect<HttpExchange, never, HttpClient.HttpClient> =>
  Effect.map(
    untraced,
    (client): HttpExchange =>
      (request, within) =>
        client.execute(prepare(request)).pipe(
          Effect.mapError(failureOf),
          Effect.flatMap(({ headers, status, stream }) =>
            Effect.map(textOf(stream, mostBytes), (text): Answer => ({ status, text, headers }))
          ),
          Effect.scoped,
          Effect.timeoutFail({ duration: within, onTimeout: () => new TimedOut() })
        )
  )

/** `fetch` without redirects: the credentials go to the address that was set and to no other. */
export const http: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)
