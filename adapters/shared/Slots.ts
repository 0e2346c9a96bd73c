import { Effect } from "effect"

/**
 * Lets `size` effects run at a time, in the order in which they came. Unlike a semaphore it wakes one waiter for
 * each place that comes free, so that thousands may wait.
 */
export const make = (size: number) => {
  let free = size
  const waiting = new Set<() => void>()

  const giveBack = () => {
    const [next] = waiting
    if (next === undefined) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }

  /** One that is interrupted after it was given a place, and before it knows, gives it back. */
  const take = Effect.async<void>((resume) => {
    const grant = () => resume(Effect.void)
    if (free > 0) {
      free -= 1
      grant()
    } else {
      waiting.add(grant)
    }
    return Effect.sync(() => {
      if (!waiting.delete(grant)) giveBack()
    })
  })

  return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.andThen(restore(take), Effect.ensuring(restore(self), Effect.sync(giveBack)))
    )
}
