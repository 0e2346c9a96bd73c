import { Effect, type Scope } from "effect"

interface Waiter {
  readonly key: string
  readonly amount: number
  readonly grant: () => void
}

/**
 * Divides `total` among callers, of whom all with one key have at most `each` together. A caller waits until both
 * have room. A key that has its share does not hold up the others.
 */
export const make = ({ each, total }: { readonly each: number; readonly total: number }) => {
  let free = total
  const held = new Map<string, number>()
  const waiting = new Set<Waiter>()

  const change = (key: string, by: number) => {
    free -= by
    const now = (held.get(key) ?? 0) + by
    if (now === 0) held.delete(key)
    else held.set(key, now)
  }

  /** In the order in which they came, as far as the total reaches. */
  const grant = () => {
    for (const waiter of waiting) {
      if ((held.get(waiter.key) ?? 0) + waiter.amount > each) continue
      if (waiter.amount > free) return
      waiting.delete(waiter)
      change(waiter.key, waiter.amount)
      waiter.grant()
    }
  }

  const giveBack = (key: string, amount: number) => {
    change(key, -amount)
    grant()
  }

  const take = (key: string, amount: number) =>
    Effect.async<void>((resume) => {
      const waiter: Waiter = { key, amount, grant: () => resume(Effect.void) }
      waiting.add(waiter)
      grant()
      // A caller that is interrupted after the grant, and before it knows of it, gives the amount back.
      return Effect.sync(() => {
        if (!waiting.delete(waiter)) giveBack(key, amount)
      })
    })

  /** Takes an amount, at most `each`, for as long as the scope lasts. */
  return (key: string, amount: number): Effect.Effect<void, never, Scope.Scope> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.andThen(
        restore(take(key, amount)),
        Effect.addFinalizer(() => Effect.sync(() => giveBack(key, amount)))
      )
    )
}
