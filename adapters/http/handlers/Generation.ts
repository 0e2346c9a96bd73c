import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { Effect } from "effect"
import type { ModelFailure } from "../../../core/ports/AgentSimulator.ts"
import { ApiError, response } from "../Coded.ts"
import * as Exchange from "../Exchange.ts"

/** Source: RFC 9110, 10.2.3: whole seconds. */
const throttled = ({ retry_after }: { readonly retry_after: number }) => {
  const seconds = Math.max(1, Math.ceil(retry_after))
  const message = `scenario generation is rate-limited: try again in ${seconds} seconds`
  return Effect.succeed(response(429, "too_many_requests", message, { "retry-after": String(seconds) }))
}

/** The model's own words are for the operator, and stay in the log. */
const failed =
  (status: number, code: string, message: string) =>
  ({ _tag: failure, message: reason }: ModelFailure) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const { request_id, workspace_id } = Exchange.of(request) ?? {}
      return Effect.zipRight(
        Effect.annotateLogs(Effect.logWarning("a generation of scenarios failed"), {
          failure,
          reason,
          request_id,
          workspace_id
        }),
        Effect.fail(new ApiError({ status, code, message }))
      )
    })

/** What a client is told of a generation that failed. Source: contract, "Errors", by condition. */
export const failures = {
  TooManyRequests: throttled,
  ModelBusy: throttled,
  ModelUnusable: failed(502, "bad_gateway", "the generator returned no usable scenarios"),
  ModelUnavailable: failed(503, "service_unavailable", "the test runner is unreachable"),
  ModelTimedOut: failed(504, "gateway_timeout", "scenario generation timed out")
}
