import { Config, Duration, Option } from "effect"
import type { Quota } from "../../core/ports/RateLimits.ts"

/** So many at once at most, and as many in each `window`, spread evenly over it. */
export interface Rate {
  readonly limit: number
  readonly window: Duration.DurationInput
}

export const perMillisecond = 1_000_000

/** What a token bucket counts in: nanoseconds of refilling, whole ones, so that nothing is lost or won by asking often. */
export const tokensOf = ({ limit, window }: Rate) => {
  const perToken = Math.round((Duration.toMillis(window) * perMillisecond) / limit)
  return { perToken, whole: perToken * limit }
}

/** Whole seconds to wait for so many nanoseconds, at least one. */
export const secondsToWait = (nanos: number): number =>
  Math.max(1, Math.ceil(nanos / (1_000 * perMillisecond)))

/** What holds unless it is set. */
export const standard: Rate = { limit: 10, window: Duration.minutes(1) }

/** `OUTDIAL_GENERATION_LIMIT`: generations of scenarios that a workspace has at once and per window. Default 10. */
const limit = Config.integer("OUTDIAL_GENERATION_LIMIT").pipe(
  Config.validate({
    message: "must be a whole number from 1 to 1000000",
    validation: (limit) => limit >= 1 && limit <= 1_000_000
  }),
  Config.withDefault(standard.limit)
)

/** `OUTDIAL_GENERATION_WINDOW`: in what time they come back. Default 1 minute. */
const window = Config.duration("OUTDIAL_GENERATION_WINDOW").pipe(
  Config.validate({
    message: "must be a duration from 1 second to 30 days",
    validation: Duration.between({ minimum: "1 second", maximum: "30 days" })
  }),
  Config.withDefault(Duration.decode(standard.window))
)

export const settings = Config.all({ limit, window })

/** `OUTDIAL_REQUEST_LIMIT`: requests that a key has at once and per `OUTDIAL_REQUEST_WINDOW`; null when it is not set. */
export const requestSettings: Config.Config<Rate | null> = Config.all({
  limit: Config.integer("OUTDIAL_REQUEST_LIMIT").pipe(
    Config.validate({
      message: "must be a whole number from 1 to 1000000",
      validation: (limit) => limit >= 1 && limit <= 1_000_000
    }),
    Config.option
  ),
  window: Config.duration("OUTDIAL_REQUEST_WINDOW").pipe(
    Config.validate({
      message: "must be a duration from 1 second to 1 day",
      validation: Duration.between({ minimum: "1 second", maximum: "1 day" })
    }),
    Config.withDefault(Duration.minutes(1))
  )
}).pipe(Config.map(({ limit, window }) => (Option.isSome(limit) ? { limit: limit.value, window } : null)))

/** The quota of a bucket of which so many nanoseconds of refilling are used up. */
export const quotaOf = (rate: Rate, spent: number, allowed: boolean): Quota => {
  const { perToken, whole } = tokensOf(rate)
  const left = whole - spent
  return {
    allowed,
    limit: rate.limit,
    window: Math.ceil(Duration.toSeconds(rate.window)),
    remaining: Math.max(0, Math.floor(left / perToken)),
    reset: Math.ceil(spent / (1_000 * perMillisecond)),
    retry_after: left >= perToken ? 0 : secondsToWait(perToken - left)
  }
}
