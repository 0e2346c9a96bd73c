import * as Cookies from "@effect/platform/Cookies"
import type * as Headers from "@effect/platform/Headers"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as UrlParams from "@effect/platform/UrlParams"
import { Context, Effect, Exit, Inspectable, Option } from "effect"
import { type BodyRefused, notJson } from "../contract/Errors.ts"

/** What is made of a body, or of why there is none. */
export interface Made<A, E> {
  readonly bytes: (bytes: Uint8Array) => Exit.Exit<A, E>
  readonly refused: (reason: BodyRefused) => Exit.Exit<A, E>
}

/** A body that is read at its first use and at most once. */
export interface Body {
  readonly source: object
  /** Bytes that it may have, where no operation says otherwise. */
  readonly max: number
  /** What is made of all of it, unless it has more than `max` bytes; the limit of the first reader holds. */
  readonly read: <A, E>(max: number, made: Made<A, E>) => Effect.Effect<A, E>
}

/** The head of a request. A middleware may replace parts of it. */
export interface Head {
  readonly url: string
  readonly originalUrl: string
  readonly method: string
  readonly headers: Headers.Headers
  readonly remoteAddress: string | undefined
}

export type Overrides = {
  readonly [Key in "url" | "headers" | "remoteAddress"]?: Head[Key] | undefined
}

/** A head with the given parts replaced. */
export const overridden = (head: Head, { headers, remoteAddress, url }: Overrides): Head => ({
  ...head,
  url: url ?? head.url,
  headers: headers ?? head.headers,
  remoteAddress: remoteAddress ?? head.remoteAddress
})

/** A request of any server. Neither its printed form nor its JSON shows what was sent. */
export abstract class ReceivedRequest<B extends Body>
  extends Inspectable.Class
  implements HttpServerRequest.HttpServerRequest
{
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly body: B
  readonly head: Head

  constructor(body: B, head: Head) {
    super()
    this.body = body
    this.head = head
  }

  abstract readonly text: Effect.Effect<string, HttpServerError.RequestError>
  abstract readonly stream: HttpServerRequest.HttpServerRequest["stream"]
  abstract readonly multipart: HttpServerRequest.HttpServerRequest["multipart"]
  abstract readonly multipartStream: HttpServerRequest.HttpServerRequest["multipartStream"]
  abstract modify(options: Overrides): HttpServerRequest.HttpServerRequest

  get source(): B["source"] {
    return this.body.source
  }

  get url(): string {
    return this.head.url
  }

  get originalUrl(): string {
    return this.head.originalUrl
  }

  get method(): HttpMethod {
    return this.head.method as HttpMethod
  }

  get headers(): Headers.Headers {
    return this.head.headers
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromNullable(this.head.remoteAddress)
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  protected refuse(cause: unknown): HttpServerError.RequestError {
    return new HttpServerError.RequestError({ request: this, reason: "Decode", cause })
  }

  /** Under the limit that the operation sets with `withMaxBodySize`, or else the server's. */
  protected read<A>(
    bytes: (bytes: Uint8Array) => Exit.Exit<A, HttpServerError.RequestError>
  ): Effect.Effect<A, HttpServerError.RequestError> {
    return Effect.withFiberRuntime((fiber) => {
      const own = Context.get(fiber.currentContext, HttpIncomingMessage.MaxBodySize)
      const max = Option.isSome(own) ? Number(own.value) : this.body.max
      return this.body.read(max, { bytes, refused: (reason) => Exit.fail(this.refuse(reason)) })
    })
  }

  protected get bytes(): Effect.Effect<Uint8Array, HttpServerError.RequestError> {
    return this.read(Exit.succeed)
  }

  get json(): Effect.Effect<unknown, HttpServerError.RequestError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({ try: () => JSON.parse(text) as unknown, catch: () => this.refuse(notJson) })
    )
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.RequestError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.RequestError> {
    return Effect.map(this.bytes, ({ buffer, byteLength, byteOffset }) =>
      buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
        ? buffer
        : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)
    )
  }

  get upgrade(): Effect.Effect<never, HttpServerError.RequestError> {
    return Effect.fail(this.refuse("a plain request cannot be upgraded"))
  }

  override toString(): string {
    return `Request(${this.method})`
  }

  toJSON(): unknown {
    return { _id: "outdial/http/Request", method: this.method }
  }
}
