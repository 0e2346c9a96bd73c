import { Context, Effect, Layer, PubSub, RcMap, Stream } from "effect"
import { makeChangedRecords } from "../engine/ChangedRecords.ts"
import type { Change } from "../model/changes/Change.ts"
import { Repository } from "../ports/Repository.ts"

/** How often the store is looked at for a workspace that is followed, however often it is. */
const lookEvery = "1 second"

/** How many changes a reader may be behind before it loses the oldest of them. */
const mostBehind = 4_096

const make = Effect.gen(function* () {
  const repository = yield* Repository

  const watched = Effect.fnUntraced(function* (workspace_id: string) {
    const hub = yield* PubSub.sliding<Change>(mostBehind)
    const look = makeChangedRecords(repository, workspace_id)
    yield* look()
    yield* Effect.suspend(look).pipe(
      Effect.flatMap((changes) => hub.publishAll(changes)),
      Effect.catchAllCause((cause) => Effect.logDebug("the changes of a workspace were not found", cause)),
      Effect.delay(lookEvery),
      Effect.forever,
      Effect.forkScoped
    )
    return hub
  })
  const hubs = yield* RcMap.make({ lookup: watched })

  const follow: ChangesShape["follow"] = (workspace_id) =>
    Effect.map(Effect.flatMap(RcMap.get(hubs, workspace_id), PubSub.subscribe), (queue) =>
      Stream.concat(Stream.succeed<Change>({ type: "ready" }), Stream.fromQueue(queue))
    ).pipe(Stream.unwrapScoped)

  return Changes.of({ follow })
})

export interface ChangesShape {
  /**
   * `ready`, and from then on each record that is new or has changed, at most a second late, at every process of the
   * platform; several changes of one record within a second are told as one. It never ends. Of the newest 100
   * campaigns, 20 runs, and 20 deliveries of each endpoint; of calls, those under way, those placed from now on and the
   * newest 100 that wait. A reader that is more than 4,096 changes behind loses the oldest.
   */
  readonly follow: (workspace_id: string) => Stream.Stream<Change>
}

/** What changes in a workspace, as it changes. */
export class Changes extends Context.Tag("outdial/Changes")<Changes, ChangesShape>() {
  static readonly layer = Layer.scoped(this, make)
}
