import { Data, ParseResult } from "effect"
import type { AiError } from "@effect/ai/AiError"
import { describe, issuesOf } from "../../core/model/Issues.ts"
import { ModelUnavailable, ModelUnusable } from "../../core/ports/AgentSimulator.ts"
import { retryAfter } from "./RetryAfter.ts"
import { usedUp } from "./Wire.ts"

/** The answer is not what was asked for. The issues repeat nothing of it. */
export class Unfit extends Data.TaggedError("Unfit")<{ readonly issues: ReadonlyArray<string> }> {}

/** The model wants to be left alone, for `wait` milliseconds or for as long as we think right. */
export class Told extends Data.TaggedError("Told")<{ readonly wait: number | null }> {}

const fromStatus = (status: number, header: string | undefined, isUsedUp: boolean, now: number) => {
  if (status === 429 && !isUsedUp) return new Told({ wait: retryAfter(header, now) })
  return status === 400 || status === 413 || status === 422
    ? new ModelUnusable({ message: `the model refuses the request (http ${status})` })
    : new ModelUnavailable({ message: `the model answered http ${status}` })
}

/** What a provider's error means. `now` in epoch milliseconds. */
export const failureOf = (error: AiError, now: number): Unfit | Told | ModelUnusable | ModelUnavailable => {
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
