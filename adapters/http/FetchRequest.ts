import * as Cookies from "@effect/platform/Cookies"
import * as Headers from "@effect/platform/Headers"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Multipart from "@effect/platform/Multipart"
import * as UrlParams from "@effect/platform/UrlParams"
import { Context, Effect, Either, Inspectable, Option, Stream } from "effect"
import { BodyRefused, bodyTooLarge, notJson, notUtf8 } from "./Errors.ts"

const endedEarly = new BodyRefused({ status: 400, message: "the body ended early" })
const tooSlow = new BodyRefused({ status: 408, message: "the request took too long to arrive" })

const joined = (pieces: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  if (pieces.length === 1) return pieces[0]!
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** The body of one request, read at its first use and at most once. */
export class FetchBody {
  private outcome: Promise<Either.Either<Uint8Array, BodyRefused>> | undefined
  readonly source: Request
  /** Bytes that it may have, where no operation says otherwise. */
  readonly max: number
  /** How long it may take to arrive. */
  readonly timeoutMillis: number

  constructor(source: Request, max: number, timeoutMillis: number) {
    this.source = source
    this.max = max
    this.timeoutMillis = timeoutMillis
  }

  /** All of it, unless it has more than `max` bytes; the limit of the first reader holds. */
  bytes(max: number): Effect.Effect<Uint8Array, BodyRefused> {
    return Effect.flatten(
      Effect.promise(() => (this.outcome ??= this.collect(max))) as Effect.Effect<
        Effect.Effect<Uint8Array, BodyRefused>
      >
    )
  }

  private async collect(max: number): Promise<Either.Either<Uint8Array, BodyRefused>> {
    const { body, headers } = this.source
    if (Number(headers.get("content-length") ?? 0) > max) return Either.left(bodyTooLarge(max))
    if (body === null) return Either.right(new Uint8Array())
    const reader = body.getReader()
    let late = false
    const stop = (reason: BodyRefused) => {
      reader.cancel().catch(() => {})
      return Either.left(reason)
    }
    const timer = setTimeout(() => {
      late = true
      reader.cancel().catch(() => {})
    }, this.timeoutMillis)
    const pieces: Array<Uint8Array> = []
    let size = 0
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (late) return Either.left(tooSlow)
        if (done) return Either.right(joined(pieces, size))
        size += value.length
        if (size > max) return stop(bodyTooLarge(max))
        pieces.push(value)
      }
    } catch {
      return Either.left(late ? tooSlow : endedEarly)
    } finally {
      clearTimeout(timer)
    }
  }
}

interface Overrides {
  readonly url?: string | undefined
  readonly headers?: Headers.Headers | undefined
  readonly remoteAddress?: string | undefined
}

/** With the byte order mark that it may begin with, as everywhere else. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const pathOf = (url: string): string => {
  const at = url.indexOf("/", url.indexOf("://") + 3)
  return at === -1 ? "/" : url.slice(at)
}

/** A web-standard request. Neither its printed form nor its JSON shows what was sent. */
export class FetchRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly body: FetchBody
  readonly source: Request
  readonly url: string
  readonly method: HttpMethod
  readonly headers: Headers.Headers
  private readonly overrides: Overrides

  constructor(body: FetchBody, overrides: Overrides = {}) {
    super()
    const { source } = body
    this.body = body
    this.source = source
    this.overrides = overrides
    this.url = overrides.url ?? pathOf(source.url)
    this.method = source.method as HttpMethod
    this.headers = overrides.headers ?? Headers.fromInput(source.headers)
  }

  get originalUrl(): string {
    return this.source.url
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromNullable(this.overrides.remoteAddress)
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  modify(options: Overrides): FetchRequest {
    return new FetchRequest(this.body, { ...this.overrides, ...options })
  }

  private refuse(cause: unknown): HttpServerError.RequestError {
    return new HttpServerError.RequestError({ request: this, reason: "Decode", cause })
  }

  /** Under the limit that the operation sets with `withMaxBodySize`, or else the server's. */
  private get bytes() {
    return Effect.withFiberRuntime<Uint8Array, HttpServerError.RequestError>((fiber) => {
      const own = Context.get(fiber.currentContext, HttpIncomingMessage.MaxBodySize)
      const max = Option.isSome(own) ? Number(own.value) : this.body.max
      return Effect.mapError(this.body.bytes(max), (cause) => this.refuse(cause))
    })
  }

  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return Effect.flatMap(this.bytes, (bytes) =>
      Effect.try({ try: () => decoder.decode(bytes), catch: () => this.refuse(notUtf8) })
    )
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

  get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return Stream.fromEffect(this.bytes)
  }

  get multipart() {
    return Effect.fail(
      new Multipart.MultipartError({ reason: "InternalError", cause: "forms are read whole" })
    )
  }

  get multipartStream() {
    return Stream.fromEffect(this.multipart)
  }

  get upgrade(): Effect.Effect<never, HttpServerError.RequestError> {
    return Effect.fail(this.refuse("a plain request cannot be upgraded"))
  }

  override toString(): string {
    return `FetchRequest(${this.method})`
  }

  toJSON(): unknown {
    return { _id: "outdial/http/FetchRequest", method: this.method }
  }
}
