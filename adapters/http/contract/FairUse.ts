import { Effect } from "effect"
import { type Quota, TooManyRequests } from "../../../core/ports/RateLimits.ts"
import * as Coded from "./Coded.ts"
import { Answered } from "./Repeated.ts"

/** What is left of a credential's requests. Source: draft-ietf-httpapi-ratelimit-headers-10. */
export const headers = ({ limit, remaining, reset, window }: Quota): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"requests";q=${limit};w=${window}`,
  ratelimit: `"requests";r=${remaining};t=${reset}`
})

/** Answers a request that is one too many. */
export const refuse = (quota: Quota): Effect.Effect<never> => {
  const retry_after = Math.max(1, quota.retry_after)
  const { message } = new TooManyRequests({ retry_after })
  return Effect.die(
    new Answered(Coded.response(429, "too_many_requests", message, { "retry-after": String(retry_after) }))
  )
}
