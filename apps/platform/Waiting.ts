import { Effect, Layer, Schedule } from "effect"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import { isPassing, storeReason } from "./Explain.ts"

const spacing = "2 seconds"
const patience = "2 minutes"

/**
 * Builds a layer that needs the store, and waits for a store that is away or starting, two minutes at most: the log says
 * why, at each try. A store that could not be used after a wait either fails it at once.
 */
export const patiently = <A, E, R>(layer: Layer.Layer<A, E | StoreUnavailable, R>) =>
  Layer.retry(
    layer,
    Schedule.spaced(spacing).pipe(
      Schedule.upTo(patience),
      Schedule.whileInput(
        (error: E | StoreUnavailable) => error instanceof StoreUnavailable && isPassing(error)
      ),
      Schedule.tapInput((error) =>
        error instanceof StoreUnavailable && isPassing(error)
          ? Effect.logWarning(`Waiting for the database: ${storeReason(error)}`)
          : Effect.void
      )
    )
  )
