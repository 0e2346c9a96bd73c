import { Cause, Clock, Effect, Layer } from "effect"
import { day, hour } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"

/** How long deliveries of webhook events are kept, with what was sent and answered. */
export const deliveriesKept = 30 * day

/** What one unit looks at, and the workspaces that are read at one time. */
const atOnce = 1_000
const workspacesAtOnce = 100

const make = Effect.gen(function* () {
  const { deliveries, workspaces } = yield* Repository

  const tidy = Effect.fnUntraced(function* (workspace_id: string) {
    const now = yield* Clock.currentTimeMillis
    while (yield* deliveries.forget(workspace_id, now - deliveriesKept, atOnce)) yield* Effect.yieldNow()
  })

  const sweep = Effect.gen(function* () {
    for (let offset = 0; ; offset += workspacesAtOnce) {
      const { data } = yield* workspaces.list({ limit: workspacesAtOnce, offset })
      for (const { id } of data) yield* tidy(id)
      if (data.length < workspacesAtOnce) return
    }
  })

  const round = Effect.catchAllCause(sweep, (cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.interrupt
      : Effect.logError("what has been kept for its time could not be removed", cause)
  )

  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(round, Effect.sleep(hour))))
})

/**
 * Removes, every hour and in all workspaces, what is kept for a set time: deliveries of webhook events. Several
 * processes may do it at the same time.
 */
export const layer: Layer.Layer<never, never, Repository> = Layer.scopedDiscard(make)
