import type * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import { Context, Effect, Either, Layer, Redacted, Schema, Stream } from "effect"
import { foreign, NotAnswered, notAnswered, type RestError, refused } from "./RestErrors.ts"

/** A record with the text that it came in, which keeps what JavaScript's numbers cannot. */
export interface Answer<A> {
  readonly value: A
  readonly text: string
}

const patience = "30 seconds"
/** A file is on its way, or the server goes through one, for so long. */
const filePatience = "10 minutes"
/** An answer that is being sent may stand still for so long. */
const silence = "2 minutes"

const late = (address: string) => () =>
  new NotAnswered({ message: `the server at ${address} did not answer in time` })

/**
 * The REST interface at `address`, which has no slash at its end.
 *
 * @param key goes into the request's header and nowhere else, not even back out of an answer
 */
const make = Effect.fnUntraced(function* (address: string, key: Redacted.Redacted) {
  const client = yield* HttpClient.HttpClient
  const secret = Redacted.value(key)

  const request = (method: HttpMethod, path: string) =>
    HttpClientRequest.make(method)(address + path).pipe(HttpClientRequest.setHeader("x-api-key", secret))

  const lost = (error: HttpClientError) => notAnswered(address, error)
  const without = (text: string) => text.replaceAll(secret, "(the API key)")

  const textOf = (sent: HttpClientRequest.HttpClientRequest) =>
    client.execute(sent).pipe(
      Effect.flatMap((response) =>
        Effect.map(response.text, (text) => ({ status: response.status, text: without(text) }))
      ),
      Effect.mapError(lost),
      Effect.timeoutFail({ duration: patience, onTimeout: late(address) }),
      Effect.filterOrFail(
        ({ status }) => status < 300,
        ({ status, text }) => refused(address, status, text)
      )
    )

  const ask = Effect.fnUntraced(function* <A, I>(
    schema: Schema.Schema<A, I>,
    method: HttpMethod,
    path: string,
    body?: object
  ): Effect.fn.Return<Answer<A>, RestError> {
    const bare = request(method, path)
    const { status, text } = yield* textOf(
      body === undefined ? bare : HttpClientRequest.bodyUnsafeJson(bare, body)
    )
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
            Effect.timeoutFail({ duration: filePatience, onTimeout: late(address) })
          )
        if (response.status >= 300) {
          const text = yield* Effect.mapError(response.text, lost)
          return yield* refused(address, response.status, without(text))
        }
        return Stream.timeoutFail(Stream.mapError(response.stream, lost), late(address), silence)
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
  /** Sends a request and reads its answer, a JSON document. */
  readonly ask: <A, I>(
    schema: Schema.Schema<A, I>,
    method: HttpMethod,
    path: string,
    body?: object
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
