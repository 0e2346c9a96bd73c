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
  Effect.suspend(() => {
    let told = false
    const tell = (cause: Cause.Cause<never>) => {
      if (told || !isStoreAway(cause)) return Effect.void
      told = true
      return Effect.logError(what, cause)
    }
    return work.pipe(
      Effect.sandbox,
      Effect.tapError(tell),
      Effect.retry({ schedule: again, while: isStoreAway }),
      Effect.unsandbox
    )
  })
