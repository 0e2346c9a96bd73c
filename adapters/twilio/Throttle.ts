import { Clock, Effect, Random } from "effect"

const first = 500
const most = 30_000
const mostAsked = 3_600_000

/** Holds requests back for as long as the provider has asked for. Times are epoch milliseconds. */
export interface Throttle {
  /** When the next request may go out: now, or later. */
  readonly next: Effect.Effect<number>
  /**
   * The provider asks to slow down: for as long as Retry-After says (RFC 9110, 10.2.3: seconds or a date), else
   * half a second, doubling each time to half a minute.
   */
  readonly slowDown: (retryAfter: string | undefined) => Effect.Effect<void>
  /** The provider takes requests again. */
  readonly recovered: Effect.Effect<void>
}

const asked = (retryAfter: string | undefined, now: number): number | null => {
  const text = retryAfter?.trim() ?? ""
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Number(text) * 1_000, mostAsked)
  const at = /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), mostAsked)
}

/** Those who wait for the same moment are spread over a quarter of a second. */
const spread = 250

export const make = (): Throttle => {
  let until = 0
  let wait = first
  return {
    next: Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return now >= until ? now : until + (yield* Random.nextIntBetween(0, spread))
    }),
    slowDown: (retryAfter) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        until = Math.max(until, now + Math.max(spread, asked(retryAfter, now) ?? wait))
        wait = Math.min(2 * wait, most)
      }),
    recovered: Effect.sync(() => {
      wait = first
    })
  }
}
