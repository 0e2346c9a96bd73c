import { Clock, Effect, FiberHandle } from "effect"
import { minute } from "../model/Codecs.ts"

/** How a loop is woken: `await` completes once it is woken, however long before. */
export interface Wake {
  readonly wake: Effect.Effect<void>
  /** The same for a call that was placed: while the loop can dial nothing, what it gave to `leave` is done instead. */
  readonly placed: Effect.Effect<void>
  /** What is done for the first call that is placed before the loop's next look; it does for those after it too. */
  readonly leave: (instead: Effect.Effect<void>) => void
  /** The same as `wake`, at once, from outside of any fiber. */
  readonly unsafeWake: () => void
  readonly await: Effect.Effect<void>
  /** Forgets earlier wakes and what was left: for a loop that is about to look at everything. */
  readonly forget: Effect.Effect<void>
}

export const makeWake = (): Wake => {
  const latch = Effect.unsafeMakeLatch(false)
  const wake = Effect.asVoid(latch.open)
  let whenPlaced = wake
  return {
    wake,
    placed: Effect.suspend(() => whenPlaced),
    leave: (instead) => {
      whenPlaced = Effect.uninterruptible(
        Effect.suspend(() => {
          whenPlaced = Effect.void
          return instead
        })
      )
    },
    unsafeWake: () => latch.unsafeOpen(),
    await: Effect.zipLeft(latch.await, latch.close),
    forget: Effect.suspend(() => {
      whenPlaced = wake
      return latch.close
    })
  }
}

/**
 * Wakes the loop at a time. It may wake it for an earlier time too, which was set before: the loop finds nothing due
 * then, and sets the alarm again. It looks at the clock at least once a minute, and wakes the loop as soon as it sees
 * that the clock was set forward to that time, or was set back (`steps` tells how often it was).
 */
export const makeAlarm = Effect.fnUntraced(function* (wake: Wake, steps: Effect.Effect<number>) {
  const start = yield* Effect.flatMap(FiberHandle.make<void>(), (handle) =>
    FiberHandle.runtime(handle)<never>()
  )
  let rings = Infinity
  const ring = Effect.fnUntraced(function* (at: number, seen: number) {
    for (;;) {
      const now = yield* Clock.currentTimeMillis
      if (now >= at || (yield* steps) !== seen) break
      yield* Effect.sleep(Math.min(at - now, minute))
    }
    rings = Infinity
    yield* wake.wake
  })
  return (at: number, seen: number) => {
    if (rings <= at) return
    rings = at
    start(ring(at, seen))
  }
})
