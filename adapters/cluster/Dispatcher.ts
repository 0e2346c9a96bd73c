import { Cause, type ConfigError, Duration, Effect, Layer } from "effect"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { DueWork } from "../../core/engine/DueWork.ts"
import { Dispatcher } from "../../core/ports/Dispatcher.ts"
import { Repository, type StoreUnavailable } from "../../core/ports/Repository.ts"
import type { ClusterSocketFailed } from "./ClusterSocketFailed.ts"
import { type ClusterOptions, options } from "./Config.ts"
import * as Membership from "./Membership.ts"
import * as WorkspaceLoop from "./WorkspaceLoop.ts"

/** How long a process rests between two sweeps at least, and at most. */
const rest = { minimum: Duration.seconds(1), maximum: Duration.seconds(15) }

/** With many workspaces it rests for nine tenths of its time. One sweep that failed, or that the store has held up, does not count. */
const restAfter = (took: Duration.Duration, before: Duration.Duration) =>
  Duration.clamp(Duration.times(Duration.min(took, before), 9), rest)

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const { ensure, wake } = yield* WorkspaceLoop.make

  let before = Duration.zero
  const sweep = Effect.flatMap(
    repository.workspaces.withWork,
    Effect.forEach(ensure, { discard: true })
  ).pipe(
    Effect.as(true),
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.as(Effect.logWarning("the sweep failed; there is another one soon", cause), false)
    ),
    Effect.timed,
    Effect.flatMap(([duration, swept]) => {
      const took = swept ? duration : Duration.zero
      const resting = restAfter(took, before)
      before = took
      return Effect.sleep(resting)
    }),
    Effect.forever
  )
  yield* Effect.forkScoped(sweep)
  return Dispatcher.of({ wake })
})

/**
 * Runs each workspace's due-work loop in one of all the processes on the same PostgreSQL database; those of a
 * process that ends move to the others. Each process sweeps: of the workspaces that are its own it starts the loops of
 * those that have work and no loop, whatever wake was lost, and whether or not the others reach it. Built once the
 * process has joined; at its end the loops drain, then their shards are free for others.
 */
export const layer = (
  cluster: ClusterOptions
): Layer.Layer<Dispatcher, ClusterSocketFailed | StoreUnavailable, DueWork | Repository | SqlClient> =>
  Layer.provide(Layer.scoped(Dispatcher, make), Membership.layer(cluster))

export const layerConfig: Layer.Layer<
  Dispatcher,
  ClusterSocketFailed | StoreUnavailable | ConfigError.ConfigError,
  DueWork | Repository | SqlClient
> = Layer.unwrapEffect(Effect.map(options, layer))
