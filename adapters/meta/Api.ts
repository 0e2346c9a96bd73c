import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Data, type Duration, Effect, type Redacted, Stream } from "effect"

/** A WhatsApp business account at Meta. */
export interface Account {
  readonly businessAccountId: string
  /** The access token of a system user with whatsapp_business_messaging and whatsapp_business_management. */
  readonly token: Redacted.Redacted
  /** The Graph API's base URL, such as `https://graph.facebook.com`. */
  readonly url: string
  /** The Graph API's version, such as `v23.0`. */
  readonly version: string
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
}

export const isOk = ({ status }: Answer) => status >= 200 && status < 300

/** Bytes of an answer that are read: a page of a hundred templates takes less than one million. */
const mostBytes = 4 * 1024 * 1024

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

/** A node of the graph and, if need be, one of its edges: `[id]`, `[id, "messages"]`. */
export type Node = readonly [id: string, edge?: string]

type Query = Readonly<Record<string, string>>

export interface Api {
  /** `within` bounds the whole exchange. */
  readonly get: (
    node: Node,
    query: Query,
    within: Duration.DurationInput
  ) => Effect.Effect<Answer, Unanswered>
  /** `body` goes out as JSON. */
  readonly post: (
    node: Node,
    body: unknown,
    within: Duration.DurationInput
  ) => Effect.Effect<Answer, Unanswered>
  readonly remove: (
    node: Node,
    query: Query,
    within: Duration.DurationInput
  ) => Effect.Effect<Answer, Unanswered>
}

/** Requests to the Graph API. Errors tell nothing of a request, and there are no spans of its address. */
export const make = Effect.fnUntraced(function* ({
  token,
  url,
  version
}: Account): Effect.fn.Return<Api, never, HttpClient.HttpClient> {
  const base = `${url.replace(/\/+$/, "")}/${version}`
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.bearerToken(token)),
    HttpClient.withTracerPropagation(false),
    HttpClient.withTracerDisabledWhen(() => true),
    HttpClient.withScope
  )

  const at = (node: Node, query: Query = {}) => {
    const path = node.map((part) => `/${encodeURIComponent(part!)}`).join("")
    const search = new URLSearchParams(query).toString()
    return new URL(base + path + (search === "" ? "" : `?${search}`))
  }

  const exchange = (request: HttpClientRequest.HttpClientRequest, within: Duration.DurationInput) =>
    client.execute(request).pipe(
      Effect.mapError(failureOf),
      Effect.flatMap(({ status, stream }) =>
        Effect.map(textOf(stream), (text): Answer => ({ status, text }))
      ),
      Effect.scoped,
      Effect.timeoutFail({ duration: within, onTimeout: () => new TimedOut() })
    )

  return {
    get: (node, query, within) =>
      exchange(HttpClientRequest.get(at(node, query), { acceptJson: true }), within),
    post: (node, body, within) =>
      exchange(
        HttpClientRequest.post(at(node), { acceptJson: true }).pipe(
          HttpClientRequest.bodyText(JSON.stringify(body), "application/json")
        ),
        within
      ),
    remove: (node, query, within) =>
      exchange(HttpClientRequest.del(at(node, query), { acceptJson: true }), within)
  }
})
