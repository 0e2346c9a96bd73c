import { Config, type ConfigError, Effect, Layer } from "effect"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import { RateLimits, TooManyRequests } from "../../core/ports/RateLimits.ts"
import {
  perMillisecond,
  quotaOf,
  type Rate,
  requestSettings,
  secondsToWait,
  settings,
  tokensOf
} from "../shared/TokenBucket.ts"

/** What a key has used up and not yet got back: nanoseconds of refilling at `at`, of the monotonic clock. */
interface Bucket {
  readonly spent: number
  readonly at: number
}

/** Token buckets: only those that are not full again, so that there are no more than keys in use within a window. */
export class Buckets {
  /** The one that was used longest ago comes first. */
  readonly #buckets = new Map<string, Bucket>()
  readonly #perToken: number
  readonly #whole: number

  constructor(rate: Rate) {
    const { perToken, whole } = tokensOf(rate)
    this.#perToken = perToken
    this.#whole = whole
  }

  get size(): number {
    return this.#buckets.size
  }

  /** Takes a token if there is one. Answers the nanoseconds of refilling that are left; below zero, that it lacks. */
  take(key: string, now: number): number {
    this.#forgetFull(now)
    const { at, spent } = this.#buckets.get(key) ?? { at: now, spent: 0 }
    const before = Math.max(0, spent - Math.max(0, now - at) * perMillisecond)
    const after = before + this.#perToken
    this.#buckets.delete(key)
    this.#buckets.set(key, { spent: after <= this.#whole ? after : before, at: now })
    return this.#whole - after
  }

  #forgetFull(now: number): void {
    for (const [key, { at, spent }] of this.#buckets) {
      if (spent > (now - at) * perMillisecond) return
      this.#buckets.delete(key)
    }
  }
}

const taking = (rate: Rate) => {
  const buckets = new Buckets(rate)
  const { perToken, whole } = tokensOf(rate)
  return (workspace_id: string, subject: string) =>
    Effect.map(monotonicMillis, (now) => {
      const left = buckets.take(`${workspace_id} ${subject}`, now)
      return left < 0 ? quotaOf(rate, whole - left - perToken, false) : quotaOf(rate, whole - left, true)
    })
}

/** Limits that this process keeps by itself: they begin anew when it starts, and another one has its own. */
export const layer = (generations: Rate, requests: Rate | null = null): Layer.Layer<RateLimits> =>
  Layer.sync(RateLimits, () => {
    const buckets = new Buckets(generations)
    return {
      request: requests === null ? null : taking(requests),
      generation: Effect.fn("RateLimits.generation")(function* (workspace_id: string) {
        const left = buckets.take(workspace_id, yield* monotonicMillis)
        if (left < 0) return yield* new TooManyRequests({ retry_after: secondsToWait(-left) })
      })
    }
  })

export const layerConfig: Layer.Layer<RateLimits, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(Config.all([settings, requestSettings]), ([generations, requests]) =>
    layer(generations, requests)
  )
)
