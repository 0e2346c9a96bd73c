import { promisify } from "node:util"
import { gzip } from "node:zlib"
import * as HttpBody from "@effect/platform/HttpBody"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"

/** Shorter answers fit into one packet as they are. */
const leastBytes = 1_024

const zip = promisify(gzip)

/** By the bytes themselves: documents are the same bytes each time, and take long. */
const known = new WeakMap<Uint8Array, Promise<Uint8Array>>()

const zipped = (bytes: Uint8Array): Promise<Uint8Array> => {
  const result = known.get(bytes) ?? zip(bytes)
  known.set(bytes, result)
  return result
}

const isText = (contentType: string | undefined) => /^(?:application\/json|text\/)/.test(contentType ?? "")

/** What an answer says that is worth compressing; null of all others, and of answers that are streamed. */
const longOf = ({ body, headers }: HttpServerResponse.HttpServerResponse): Uint8Array | string | null => {
  const said =
    body._tag === "Uint8Array"
      ? body.body
      : body._tag === "Raw" && typeof body.body === "string"
        ? body.body
        : null
  if (said === null || said.length < leastBytes) return null
  return isText(headers["content-type"]) && headers["content-encoding"] === undefined ? said : null
}

const bytesOf = (said: Uint8Array | string) =>
  typeof said === "string" ? new TextEncoder().encode(said) : said

/** Source: RFC 9110, 12.5.3. */
const takesGzip = (accepted: string | undefined): boolean =>
  (accepted ?? "").split(",").some((each) => {
    const [name, ...parameters] = each.split(";").map((part) => part.trim().toLowerCase())
    return (name === "gzip" || name === "*") && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))
  })

/** Documents and JSON of 1 kB and more, gzipped for clients that take it. */
export const compressed = (
  { headers }: HttpServerRequest.HttpServerRequest,
  answer: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const said = longOf(answer)
  if (said === null) return Effect.succeed(answer)
  const varying = HttpServerResponse.setHeader(answer, "vary", "accept-encoding")
  if (!takesGzip(headers["accept-encoding"])) return Effect.succeed(varying)
  return Effect.map(
    Effect.promise(() => zipped(bytesOf(said))),
    (body) =>
      HttpServerResponse.setBody(
        HttpServerResponse.setHeader(varying, "content-encoding", "gzip"),
        HttpBody.uint8Array(body, answer.headers["content-type"])
      )
  )
}
