import { type Clock, Effect } from "effect"

const perMillisecond = 1_000_000n

// A test clock's nanoseconds are a floating-point number's: rounded, not cut off.
const elapsedOf = (clock: Clock.Clock): number =>
  Number((clock.unsafeCurrentTimeNanos() + perMillisecond / 2n) / perMillisecond)

/**
 * Milliseconds of a clock that only goes forward, whatever the process's clock is set to: for how much time has gone by.
 * Effect's own clock begins it with the epoch time at which the process started.
 */
export const monotonicMillis: Effect.Effect<number> = Effect.clockWith((clock) =>
  Effect.succeed(elapsedOf(clock))
)

/** What the process's clock shows beyond the one that only goes forward: less, once it is set back. */
export const leadMillis: Effect.Effect<number> = Effect.clockWith((clock) =>
  Effect.succeed(clock.unsafeCurrentTimeMillis() - elapsedOf(clock))
)

/** Epoch milliseconds that never go back: a clock that is set back goes on from where it was. */
export const makeForwardTime: Effect.Effect<Effect.Effect<number>> = Effect.sync(() => {
  let ahead = -Infinity
  return Effect.clockWith((clock) => {
    const elapsed = elapsedOf(clock)
    ahead = Math.max(ahead, clock.unsafeCurrentTimeMillis() - elapsed)
    return Effect.succeed(elapsed + ahead)
  })
})
