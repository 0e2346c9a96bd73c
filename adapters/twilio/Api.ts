import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Data, type Duration, Effect, type Redacted, Stream } from "effect"

/** An account at Twilio, or at a provider whose interface is like Twilio's. */
export interface Account {
  /** The account's SID: `AC…` */
  readonly accountSid: string
  /** The account's SID, or that of an API key: `SK…` */
  readonly username: string
  /** The account's auth token, or the API key's secret. */
  readonly password: Redacted.Redacted
  /** The API's base URL, such as `https://api.twilio.com`. */
  readonly url: string
}

/** No connection could be made: the request certainly was not sent. */
export class NotConnected extends Data.TaggedError("NotConnected")<{ readonly code: string }> {}

/** The connection was lost, or the answer is not to be read to its end: the request may have arrived. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{ readonly code: string }> {}

/** There was no whole answer in time: the request may have arrived. */
export class TimedOut extends Data.TaggedError("TimedOut")<{}> {}

export type Unanswered = NotConnected | ConnectionLost | TimedOut

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Bytes of an answer that are read: a thousand calls take a good one million. */
const mostBytes = 8 * 1024 * 1024

/** Certificates are looked at before anything is sent. */
const certificateRefused =
  /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY))/

interface SystemError {
  readonly code?: unknown
  readonly syscall?: unknown
  readonly errors?: unknown
  readonly cause?: unknown
}

const isObject = (error: unknown): error is SystemError => typeof error === "object" && error !== null

/** The system's code for what broke, such as ECONNRESET, and nothing else of the error. */
const codeOf = (error: unknown, depth = 0): string => {
  if (!isObject(error) || depth > 4) return "UNKNOWN"
  if (typeof error.code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(error.code)) return error.code
  return codeOf(error.cause, depth + 1)
}

/** A host of several addresses reports one error for each. */
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

const failureOf = ({ cause }: HttpClientError): NotConnected | ConnectionLost =>
  neverSent(cause) ? new NotConnected({ code: codeOf(cause) }) : new ConnectionLost({ code: codeOf(cause) })

const lost = ({ cause }: HttpClientError) => new ConnectionLost({ code: codeOf(cause) })

const textOf = (body: Stream.Stream<Uint8Array, HttpClientError>) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let size = 0
    let text = ""
    return Stream.runForEach(Stream.mapError(body, lost), (bytes) => {
      size += bytes.length
      if (size > mostBytes) return new ConnectionLost({ code: "TOO_LONG" })
      text += decoder.decode(bytes, { stream: true })
      return Effect.void
    }).pipe(Effect.map(() => text + decoder.decode()))
  })

export interface Api {
  /** `within` bounds the whole exchange. */
  readonly get: (url: URL, within: Duration.DurationInput) => Effect.Effect<Answer, Unanswered>
  readonly post: (
    url: URL,
    form: URLSearchParams,
    within: Duration.DurationInput
  ) => Effect.Effect<Answer, Unanswered>
  /** The address of one of the account's resources: `/Calls.json`. */
  readonly at: (resource: string, query?: Readonly<Record<string, string>>) => URL
  /** Where the page after one is; null for an address that is not below the account's. */
  readonly next: (uri: string) => URL | null
}

/**
 * Requests to an account's resources. Errors tell nothing of a request, and there are no spans of its address:
 * it holds phone numbers.
 */
export const make = Effect.fnUntraced(function* ({
  accountSid,
  password,
  url,
  username
}: Account): Effect.fn.Return<Api, never, HttpClient.HttpClient> {
  const account = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const base = new URL(url.replace(/\/+$/, "") + account).href
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.basicAuth(username, password)),
    HttpClient.withTracerPropagation(false),
    HttpClient.withTracerDisabledWhen(() => true),
    HttpClient.withScope
  )

  const exchange = (request: HttpClientRequest.HttpClientRequest, within: Duration.DurationInput) =>
    client.execute(request).pipe(
      Effect.mapError(failureOf),
      Effect.flatMap(({ headers, status, stream }) =>
        Effect.map(textOf(stream), (text): Answer => ({ status, text, headers }))
      ),
      Effect.scoped,
      Effect.timeoutFail({ duration: within, onTimeout: () => new TimedOut() })
    )

  return {
    get: (url, within) => exchange(HttpClientRequest.get(url, { acceptJson: true }), within),
    post: (url, form, within) =>
      exchange(
        HttpClientRequest.post(url, { acceptJson: true }).pipe(
          HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
        ),
        within
      ),
    at: (resource, query = {}) => new URL(`${base}${resource}?${new URLSearchParams(query)}`),
    next: (uri) => {
      const next = URL.canParse(uri, base) ? new URL(uri, base) : null
      return next?.href.startsWith(`${base}/`) === true ? next : null
    }
  }
})
