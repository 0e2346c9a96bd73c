import { Effect, Layer, Option, type Redacted } from "effect"
import * as InMemory from "../../adapters/memory/RateLimits.ts"
import { requestSettings, settings } from "../../adapters/shared/TokenBucket.ts"
import { DueWork } from "../../core/engine/DueWork.ts"
import * as InProcess from "../../core/engine/FiberDispatcher.ts"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import { withDriver } from "./Packages.ts"
import * as Store from "./Store.ts"

/** Loaded only where other processes may use the same store. */
const adapters = withDriver("pg", () =>
  Promise.all([
    import("../../adapters/cluster/Dispatcher.ts"),
    import("../../adapters/cluster/StartLock.ts"),
    import("../../adapters/sql/Database.ts"),
    import("../../adapters/sql/postgres/Client.ts"),
    import("../../adapters/sql/RateLimits.ts")
  ])
)

/** The store brings its database along: what is limited is limited for all processes on it. */
const sharedLimits = Layer.unwrapEffect(
  Effect.gen(function* () {
    const [, , { Database }, , RateLimits] = yield* adapters
    const rate = yield* settings
    const requests = yield* requestSettings
    return Option.match(yield* Effect.serviceOption(Database), {
      onNone: () => InMemory.layer(rate, requests),
      onSome: (database) => Layer.provide(RateLimits.layer(rate, requests), Layer.succeed(Database, database))
    })
  })
)

/** Limits that this process keeps by itself, or, on PostgreSQL, those of all processes on the store. */
export const rateLimits = Layer.unwrapEffect(
  Effect.map(Store.location, (place) => (place._tag === "Postgres" ? sharedLimits : InMemory.layerConfig))
)

const cluster = (url: Redacted.Redacted) =>
  Layer.unwrapEffect(
    Effect.map(adapters, ([Cluster, , , Client]) => Layer.provide(Cluster.layerConfig, Client.layer(url)))
  )

/** The due-work loops of this process alone. */
export const inProcess = Layer.provide(InProcess.layer, DueWork.layer)

/** The loops of this process, or, on PostgreSQL, each workspace's loop in one of the processes on the store. */
export const dispatcher = Layer.unwrapEffect(
  Effect.map(Store.location, (place) =>
    place._tag === "Postgres" ? Layer.provide(cluster(place.url), DueWork.layer) : inProcess
  )
)

/** Builds a layer while no other process on the same store builds one of these. */
export const whileLocked = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const place = yield* Store.location
      const built = Layer.buildWithScope(layer, yield* Effect.scope)
      if (place._tag !== "Postgres") return yield* built
      const [, { whileLocked }, , Client] = yield* adapters
      return yield* whileLocked(built).pipe(
        Effect.provide(Client.layer(place.url)),
        Effect.catchTag("SqlError", (cause) => new StoreUnavailable({ cause }))
      )
    })
  )
