import { Effect } from "effect"
import { response } from "../contract/Coded.ts"
import * as Provider from "./Provider.ts"

/** Source: RFC 9110, 10.2.3: whole seconds. */
const throttled = ({ retry_after }: { readonly retry_after: number }) => {
  const seconds = Math.max(1, Math.ceil(retry_after))
  const message = `scenario generation is rate-limited: try again in ${seconds} seconds`
  return Effect.succeed(response(429, "too_many_requests", message, { "retry-after": String(seconds) }))
}

const event = "a generation of scenarios failed"

/** What a client is told of a generation that failed. Source: contract, "Errors", by condition. */
export const failures = {
  TooManyRequests: throttled,
  ModelBusy: throttled,
  ModelUnusable: Provider.failed(event, 502, "bad_gateway", "the generator returned no usable scenarios"),
  ModelUnavailable: Provider.failed(event, 503, "service_unavailable", "the test runner is unreachable"),
  ModelTimedOut: Provider.failed(event, 504, "gateway_timeout", "scenario generation timed out")
}
