import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Context, type Duration, Effect, Either, Layer, Redacted, Schema, Stream } from "effect"
import { foreign, late, notAnswered, type RestError, refused } from "./RestErrors.ts"

/** A record with its JSON text, which keeps digits that JavaScript's numbers lose. */
export interface Answer<A> {
  readonly value: A
  readonly text: string
}

const standardPatience = "30 seconds"
/** The time for sending a file and for the server to read it. */
const filePatience = "10 minutes"
/** The longest pause within an answer. */
const silence = "2 minutes"

const withBody = (request: HttpClientRequest.HttpClientRequest, body: object | string | undefined) => {
  if (body === undefined) return request
  return typeof body === "string"
    ? HttpClientRequest.bodyText(request, body, "application/json")
    : HttpClientRequest.bodyUnsafeJson(request, body)
}

/**
 * The REST interface at `address`, which has no slash at its end.
 *
 * @param key goes into the request's header and nowhere else; it is removed from answers
 */
const make = Effect.fnUntraced(function* (address: string, key: Redacted.Redacted) {
  const client = yield* HttpClient.HttpClient
  const secret = Redacted.value(key)

  const request = (method: HttpMethod, path: string) =>
    HttpClientRequest.make(method)(address + path).pipe(HttpClientRequest.setHeader("x-api-key", secret))

  const lost = (error: HttpClientError) => notAnswered(address, error)
  const without = (text: string) => text.replaceAll(secret, "(the API key)")

  const refusedBy = ({ headers, status }: HttpClientResponse, text: string) =>
    refused(address, status, without(text), headers["retry-after"])

  const textOf = (sent: HttpClientRequest.HttpClientRequest, patience: Duration.DurationInput) =>
    client.execute(sent).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
      Effect.mapError(lost),
      Effect.timeoutFail({ duration: patience, onTimeout: () => late(address) }),
      Effect.filterOrFail(
        ({ response }) => response.status < 300,
        ({ response, text }) => refusedBy(response, text)
      ),
      Effect.map(({ response: { status }, text }) => ({ status, text: without(text) }))
    )

  const ask = Effect.fnUntraced(function* <A, I>(
    schema: Schema.Schema<A, I>,
    method: HttpMethod,
    path: string,
    body?: object | string,
    patience: Duration.DurationInput = standardPatience
  ): Effect.fn.Return<Answer<A>, RestError> {
    const bare = request(method, path)
    const { status, text } = yield* textOf(withBody(bare, body), patience)
    const decoded = Schema.decodeUnknownEither(Schema.parseJson(schema))(text)
    if (Either.isLeft(decoded)) return yield* foreign(address, status)
    return { value: decoded.right, text }
  })

  const pieces = (sent: HttpClientRequest.HttpClientRequest) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const response = yield* client
          .execute(sent)
          .pipe(
            Effect.mapError(lost),
            Effect.timeoutFail({ duration: filePatience, onTimeout: () => late(address) })
          )
        if (response.status >= 300) {
          const text = yield* Effect.mapError(response.text, lost)
          return yield* refusedBy(response, text)
        }
        return Stream.timeoutFail(Stream.mapError(response.stream, lost), () => late(address), silence)
      })
    )

  return Rest.of({
    address,
    without,
    ask,
    download: (path) => pieces(request("GET", path)),
    upload: (path, body) => pieces(HttpClientRequest.setBody(request("POST", path), body))
  })
})

export interface RestShape {
  /** Where the interface is, for people. */
  readonly address: string
  /** A text without the API key, should it hold it. */
  readonly without: (text: string) => string
  /**
   * Sends a request and reads its answer, a JSON document; waits for it for 30 seconds when not told otherwise. A body
   * that is a string is JSON text, and is sent as it is.
   */
  readonly ask: <A, I>(
    schema: Schema.Schema<A, I>,
    method: HttpMethod,
    path: string,
    body?: object | string,
    patience?: Duration.DurationInput
  ) => Effect.Effect<Answer<A>, RestError>
  /** The answer to a GET, piece by piece, as it comes. */
  readonly download: (path: string) => Stream.Stream<Uint8Array, RestError>
  /** Sends a body, then gives the answer piece by piece, as it comes. */
  readonly upload: (path: string, body: HttpBody.Stream) => Stream.Stream<Uint8Array, RestError>
}

/** A running server's REST interface, as one API key sees it. */
export class Rest extends Context.Tag("outdial/cli/Rest")<Rest, RestShape>() {
  static readonly layer = (address: string, key: Redacted.Redacted) => Layer.effect(this, make(address, key))
}
