import { isUtf8 } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import * as NodeMultipart from "@effect/platform-node/NodeMultipart"
import type * as Headers from "@effect/platform/Headers"
import type * as HttpServerError from "@effect/platform/HttpServerError"
import { Cause, Effect, Either, Exit, Stream } from "effect"
import { BodyRefused, bodyTooLarge, notUtf8 } from "../contract/Errors.ts"
import {
  type Body,
  type Head,
  type Made,
  overridden,
  type Overrides,
  ReceivedRequest
} from "./ReceivedRequest.ts"

const readAlready = Exit.die(new Error("a large body can be read once"))
const endedEarly = new BodyRefused({ status: 400, message: "the body ended early" })

type Outcome = Exit.Exit<Buffer, BodyRefused>

const madeOf = <A, E>(outcome: Outcome, { bytes, refused }: Made<A, E>): Exit.Exit<A, E> =>
  Exit.isSuccess(outcome)
    ? bytes(outcome.value)
    : Either.match(Cause.failureOrCause(outcome.cause), { onLeft: refused, onRight: Exit.failCause })

/** The body of one request. */
export class NodeBody implements Body {
  /** Whether a handler has begun to read it. */
  begun = false
  private outcome: Outcome | undefined
  private readonly waiting: Array<(outcome: Outcome) => void> = []
  readonly source: IncomingMessage
  readonly response: ServerResponse
  readonly max: number
  /** The client waits for `100 Continue` before it sends the body. */
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

  /** Takes up the stream. The caller then has to read it. */
  begin() {
    if (this.begun) return
    this.begun = true
    if (this.awaited) this.response.writeContinue()
  }

  read<A, E>(max: number, made: Made<A, E>): Effect.Effect<A, E> {
    return Effect.async<A, E>((resume) => {
      if (this.outcome !== undefined) return resume(madeOf(this.outcome, made))
      this.waiting.push((outcome) => resume(madeOf(outcome, made)))
      if (this.waiting.length === 1) this.collect(max)
    })
  }

  private settle(outcome: Outcome, kept = outcome) {
    if (this.outcome !== undefined) return
    this.outcome = kept
    for (const resume of this.waiting.splice(0)) resume(outcome)
  }

  private collect(max: number) {
    const { source } = this
    if ((this.length ?? 0) > max) return this.settle(Exit.fail(bodyTooLarge(max)))
    this.begin()
    const chunks: Array<Buffer> = []
    let size = 0
    // Pieces of an upload that are kept until its end outlive many collections of garbage, and hold as much again
    // for long after it: where its length is known, each is copied into its place.
    let whole: Buffer | undefined
    const onData = (chunk: Buffer) => {
      const { length = 0 } = this
      if (size === 0 && length > this.max) whole = Buffer.allocUnsafeSlow(length)
      if (whole !== undefined) chunk.copy(whole, size)
      size += chunk.length
      if (size > max) {
        source.off("data", onData)
        source.pause()
        this.settle(Exit.fail(bodyTooLarge(max)))
      } else if (whole === undefined) chunks.push(chunk)
    }
    source.on("data", onData)
    source.on("end", () => {
      const all = Exit.succeed(whole ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)))
      whole = undefined
      chunks.length = 0
      // An upload is read once, and its answer may wait for long.
      this.settle(all, size > this.max ? readAlready : all)
    })
    source.on("error", () => this.settle(Exit.fail(endedEarly)))
    source.on("close", () => this.settle(Exit.fail(endedEarly)))
  }
}

const headOf = (source: IncomingMessage): Head => ({
  url: source.url!,
  originalUrl: source.url!,
  method: source.method!,
  headers: source.headers as Headers.Headers,
  remoteAddress: source.socket.remoteAddress
})

/** A request of node's own server. */
export class NodeRequest extends ReceivedRequest<NodeBody> {
  constructor(body: NodeBody, head: Head = headOf(body.source)) {
    super(body, head)
  }

  override modify(options: Overrides): NodeRequest {
    return new NodeRequest(this.body, overridden(this.head, options))
  }

  override get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return this.read((bytes) =>
      isUtf8(bytes) ? Exit.succeed((bytes as Buffer).toString("utf8")) : Exit.fail(this.refuse(notUtf8))
    )
  }

  /** As it arrives, under no limit but what its reader sets. */
  override get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return Stream.suspend(() => {
      this.body.begin()
      return Stream.fromAsyncIterable<Uint8Array, HttpServerError.RequestError>(this.source, () =>
        this.refuse(endedEarly)
      )
    })
  }

  override get multipart() {
    return Effect.suspend(() => {
      this.body.begin()
      return NodeMultipart.persisted(this.source, this.source.headers)
    })
  }

  override get multipartStream() {
    return Stream.suspend(() => {
      this.body.begin()
      return NodeMultipart.stream(this.source, this.source.headers)
    })
  }
}
