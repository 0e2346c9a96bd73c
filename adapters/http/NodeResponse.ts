import type { OutgoingHttpHeaders, ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import * as Cookies from "@effect/platform/Cookies"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Stream } from "effect"
import type { NodeBody } from "./NodeRequest.ts"

/** How long, and for how many bytes, the rest of a refused body is taken in so that its answer is read. */
const lingerMillis = 1_000
const lingerBytes = 4 * 1024 * 1024

const headersOf = ({ cookies, headers }: HttpServerResponse.HttpServerResponse): OutgoingHttpHeaders =>
  Cookies.isEmpty(cookies)
    ? { ...headers }
    : { ...headers, "set-cookie": Cookies.toSetCookieHeaders(cookies) }

/**
 * Ends a response whose request is still being sent. Closing at once would reset the connection, and the client
 * might never see the answer; so the rest is read and dropped for a while.
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

const streamed = (response: ServerResponse, readable: Readable) =>
  Effect.promise((signal) => pipeline(readable, response, { signal })).pipe(
    Effect.interruptible,
    Effect.catchAllCause((cause) =>
      Effect.zipRight(
        Effect.sync(() => response.destroy()),
        response.req.destroyed ? Effect.void : Effect.logError("a response broke off", cause)
      )
    )
  )

/**
 * Answers. Where the body is known, head and body go out in one write.
 *
 * @param closing whether the connection is to be closed afterwards
 */
export const respond = (
  body: NodeBody,
  answer: HttpServerResponse.HttpServerResponse,
  closing: boolean
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
        return source.method === "HEAD" ? end(null) : streamed(response, raw)
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
      return Effect.flatMap(Stream.toReadableStreamEffect(payload.stream), (stream) =>
        streamed(response, Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]))
      )
  }
}
