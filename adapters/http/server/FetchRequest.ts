import * as Headers from "@effect/platform/Headers"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import * as Multipart from "@effect/platform/Multipart"
import { Effect, Either, Exit, Stream } from "effect"
import { BodyRefused, bodyTooLarge, notUtf8 } from "../contract/Errors.ts"
import {
  type Body,
  type Head,
  type Made,
  overridden,
  type Overrides,
  ReceivedRequest
} from "./ReceivedRequest.ts"

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

/** The body of one request. */
export class FetchBody implements Body {
  private outcome: Promise<Either.Either<Uint8Array, BodyRefused>> | undefined
  readonly source: Request
  readonly max: number
  /** How long it may take to arrive. */
  readonly timeoutMillis: number

  constructor(source: Request, max: number, timeoutMillis: number) {
    this.source = source
    this.max = max
    this.timeoutMillis = timeoutMillis
  }

  read<A, E>(max: number, { bytes, refused }: Made<A, E>): Effect.Effect<A, E> {
    return Effect.flatMap(
      Effect.promise(() => (this.outcome ??= this.collect(max))),
      Either.match({ onLeft: refused, onRight: bytes })
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

/** With the byte order mark that it may begin with, as everywhere else. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const pathOf = (url: string): string => {
  const at = url.indexOf("/", url.indexOf("://") + 3)
  return at === -1 ? "/" : url.slice(at)
}

const headOf = (source: Request): Head => ({
  url: pathOf(source.url),
  originalUrl: source.url,
  method: source.method,
  headers: Headers.fromInput(source.headers),
  remoteAddress: undefined
})

/** A web-standard request. */
export class FetchRequest extends ReceivedRequest<FetchBody> {
  constructor(body: FetchBody, head: Head = headOf(body.source)) {
    super(body, head)
  }

  override modify(options: Overrides): FetchRequest {
    return new FetchRequest(this.body, overridden(this.head, options))
  }

  override get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return this.read((bytes) => {
      try {
        return Exit.succeed(decoder.decode(bytes))
      } catch {
        return Exit.fail(this.refuse(notUtf8))
      }
    })
  }

  override get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return Stream.fromEffect(this.bytes)
  }

  override get multipart() {
    return Effect.fail(
      new Multipart.MultipartError({ reason: "InternalError", cause: "forms are read whole" })
    )
  }

  override get multipartStream() {
    return Stream.fromEffect(this.multipart)
  }
}
