import { Clock, Context, DefaultServices, Effect, Scope } from "effect"
import { ManualClock } from "./ManualClock.ts"
import { makeStart } from "./Starting.ts"

/** Has something happen after so many milliseconds. What it answers calls that off. */
export type Timer = (millis: number, run: () => void) => () => void

/** `set` begins a timer, and answers what calls it off. */
const until = Effect.fnUntraced(function* (set: Timer) {
  const pending = new Set<() => void>()
  let isOver = false
  yield* Scope.addFinalizer(
    yield* Effect.scope,
    Effect.sync(() => {
      isOver = true
      for (const cancel of pending) cancel()
    })
  )
  return (millis: number, run: () => void) => {
    if (isOver) return () => undefined
    const cancel = set(millis, () => {
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

const byHand =
  (time: ManualClock): Timer =>
  (millis, run) =>
    time.schedule(time.unsafeCurrentTimeMillis() + millis, run)

const real: Timer = (millis, run) => {
  const timer = setTimeout(run, millis)
  return () => clearTimeout(timer)
}

/** By a clock that can do no more than let a fiber sleep. */
const sleeping = Effect.map(makeStart, (start): Timer => (millis, run) => {
  const fiber = start(Effect.zipRight(Effect.sleep(millis), Effect.sync(run)))
  return () => fiber.unsafeInterruptAsFork(fiber.id())
})

const realClock = Context.get(DefaultServices.liveServices, Clock.Clock)

/**
 * Timers by the fiber's clock, until the scope ends. By the real clock, and by one that is moved by hand, they take no
 * fiber: a conversation sets several at each turn.
 */
export const makeTimer: Effect.Effect<Timer, never, Scope.Scope> = Effect.flatMap(
  Effect.clock,
  (clock): Effect.Effect<Timer, never, Scope.Scope> => {
    if (clock === realClock) return until(real)
    return clock instanceof ManualClock ? until(byHand(clock)) : sleeping
  }
)
