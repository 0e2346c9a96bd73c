import { Clock, Effect, Random } from "effect"
import { CarrierUnreachable } from "../../core/ports/CallDialer.ts"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import { retryAfter } from "./RetryAfter.ts"

const first = 500
const most = 30_000
const mostAsked = 3_600_000
/** Requests that wait for the same moment are spread over a quarter of a second. */
const spread = 250

/** Holds requests back while the provider asks to slow down. Times are those of the monotonic clock. */
export interface Throttle {
  /** Waits until the next request may go out, if that is before `atLatest`; answers what time that is. */
  readonly turn: (atLatest: number) => Effect.Effect<number, CarrierUnreachable>
  /**
   * The provider asks to slow down: for as long as its Retry-After header says, else for half a second, which
   * doubles each time up to half a minute.
   */
  readonly slowDown: (header: string | undefined) => Effect.Effect<void>
  /** The provider takes requests again. */
  readonly recovered: Effect.Effect<void>
}

/** `provider` names it in messages: "the carrier". */
export const make = (provider: string): Throttle => {
  let until = 0
  let wait = first
  return {
    turn: Effect.fnUntraced(function* (atLatest) {
      for (;;) {
        const now = yield* monotonicMillis
        if (now >= until) return now
        const next = until + (yield* Random.nextIntBetween(0, spread))
        if (next > atLatest)
          return yield* new CarrierUnreachable({ message: `${provider} asks to slow down` })
        yield* Effect.sleep(next - now)
      }
    }),
    slowDown: (header) =>
      Effect.zipWith(monotonicMillis, Clock.currentTimeMillis, (now, epoch) => {
        const asked = retryAfter(header, epoch, { most: mostAsked, fractions: true })
        if (asked !== null) {
          until = Math.max(until, now + Math.max(spread, asked))
          return
        }
        // Requests that were under way together are refused together, and ask for one wait.
        if (now < until) return
        until = now + wait
        wait = Math.min(2 * wait, most)
      }),
    recovered: Effect.sync(() => {
      wait = first
    })
  }
}
