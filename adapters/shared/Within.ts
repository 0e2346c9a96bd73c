import { type Duration, Effect, Fiber, type Option } from "effect"

/**
 * Waits so long for work at most, none if it takes longer; it goes on by itself then. For finalizers, too: in a fiber of
 * its own, since a finalizer cannot stop waiting, and if it could it would not even begin to at the end of a fiber that
 * is interrupted.
 */
export const within = <A, E, R>(
  duration: Duration.DurationInput,
  work: Effect.Effect<A, E, R>
): Effect.Effect<Option.Option<A>, E, R> =>
  Effect.disconnect(work).pipe(
    Effect.timeoutOption(duration),
    Effect.interruptible,
    Effect.forkDaemon,
    Effect.flatMap(Fiber.join)
  )
