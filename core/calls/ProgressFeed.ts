import { Cause, Chunk, Effect, Layer, Schedule, Stream } from "effect"
import { CallDialer } from "../ports/CallDialer.ts"
import { StoreUnavailable } from "../ports/Repository.ts"
import { Calls } from "./Calls.ts"

const patiently = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("15 seconds")),
  Schedule.jittered
)

const storeIsAway = (cause: Cause.Cause<never>) =>
  Chunk.some(Cause.defects(cause), (defect) => defect instanceof StoreUnavailable)

/** Brings what this process hears from its carrier to the calls; while the store is away it holds on to it. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const dialer = yield* CallDialer
    const calls = yield* Calls
    yield* Effect.forkScoped(
      Stream.runForEachChunk(dialer.progress, (progress) =>
        calls.record(progress).pipe(
          Effect.sandbox,
          Effect.tapError((cause) => Effect.logError("progress could not be stored", cause)),
          Effect.retry({ schedule: patiently, while: storeIsAway }),
          Effect.ignore
        )
      )
    )
  })
)
