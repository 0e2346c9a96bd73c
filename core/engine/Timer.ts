import { Effect, Scope } from "effect"
import { ManualClock } from "./ManualClock.ts"
import { makeStart } from "./Starting.ts"

/** Has something happen after so many milliseconds. What it answers calls that off. */
export type Timer = (millis: number, run: () => void) => () => void

const manual = Effect.fnUntraced(function* (time: ManualClock) {
  const pending = new Set<() => void>()
  yield* Scope.addFinalizer(
    yield* Effect.scope,
    Effect.sync(() => {
      for (const cancel of pending) cancel()
    })
  )
  return (millis: number, run: () => void) => {
    const cancel = time.schedule(time.unsafeCurrentTimeMillis() + millis, () => {
      pending.delete(cancel)
      run()
    })
    pending.add(cancel)
    return () => {
      pending.delete(cancel)
      cancel()
    }
  }
})

const real = Effect.map(makeStart, (start) => (millis: number, run: () => void) => {
  const fiber = start(Effect.zipRight(Effect.sleep(millis), Effect.sync(run)))
  return () => fiber.unsafeInterruptAsFork(fiber.id())
})

/** Timers by the fiber's clock, until the scope ends. By a clock that is moved by hand they take no fiber. */
export const makeTimer: Effect.Effect<Timer, never, Scope.Scope> = Effect.flatMap(
  Effect.clock,
  (clock): Effect.Effect<Timer, never, Scope.Scope> => (clock instanceof ManualClock ? manual(clock) : real)
)
