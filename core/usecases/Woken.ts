import { Cause, Effect, Exit } from "effect"
import { Dispatcher } from "../ports/Dispatcher.ts"

/**
 * Wakes the workspace's loop once something is stored, also where its caller is interrupted while it is: a wake too many
 * finds nothing due.
 */
export const makeThenWake = Effect.map(
  Dispatcher,
  ({ wake }) =>
    <A, E, R>(workspace_id: string, stored: Effect.Effect<A, E, R>, due?: "placed"): Effect.Effect<A, E, R> =>
      Effect.onExit(stored, (exit) =>
        Exit.isSuccess(exit) || Cause.isInterrupted(exit.cause) ? wake(workspace_id, due) : Effect.void
      )
)
