import { Effect, Layer, Schema } from "effect"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import { BodyRefused, PayloadTooLarge, RequestTimeout, UnsupportedMediaType } from "./Errors.ts"
import * as Exchange from "./RequestContext.ts"

const json = /^application\/json *(?:; *charset="?utf-?8"? *)?;? *$/i

/** Lets a request through whose body is JSON by its own account, or of no said type. */
export class JsonBody extends HttpApiMiddleware.Tag<JsonBody>()("outdial/http/JsonBody", {
  failure: Schema.Union(RequestTimeout, PayloadTooLarge, UnsupportedMediaType)
}) {}

const unsupported = Effect.fail(
  new BodyRefused({
    status: 415,
    message: "the body must be application/json in UTF-8, without a content-encoding"
  })
)

export const layer: Layer.Layer<JsonBody> = Layer.succeed(
  JsonBody,
  Exchange.withRequest(({ headers }) => {
    const type = headers["content-type"]
    if (type !== undefined && type !== "application/json" && !json.test(type)) return unsupported
    const encoding = headers["content-encoding"]
    return encoding === undefined || encoding === "identity" ? Effect.void : unsupported
  })
)
