import { Cause, Effect, Stream } from "effect"
import type { OutgoingHttpHeaders, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Cookies from "@effect/platform/Cookies"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type { NodeBody } from "./NodeRequest.ts"

/** How long, and for how many bytes, the rest of a refused body is taken in so that its answer is read. */
const lingerMillis = 2_000
const lingerBytes = 8 * 1024 * 1024

const headersOf = ({ cookies, headers }: HttpServerResponse.HttpServerResponse): OutgoingHttpHeaders => {
  // Not spread: see `sealed`.
  const sent: OutgoingHttpHeaders = {}
  for (const name of Object.keys(headers)) sent[name] = headers[name]
  if (!Cookies.isEmpty(cookies)) sent["set-cookie"] = Cookies.toSetCookieHeaders(cookies)
  return sent
}

/**
 * Ends a response while its request still arrives. To close at once would reset the connection before the client
 * has read the answer, so the rest of the request is read and dropped for a while.
 */
const endLingering = (response: ServerResponse) => {
  const source = response.req
  let size = 0
  const end = () => {
    clearTimeout(timer)
    if (!response.writableEnded) response.end()
  }
  const timer = setTimeout(end, lingerMillis)
  source.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > lingerBytes) end()
  })
  source.on("end", end)
  source.on("close", end)
  source.resume()
}

/** Whether more of the request's body may come than is worth reading. */
const leavesBody = ({ awaited, begun, length, max, source }: NodeBody): boolean => {
  if (source.complete) return false
  if (begun || awaited) return true
  return length === undefined ? source.headers["transfer-encoding"] !== undefined : length > max
}

/** Writes a body piece by piece. If that fails it breaks the connection off, and logs why unless the client has left. */
const streamed = <E>(response: ServerResponse, writing: Effect.Effect<void, E>): Effect.Effect<void> =>
  writing.pipe(
    Effect.interruptible,
    Effect.catchAllCause((cause) => {
      const clientLeft = response.destroyed || Cause.isInterruptedOnly(cause)
      response.destroy()
      return clientLeft ? Effect.void : Effect.logError("a response broke off", cause)
    })
  )

/**
 * Writes a piece, and waits until the client has read what came before. It interrupts when the client has closed
 * the connection or has read nothing for `stallMillis`.
 */
const written = (response: ServerResponse, piece: Uint8Array, stallMillis: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (response.destroyed) return resume(Effect.interrupt)
    if (response.write(piece)) return resume(Effect.void)
    const forget = () => {
      clearTimeout(timer)
      response.off("drain", onDrain)
      response.off("close", onClose)
    }
    const onDrain = () => {
      forget()
      resume(Effect.void)
    }
    const onClose = () => {
      forget()
      resume(Effect.interrupt)
    }
    const timer = setTimeout(() => response.destroy(), stallMillis)
    response.on("drain", onDrain)
    response.on("close", onClose)
    return Effect.sync(forget)
  })

/** A write fails when the client has closed the connection meanwhile. That is no error of the server. */
const ignored = () => {}

export interface RespondOptions {
  /** Whether the connection is to be closed afterwards. */
  readonly closing: boolean
  /** How long a client may leave a streamed answer unread. */
  readonly stallMillis: number
}

/** Answers. Where the body is known, head and body go out in one write. */
export const respond = (
  body: NodeBody,
  answer: HttpServerResponse.HttpServerResponse,
  { closing, stallMillis }: RespondOptions
): Effect.Effect<void> => {
  const { response, source } = body
  if (response.writableEnded || response.destroyed) return Effect.void
  const headers = headersOf(answer)
  const unread = leavesBody(body)
  if (closing || unread) headers["connection"] = "close"
  const end = (payload: string | Uint8Array | null) => {
    if (payload !== null) {
      headers["content-length"] = typeof payload === "string" ? Buffer.byteLength(payload) : payload.length
    }
    response.writeHead(answer.status, headers)
    const shown = source.method === "HEAD" ? null : payload
    if (!unread) response.end(shown)
    else {
      if (shown !== null) response.write(shown)
      else response.flushHeaders()
      endLingering(response)
    }
    return Effect.void
  }
  const payload = answer.body
  switch (payload._tag) {
    case "Empty":
      return end(answer.status === 204 || answer.status === 304 ? null : "")
    case "Uint8Array":
      return end(payload.body)
    case "Raw": {
      const raw = payload.body
      if (typeof raw === "string" || raw instanceof Uint8Array) return end(raw)
      if (raw === null || raw === undefined) return end("")
      if (raw instanceof Readable) {
        response.writeHead(answer.status, headers)
        return source.method === "HEAD"
          ? end(null)
          : streamed(
              response,
              Effect.promise((signal) => pipeline(raw, response, { signal }))
            )
      }
      return Effect.promise(() =>
        new Response(raw as ConstructorParameters<typeof Response>[0]).arrayBuffer()
      ).pipe(Effect.flatMap((bytes) => end(new Uint8Array(bytes))))
    }
    case "FormData": {
      const encoded = new Response(payload.formData)
      headers["content-type"] = encoded.headers.get("content-type") ?? "multipart/form-data"
      return Effect.flatMap(
        Effect.promise(() => encoded.arrayBuffer()),
        (bytes) => end(new Uint8Array(bytes))
      )
    }
    case "Stream":
      response.writeHead(answer.status, headers)
      if (source.method === "HEAD") return Effect.sync(() => void response.end())
      response.on("error", ignored)
      return streamed(
        response,
        Effect.zipRight(
          Stream.runForEach(payload.stream, (piece) => written(response, piece, stallMillis)),
          Effect.sync(() => response.end())
        )
      )
  }
}
