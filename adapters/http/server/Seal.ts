import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

const retryAfterSeconds = "5"

const isJson = (contentType: string | undefined) => contentType?.startsWith("application/json") === true

/** The headers that every answer carries, whatever it is. */
export const sealed = (
  answer: HttpServerResponse.HttpServerResponse,
  request_id: string
): HttpServerResponse.HttpServerResponse => {
  const { headers, status } = answer
  return HttpServerResponse.setHeaders(answer, {
    "x-request-id": request_id,
    "x-content-type-options": "nosniff",
    ...(isJson(headers["content-type"]) &&
      headers["cache-control"] === undefined && { "cache-control": "no-store" }),
    ...(status === 401 && { "www-authenticate": "Bearer" }),
    ...(status === 503 && headers["retry-after"] === undefined && { "retry-after": retryAfterSeconds })
  })
}
