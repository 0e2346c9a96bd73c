import { Effect } from "effect"

/**
 * Calls `advance` whenever something is due: at `next()`, and at once. What is answered is to be called when
 * something became due earlier than it was.
 */
export const makeDueTimer = Effect.fnUntraced(function* (
  time: Effect.Effect<number>,
  advance: (now: number) => void,
  next: () => number
) {
  const earlier = yield* Effect.makeLatch(false)
  let sleepsUntil = -Infinity
  yield* Effect.gen(function* () {
    while (true) {
      const now = yield* time
      advance(now)
      earlier.unsafeClose()
      sleepsUntil = next()
      yield* sleepsUntil === Infinity
        ? earlier.await
        : Effect.timeoutOption(earlier.await, Math.max(0, sleepsUntil - now))
    }
  }).pipe(Effect.forkScoped)
  return () => {
    if (next() < sleepsUntil) earlier.unsafeOpen()
  }
})
