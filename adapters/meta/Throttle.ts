import { Clock, Effect, Random } from "effect"
import { CarrierUnreachable } from "../../core/ports/CallDialer.ts"

const first = 500
const most = 30_000
/** Those who wait for the same moment are spread over a quarter of a second. */
const spread = 250

/** Holds messages back while the provider asks to slow down. Times are epoch milliseconds. */
export interface Throttle {
  /** Waits until the next message may go out, if that is before `atLatest`; answers what time it is then. */
  readonly turn: (atLatest: number) => Effect.Effect<number, CarrierUnreachable>
  /** The provider asks to slow down, and does not say for how long: half a second, doubling each time to half a minute. */
  readonly slowDown: Effect.Effect<void>
  /** The provider takes messages again. */
  readonly recovered: Effect.Effect<void>
}

export const make = (): Throttle => {
  let until = 0
  let wait = first
  return {
    turn: Effect.fnUntraced(function* (atLatest) {
      for (;;) {
        const now = yield* Clock.currentTimeMillis
        if (now >= until) return now
        const next = until + (yield* Random.nextIntBetween(0, spread))
        if (next > atLatest)
          return yield* new CarrierUnreachable({ message: "the provider asks to slow down" })
        yield* Effect.sleep(next - now)
      }
    }),
    slowDown: Effect.map(Clock.currentTimeMillis, (now) => {
      // Messages that were under way together are turned away together, and ask for one wait.
      if (now < until) return
      until = now + wait
      wait = Math.min(2 * wait, most)
    }),
    recovered: Effect.sync(() => {
      wait = first
    })
  }
}
