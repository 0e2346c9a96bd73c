import { type ConfigError, Effect, Layer } from "effect"
import * as Secrets from "../../../adapters/crypto/Secrets.ts"
import type { Page, PageRequest } from "../../../core/model/Page.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import type { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import * as Store from "../../wiring/Store.ts"
import { CommandFailed } from "../terminal/Failure.ts"

const store = Layer.unwrapEffect(
  Effect.flatMap(Store.location, (place) =>
    place._tag === "Memory"
      ? new CommandFailed({
          message: "OUTDIAL_DATABASE_URL is memory:, a store that no other process can reach"
        })
      : Effect.succeed(Store.of(place))
  )
)

/** Workspaces and credits on the server's own store. */
export const layer: Layer.Layer<
  Workspaces | Credits,
  ConfigError.ConfigError | StoreUnavailable | CommandFailed
> = Layer.mergeAll(Workspaces.layer, Credits.layer).pipe(
  Layer.provide(Layer.mergeAll(store, Ids.layer, Secrets.layer))
)

const pageSize = 100

/** Every page of a list, as one. */
export const all = <A, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<A>, E, R>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.gen(function* () {
    const items: Array<A> = []
    for (;;) {
      const { data, total } = yield* list({ limit: pageSize, offset: items.length })
      items.push(...data)
      if (data.length < pageSize || items.length >= total) return items
    }
  })
