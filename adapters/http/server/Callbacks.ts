import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { CarrierCallbacks } from "../../shared/CarrierCallbacks.ts"

/** Everything below `/callbacks/` is the carrier's: it needs no API key, since it proves itself. */
export const layer = HttpLayerRouter.use(
  Effect.fnUntraced(function* (router) {
    const callbacks = yield* CarrierCallbacks
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { body, contentType, status } = yield* callbacks.handle({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: yield* request.text
      })
      return HttpServerResponse.text(body, { status, contentType })
    })
    yield* router.add("*", "/callbacks/*", answer)
  })
)
