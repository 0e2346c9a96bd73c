import { Effect, Queue } from "effect"

export interface Timer {
  readonly millis: number
  readonly fire: () => void
}

const caller = /(?<!test)\/apps\/client\//

/**
 * The timers that the client sets, which run when a test fires them. Timers that other code sets meanwhile run as always.
 */
export const timers = Effect.gen(function* () {
  const set = yield* Queue.unbounded<Timer>()
  const original = globalThis.setTimeout
  const captured = ((callback: () => void, millis: number) => {
    if (!caller.test(new Error().stack!.split("\n")[2]!)) return original(callback, millis)
    Queue.unsafeOffer(set, { millis, fire: callback })
    return undefined
  }) as unknown as typeof setTimeout
  yield* Effect.acquireRelease(
    Effect.sync(() => void (globalThis.setTimeout = captured)),
    () => Effect.sync(() => void (globalThis.setTimeout = original))
  )
  return {
    /** The next timer that is set. */
    next: Queue.take(set)
  }
})
