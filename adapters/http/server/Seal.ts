import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import type { Quota } from "../../../core/ports/RateLimits.ts"
import * as FairUse from "../contract/FairUse.ts"

const retryAfterSeconds = "5"

const isJson = (contentType: string | undefined) => contentType?.startsWith("application/json") === true

/** The headers that every answer carries, whatever it is. */
export const sealed = (
  answer: HttpServerResponse.HttpServerResponse,
  request_id: string,
  quota: Quota | null = null
): HttpServerResponse.HttpServerResponse => {
  const { headers, status } = answer
  const more = {
    "x-request-id": request_id,
    "x-content-type-options": "nosniff",
    ...(quota !== null && FairUse.headers(quota)),
    ...(isJson(headers["content-type"]) &&
      headers["cache-control"] === undefined && { "cache-control": "no-store" }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 503 && headers["retry-after"] === undefined && { "retry-after": retryAfterSeconds })
  }
  // One by one: what is added to a spread copy, as by `setHeaders`, has V8 make a hidden class for each answer.
  let sealed = answer
  for (const [name, value] of Object.entries(more)) sealed = HttpServerResponse.setHeader(sealed, name, value)
  return sealed
}
