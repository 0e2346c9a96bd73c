import { Config, ConfigError, Either } from "effect"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"

/**
 * Lets pages of other origins read answers. Source: Fetch Standard, "CORS protocol".
 *
 * It is not @effect/platform's `HttpMiddleware.cors`: that one adds its headers in a pre-response handler, which
 * servers run that are built by `HttpApp.toHandled`; it answers every OPTIONS, and its preflight loses `Vary: Origin`.
 */
export interface Cors {
  /** The answer to a preflight of an origin that is let in; undefined for every other request. */
  readonly preflight: (
    request: HttpServerRequest.HttpServerRequest
  ) => HttpServerResponse.HttpServerResponse | undefined
  readonly shared: (
    request: HttpServerRequest.HttpServerRequest,
    answer: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse
}

const methods = "GET, HEAD, POST, PATCH, DELETE"
/** What a client sends beside what any page may send. */
const taken =
  "authorization, content-type, idempotency-key, if-range, range, traceparent, tracestate, x-api-key, x-request-id"
/** What an answer tells beside its type, its length and its caching. */
const exposed =
  "accept-ranges, allow, content-disposition, content-range, etag, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id"
/** Seconds for which a browser may remember a preflight: two hours, the most that Chromium does. */
const remembered = "7200"

const varying = (answer: HttpServerResponse.HttpServerResponse) => {
  const { vary } = answer.headers
  return HttpServerResponse.setHeader(answer, "vary", vary === undefined ? "origin" : `${vary}, origin`)
}

/** Without credentials: keys and tokens are headers, and there is no cookie. */
export const make = (origins: ReadonlyArray<string>): Cors => {
  const known = new Set(origins)
  const originOf = ({ headers }: HttpServerRequest.HttpServerRequest) => {
    const { origin } = headers
    return origin !== undefined && known.has(origin) ? origin : undefined
  }
  return {
    preflight: (request) =>
      request.method === "OPTIONS" &&
      request.headers["access-control-request-method"] !== undefined &&
      originOf(request) !== undefined
        ? HttpServerResponse.empty({
            status: 204,
            headers: {
              "access-control-allow-methods": methods,
              "access-control-allow-headers": taken,
              "access-control-max-age": remembered
            }
          })
        : undefined,
    shared: (request, answer) => {
      const origin = originOf(request)
      return origin === undefined
        ? varying(answer)
        : HttpServerResponse.setHeaders(varying(answer), {
            "access-control-allow-origin": origin,
            "access-control-expose-headers": exposed
          })
    }
  }
}

const isOrigin = (text: string) =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text

/** `OUTDIAL_CORS_ORIGINS`: origins, separated by commas. None unless it is set. */
export const origins: Config.Config<ReadonlyArray<string>> = Config.string("OUTDIAL_CORS_ORIGINS").pipe(
  Config.mapOrFail((list) => {
    const origins = list.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim()]))
    return origins.every(isOrigin)
      ? Either.right(origins)
      : Either.left(
          ConfigError.InvalidData(
            [],
            "must be origins as browsers send them, such as https://app.example.com: no path, no standard port, separated by commas"
          )
        )
  }),
  Config.withDefault([])
)
