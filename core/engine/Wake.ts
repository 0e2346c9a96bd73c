import { Duration, Effect, FiberHandle } from "effect"

/** How a loop is woken: `await` completes once it is woken, however long before. */
export interface Wake {
  readonly wake: Effect.Effect<void>
  /** The same at once, from outside of any fiber. */
  readonly unsafeWake: () => void
  readonly await: Effect.Effect<void>
  /** Forgets earlier wakes: for a loop that is about to look at everything. */
  readonly forget: Effect.Effect<void>
}

export const makeWake = (): Wake => {
  const latch = Effect.unsafeMakeLatch(false)
  return {
    wake: Effect.asVoid(latch.open),
    unsafeWake: () => latch.unsafeOpen(),
    await: Effect.zipLeft(latch.await, latch.close),
    forget: latch.close
  }
}

/**
 * Wakes the loop at a time. It may wake it for an earlier time too, which was set before: the loop finds nothing due
 * then, and sets the alarm again.
 */
export const makeAlarm = Effect.fnUntraced(function* (wake: Wake) {
  const start = yield* Effect.flatMap(FiberHandle.make<void>(), (handle) =>
    FiberHandle.runtime(handle)<never>()
  )
  let rings = Infinity
  const ring = Effect.suspend(() => {
    rings = Infinity
    return wake.wake
  })
  return (at: number, now: number) => {
    if (rings <= at) return
    rings = at
    start(Effect.delay(ring, Duration.millis(Math.max(0, at - now))))
  }
})
