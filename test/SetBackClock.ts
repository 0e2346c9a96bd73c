import { type Clock, Effect, TestClock } from "effect"

/** Runs work on a test clock that can be set back: its monotonic time goes on, as that of a machine does. */
export const withSetBackClock = <A, E, R>(
  work: (setBack: (millis: number) => Effect.Effect<void>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(TestClock.testClock(), (testClock) => {
    let back = 0
    const now = () => testClock.unsafeCurrentTimeMillis() - back
    const clock: Clock.Clock = Object.create(testClock, {
      unsafeCurrentTimeMillis: { value: now },
      currentTimeMillis: { value: Effect.sync(now) },
      unsafeCurrentTimeNanos: { value: () => testClock.unsafeCurrentTimeNanos() },
      sleep: { value: testClock.sleep.bind(testClock) }
    })
    return Effect.withClock(
      work((millis) =>
        Effect.sync(() => {
          back += millis
        })
      ),
      clock
    )
  })
