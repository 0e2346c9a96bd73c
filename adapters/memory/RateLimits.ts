import * as RateLimiter from "@effect/experimental/RateLimiter"
import { Config, type ConfigError, Duration, Effect, Layer } from "effect"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import { RateLimits, TooManyRequests } from "../../core/ports/RateLimits.ts"

/** So many at once at most, and as many in each `window`, spread evenly over it. */
export interface Rate {
  readonly limit: number
  readonly window: Duration.DurationInput
}

/** What a key has used up and not yet got back: nanoseconds of refilling at `at`, of the monotonic clock. */
interface Bucket {
  readonly spent: number
  readonly at: number
}

const perMillisecond = 1_000_000

/**
 * Token buckets that keep the fraction of a token, in whole nanoseconds, so that nothing is lost or won by asking
 * often; and only those that are not full again, so that there are no more than keys in use within a window.
 */
export class Buckets {
  /** The one that was used longest ago comes first. */
  readonly #buckets = new Map<string, Bucket>()

  get size(): number {
    return this.#buckets.size
  }

  /** Takes the tokens if there are so many, or else whatever `overflow` says. Answers what is left, or is short. */
  take(
    key: string,
    tokens: number,
    limit: number,
    refill: Duration.Duration,
    overflow: boolean,
    now: number
  ): number {
    const perToken = Math.round(Duration.toMillis(refill) * perMillisecond)
    const whole = limit * perToken
    this.#forgetFull(now)
    const { at, spent } = this.#buckets.get(key) ?? { at: now, spent: 0 }
    const before = Math.max(0, spent - Math.max(0, now - at) * perMillisecond)
    const after = before + tokens * perToken
    this.#buckets.delete(key)
    this.#buckets.set(key, { spent: overflow || after <= whole ? after : before, at: now })
    return (whole - after) / perToken
  }

  #forgetFull(now: number): void {
    for (const [key, { at, spent }] of this.#buckets) {
      if (spent > (now - at) * perMillisecond) return
      this.#buckets.delete(key)
    }
  }
}

/** The library's store, with buckets that it does not keep for ever. */
const store = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.map(RateLimiter.RateLimiterStore, ({ fixedWindow }) => {
    const buckets = new Buckets()
    return RateLimiter.RateLimiterStore.of({
      fixedWindow,
      tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
        Effect.map(monotonicMillis, (now) => buckets.take(key, tokens, limit, refillRate, allowOverflow, now))
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))

const secondsOf = (wait: Duration.Duration): number => Math.max(1, Math.ceil(Duration.toSeconds(wait)))

const make = ({ limit, window }: Rate) =>
  Effect.map(RateLimiter.make, (limiter) =>
    RateLimits.of({
      generation: Effect.fn("RateLimits.generation")(function* (workspace_id: string) {
        yield* Effect.catchAll(
          limiter.consume({
            algorithm: "token-bucket",
            onExceeded: "fail",
            key: workspace_id,
            limit,
            window
          }),
          (error) =>
            error.reason === "Exceeded"
              ? new TooManyRequests({ retry_after: secondsOf(error.retryAfter) })
              : Effect.die(error)
        )
      })
    })
  )

/** Limits that this process keeps by itself: they begin anew when it starts, and another one has its own. */
export const layer = (generations: Rate): Layer.Layer<RateLimits> =>
  Layer.provide(Layer.effect(RateLimits, make(generations)), store)

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

export const rate = Config.all({ limit, window })

export const layerConfig: Layer.Layer<RateLimits, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(rate, layer)
)
