import { Data, ParseResult } from "effect"
import type { AiError } from "@effect/ai/AiError"
import { describe, issuesOf } from "../../core/model/Issues.ts"
import { ModelUnavailable, ModelUnusable } from "../../core/ports/ModelFailure.ts"
import { retryAfter } from "../shared/RetryAfter.ts"
import { usedUp } from "./Wire.ts"

const mostWait = 60 * 60 * 1_000

/** The answer is not what was asked for. The issues repeat nothing of it. */
export class Unfit extends Data.TaggedError("Unfit")<{ readonly issues: ReadonlyArray<string> }> {}

/** The model asks to slow down: for `wait` milliseconds, or null when it does not say. */
export class SlowDown extends Data.TaggedError("SlowDown")<{ readonly wait: number | null }> {}

/** What a status means that is no 2xx. `header`: Retry-After. `now` in epoch milliseconds. */
export const fromStatus = (status: number, header: string | undefined, isUsedUp: boolean, now: number) => {
  if (status === 429 && !isUsedUp)
    return new SlowDown({ wait: retryAfter(header, now, { most: mostWait, fractions: true }) })
  return status === 400 || status === 413 || status === 422
    ? new ModelUnusable({ message: `the model refuses the request (http ${status})` })
    : new ModelUnavailable({ message: `the model answered http ${status}` })
}

/** What a provider's error means. `now` in epoch milliseconds. */
export const failureOf = (
  error: AiError,
  now: number
): Unfit | SlowDown | ModelUnusable | ModelUnavailable => {
  switch (error._tag) {
    case "HttpRequestError":
      return new ModelUnavailable({
        message: `the model cannot be reached (${error.description ?? error.reason})`
      })
    case "HttpResponseError": {
      const { headers, status } = error.response
      return fromStatus(status, headers["retry-after"], error.description === usedUp, now)
    }
    case "MalformedOutput": {
      const issues = ParseResult.isParseError(error.cause)
        ? issuesOf(error.cause).map(describe)
        : [error.description ?? "is not what was asked for"]
      return new Unfit({ issues: issues.slice(0, 10) })
    }
    default:
      return new Unfit({ issues: ["is not what was asked for"] })
  }
}
