import { Duration, Effect, Schedule } from "effect"

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
    Effect.repeat({ until: (held) => held, schedule: Schedule.spaced("10 millis") }),
    Effect.timeoutOption(within),
    Effect.flatMap((held) =>
      held._tag === "Some"
        ? Effect.void
        : Effect.dieMessage(`not within ${Duration.format(Duration.decode(within))}: ${what}`)
    )
  )
