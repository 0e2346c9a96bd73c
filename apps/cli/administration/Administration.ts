import { Effect, Layer } from "effect"
import type { Page, PageRequest } from "../../../core/model/Page.ts"
import { administration } from "../../platform/Administration.ts"
import * as Store from "../../platform/Store.ts"
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

/** What an administrator does on the server's own store. */
export const layer = administration(store)

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
