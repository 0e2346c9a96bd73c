import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import type { PresentedLink } from "../../../core/ports/RecordingLinks.ts"
import type { Audio } from "../../../core/ports/RecordingStore.ts"
import { Recordings } from "../../../core/usecases/Recordings.ts"
import * as Coded from "../contract/Coded.ts"
import * as ByteRange from "./ByteRange.ts"

/** Below the base path. */
export const path = "/recordings/:recording_id/audio"

/** A name that a header can hold as it stands. */
const nameOf = (recording_id: string) => `${recording_id.replaceAll(/[^A-Za-z0-9_-]/g, "_")}.wav`

/** A parameter that is given once, or nothing. */
const one = (value: string | ReadonlyArray<string> | undefined) => (typeof value === "string" ? value : "")

const linkOf = (
  recording_id: string,
  { expires, signature, workspace }: Readonly<Record<string, string | ReadonlyArray<string>>>
): PresentedLink => ({
  recording_id,
  workspace_id: one(workspace),
  expires: one(expires),
  signature: one(signature)
})

/** The file or the part of it that is asked for. What follows a link must not give it away, nor a proxy keep it. */
const answer = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  recording_id: string,
  { bytes, size_bytes }: Audio
) => {
  const etag = `"${nameOf(recording_id)}"`
  const isSame = headers["if-range"] === undefined || headers["if-range"] === etag
  const range = ByteRange.parse(method === "GET" && isSame ? headers["range"] : undefined, size_bytes)
  const common = {
    "accept-ranges": "bytes",
    "cache-control": "private",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff"
  }
  if (range === "beyond") {
    return Coded.response(416, "invalid_request", "the range lies beyond the recording's end", {
      ...common,
      "content-range": `bytes */${size_bytes}`
    })
  }
  const { from, until } = range === "all" ? { from: 0, until: size_bytes } : range
  return HttpServerResponse.stream(bytes(from, until), {
    status: range === "all" ? 200 : 206,
    contentType: "audio/wav",
    contentLength: until - from,
    headers: {
      ...common,
      etag,
      "content-disposition": `inline; filename="${nameOf(recording_id)}"`,
      ...(range !== "all" && { "content-range": `bytes ${from}-${until - 1}/${size_bytes}` })
    }
  })
}

/**
 * `GET` and `HEAD /recordings/{recording_id}/audio`: the audio behind a signed link, without a key. 403 for a link
 * that is expired, altered or another recording's, 404 for a valid link whose audio is gone.
 */
export const layer = HttpLayerRouter.use(
  Effect.fnUntraced(function* (router) {
    const recordings = yield* Recordings
    const found = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { recording_id = "" } = yield* HttpLayerRouter.params
      const link = linkOf(recording_id, yield* HttpServerRequest.ParsedSearchParams)
      return answer(request, recording_id, yield* recordings.open(link))
    }).pipe(
      Effect.catchTags({
        LinkRefused: ({ message }) => Effect.succeed(Coded.response(403, "forbidden", message)),
        RecordingNotFound: () =>
          Effect.succeed(Coded.response(404, "not_found", "there is no audio of this recording"))
      })
    )
    yield* router.add("GET", path, found)
  })
)
