import { Cause, Chunk, Effect, Schedule } from "effect"
import { StoreUnavailable } from "../ports/Repository.ts"

const again = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("15 seconds")),
  Schedule.jittered
)

const isStoreAway = (cause: Cause.Cause<never>) =>
  Chunk.some(Cause.defects(cause), (defect) => defect instanceof StoreUnavailable)

/** Tries work again, from its beginning, for as long as it fails with the store; the first time it logs `what`. */
export const whileStoreIsAway = <A, R>(work: Effect.Effect<A, never, R>, what: string) =>
  // The schedule begins with the first failure: a retry around work that goes well costs more than most of such work.
  Effect.catchAllCause(work, (cause) => {
    if (!isStoreAway(cause)) return Effect.failCause(cause)
    let next: typeof work = Effect.failCause(cause)
    const tries = Effect.suspend(() => {
      const now = next
      next = work
      return now
    })
    return Effect.zipRight(
      Effect.logError(what, cause),
      tries.pipe(Effect.sandbox, Effect.retry({ schedule: again, while: isStoreAway }), Effect.unsandbox)
    )
  })
