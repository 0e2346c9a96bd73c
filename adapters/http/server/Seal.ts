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
  return HttpServerResponse.setHeaders(answer, {
    "x-request-id": request_id,
    "x-content-type-options": "nosniff",
    ...(quota !== null && FairUse.headers(quota)),
    ...(isJson(headers["content-type"]) &&
      headers["cache-control"] === undefined && { "cache-control": "no-store" }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 503 && headers["retry-after"] === undefined && { "retry-after": retryAfterSeconds })
  })
}
