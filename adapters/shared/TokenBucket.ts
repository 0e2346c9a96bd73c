import { Config, Duration } from "effect"

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
