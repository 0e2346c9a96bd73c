import { Duration, Effect, Schedule } from "effect"

/** Soon again at first, then less often: what is looked at are answers of servers, which are busy with what is awaited. */
const again = Schedule.union(Schedule.exponential("10 millis", 1.2), Schedule.spaced("60 millis"))

/**
 * Looks until it holds what another process has to bring about, which sends no message of it; on the live clock.
 * Dies when it does not in time.
 */
export const until = <E, R>(
  what: string,
  holds: Effect.Effect<boolean, E, R>,
  within: Duration.DurationInput = "30 seconds"
): Effect.Effect<void, E, R> =>
  holds.pipe(
    Effect.repeat({ until: (held) => held, schedule: again }),
    Effect.timeoutOption(within),
    Effect.flatMap((held) =>
      held._tag === "Some"
        ? Effect.void
        : Effect.dieMessage(`not within ${Duration.format(Duration.decode(within))}: ${what}`)
    )
  )
