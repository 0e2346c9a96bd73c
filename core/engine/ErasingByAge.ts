import { Cause, Effect } from "effect"

/** How many are taken from the store at one time, and how many of them deleted at one time. */
const atOnce = 100
const together = 4

/** What is deleted by its age. */
export interface Kind<A> {
  /** Those that were made by `until`, in a fixed order, from behind `after`. */
  readonly kept: (until: number, after: A | null, limit: number) => Effect.Effect<ReadonlyArray<A>>
  readonly erase: (one: A) => Effect.Effect<unknown>
  /** Names it in logs. */
  readonly nameOf: (one: A) => Readonly<Record<string, string>>
}

/**
 * Deletes what was made by `until`, slice by slice. One that cannot be deleted now holds up no other. Answers whether all
 * were deleted.
 */
export const eraseByAge = <A>({ erase, kept, nameOf }: Kind<A>, until: number): Effect.Effect<boolean> => {
  const eraseOne = (one: A) =>
    Effect.catchAllCause(Effect.as(erase(one), true), (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.logError("what was kept for its time could not be deleted", cause).pipe(
            Effect.annotateLogs(nameOf(one)),
            Effect.as(false)
          )
    )

  return Effect.gen(function* () {
    let all = true
    let after: A | null = null
    for (;;) {
      const due: ReadonlyArray<A> = yield* kept(until, after, atOnce)
      const done = yield* Effect.forEach(due, eraseOne, { concurrency: together })
      all &&= !done.includes(false)
      const last = due.at(-1)
      if (last === undefined) return all
      after = last
      yield* Effect.yieldNow()
    }
  })
}
