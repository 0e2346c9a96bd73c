import { isUtf8 } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import * as Cookies from "@effect/platform/Cookies"
import type * as Headers from "@effect/platform/Headers"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import type { HttpMethod } from "@effect/platform/HttpMethod"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as UrlParams from "@effect/platform/UrlParams"
import { Context, Effect, Inspectable, Option, Stream } from "effect"
import { BodyRefused, bodyTooLarge, notJson, notUtf8 } from "./Errors.ts"

const endedEarly = new BodyRefused({ status: 400, message: "the body ended early" })

/** The body of one request, read at its first use and at most once. */
export class NodeBody {
  /** Whether anybody has begun to read it. */
  begun = false
  private outcome: Effect.Effect<Buffer, BodyRefused> | undefined
  private readonly waiting: Array<(outcome: Effect.Effect<Buffer, BodyRefused>) => void> = []
  readonly source: IncomingMessage
  readonly response: ServerResponse
  /** Bytes that it may have, where no operation says otherwise. */
  readonly max: number
  /** The client waits for leave to send it. */
  readonly awaited: boolean

  constructor(source: IncomingMessage, response: ServerResponse, max: number, awaited: boolean) {
    this.source = source
    this.response = response
    this.max = max
    this.awaited = awaited
  }

  /** Bytes by its own account; none when it is sent in chunks. */
  get length(): number | undefined {
    const length = this.source.headers["content-length"]
    return length === undefined ? undefined : Number(length)
  }

  /** Takes up the stream: whoever calls this has to read it. */
  begin() {
    if (this.begun) return
    this.begun = true
    if (this.awaited) this.response.writeContinue()
  }

  /** All of it, unless it has more than `max` bytes; the limit of the first reader holds. */
  bytes(max: number): Effect.Effect<Buffer, BodyRefused> {
    return Effect.async<Buffer, BodyRefused>((resume) => {
      if (this.outcome !== undefined) return resume(this.outcome)
      this.waiting.push(resume)
      if (this.waiting.length === 1) this.collect(max)
    })
  }

  private settle(outcome: Effect.Effect<Buffer, BodyRefused>) {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    for (const resume of this.waiting) resume(outcome)
  }

  private collect(max: number) {
    const { source } = this
    if ((this.length ?? 0) > max) return this.settle(Effect.fail(bodyTooLarge(max)))
    this.begin()
    const chunks: Array<Buffer> = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > max) {
        source.off("data", onData)
        source.pause()
        this.settle(Effect.fail(bodyTooLarge(max)))
      } else chunks.push(chunk)
    }
    source.on("data", onData)
    source.on("end", () =>
      this.settle(Effect.succeed(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
    )
    source.on("error", () => this.settle(Effect.fail(endedEarly)))
    source.on("close", () => this.settle(Effect.fail(endedEarly)))
  }
}

interface Overrides {
  readonly url?: string | undefined
  readonly headers?: Headers.Headers | undefined
  readonly remoteAddress?: string | undefined
}

/** A request of node's own server. Neither its printed form nor its JSON shows what was sent. */
export class NodeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly body: NodeBody
  readonly source: IncomingMessage
  readonly url: string
  readonly method: HttpMethod
  readonly headers: Headers.Headers
  private readonly overrides: Overrides

  constructor(body: NodeBody, overrides: Overrides = {}) {
    super()
    const { source } = body
    this.body = body
    this.source = source
    this.overrides = overrides
    this.url = overrides.url ?? source.url!
    this.method = source.method as HttpMethod
    this.headers = overrides.headers ?? (source.headers as Headers.Headers)
  }

  get originalUrl(): string {
    return this.source.url!
  }

  get remoteAddress(): Option.Option<string> {
    return Option.fromNullable(this.overrides.remoteAddress ?? this.source.socket.remoteAddress)
  }

  get cookies() {
    return Cookies.parseHeader(this.headers["cookie"] ?? "")
  }

  modify(options: Overrides): NodeRequest {
    return new NodeRequest(this.body, { ...this.overrides, ...options })
  }

  private refuse(cause: unknown): HttpServerError.RequestError {
    return new HttpServerError.RequestError({ request: this, reason: "Decode", cause })
  }

  /** Under the limit that the operation sets with `withMaxBodySize`, or else the server's. */
  private get bytes() {
    return Effect.withFiberRuntime<Buffer, HttpServerError.RequestError>((fiber) => {
      const own = Context.get(fiber.currentContext, HttpIncomingMessage.MaxBodySize)
      const max = Option.isSome(own) ? Number(own.value) : this.body.max
      return Effect.mapError(this.body.bytes(max), (cause) => this.refuse(cause))
    })
  }

  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return Effect.flatMap(this.bytes, (bytes) =>
      isUtf8(bytes) ? Effect.succeed(bytes.toString("utf8")) : Effect.fail(this.refuse(notUtf8))
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
    return Effect.map(this.bytes, ({ buffer, byteOffset, length }) =>
      buffer instanceof ArrayBuffer && buffer.byteLength === length
        ? buffer
        : (buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer)
    )
  }

  /** As it arrives, under no limit but what its reader sets. */
  get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return Stream.suspend(() => {
      this.body.begin()
      return Stream.fromAsyncIterable<Uint8Array, HttpServerError.RequestError>(this.source, () =>
        this.refuse(endedEarly)
      )
    })
  }

  get multipart() {
    return Effect.suspend(() => {
      this.body.begin()
      return NodeMultipart.persisted(this.source, this.source.headers)
    })
  }

  get multipartStream() {
    return Stream.suspend(() => {
      this.body.begin()
      return NodeMultipart.stream(this.source, this.source.headers)
    })
  }

  get upgrade(): Effect.Effect<never, HttpServerError.RequestError> {
    return Effect.fail(this.refuse("a plain request cannot be upgraded"))
  }

  override toString(): string {
    return `NodeRequest(${this.method})`
  }

  toJSON(): unknown {
    return { _id: "outdial/http/NodeRequest", method: this.method }
  }
}
