import { Effect, type Fiber, FiberSet } from "effect"
import { minute } from "../model/Codecs.ts"

/** Rings no later than `at`; it may ring early, where an earlier time was set before. */
export const makeAlarm = Effect.fnUntraced(function* (ring: () => void) {
  const start = yield* FiberSet.makeRuntime<never>()
  let rings = Infinity
  let sleeping: Fiber.RuntimeFiber<void> | null = null
  return (at: number | null, now: number) => {
    if (at === null || (sleeping !== null && rings <= at)) return
    sleeping?.unsafeInterruptAsFork(sleeping.id())
    rings = at
    sleeping = start(
      Effect.sleep(Math.min(Math.max(0, at - now), minute)).pipe(
        Effect.zipRight(
          Effect.sync(() => {
            sleeping = null
            ring()
          })
        )
      )
    )
  }
})
