import { Effect, Fiber, Runtime, Scope } from "effect"
import { SkippedTime } from "./SkippedTime.ts"

/** Runs work beside what goes on, from within a callback. */
export type Start = <A, E>(work: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>

/**
 * Starts fibers that are interrupted when the scope ends, as a `FiberSet` does. It is lighter: a conversation has several,
 * and starts fibers at each turn. A time that is skipped waits for them.
 */
export const makeStart: Effect.Effect<Start, never, Scope.Scope> = Effect.gen(function* () {
  const fork = Runtime.runFork(yield* Effect.runtime<never>())
  const clock = yield* Effect.clock
  const running = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  let isOver = false
  yield* Scope.addFinalizer(
    yield* Effect.scope,
    Effect.suspend(() => {
      isOver = true
      return Fiber.interruptAll(running)
    })
  )
  return (work) => {
    const fiber = fork(isOver ? Effect.interrupt : work)
    if (fiber.unsafePoll() === null) {
      running.add(fiber)
      fiber.addObserver(() => running.delete(fiber))
      if (clock instanceof SkippedTime) clock.waitFor(fiber)
    }
    return fiber
  }
})
