import { Clock, Effect } from "effect"

const perMillisecond = 1_000_000n

/**
 * Milliseconds of a clock that only goes forward, whatever the process's clock is set to: for how much time has gone by.
 * Effect's own clock begins it with the epoch time at which the process started.
 */
export const monotonicMillis: Effect.Effect<number> = Clock.currentTimeNanos.pipe(
  // A test clock's nanoseconds are a floating-point number's: rounded, not cut off.
  Effect.map((nanos) => Number((nanos + perMillisecond / 2n) / perMillisecond))
)

/** Epoch milliseconds that never go back: a clock that is set back goes on from where it was. */
export const makeForwardTime: Effect.Effect<Effect.Effect<number>> = Effect.sync(() => {
  let ahead = -Infinity
  return Effect.zipWith(Clock.currentTimeMillis, monotonicMillis, (now, elapsed) => {
    ahead = Math.max(ahead, now - elapsed)
    return elapsed + ahead
  })
})
