import { Cause, Clock, Effect, Layer } from "effect"
import { day, hour } from "../model/Codecs.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"
import type { RecordingStore } from "../ports/RecordingStore.ts"
import { Repository } from "../ports/Repository.ts"
import { hourOf, makeUsageCounting } from "./UsageCounting.ts"
import { makeWorkspaceRetention } from "./WorkspaceRetention.ts"

/** How long deliveries of webhook events are kept, with what was sent and answered. */
export const deliveriesKept = 30 * day

/** How long answers to requests with an idempotency key are kept. */
export const answersKept = day

/** What one unit looks at, and the workspaces that are read at one time. */
const atOnce = 1_000
const workspacesAtOnce = 100

/** The usage that is counted before it is asked for: the month so far, and the one before. */
const usageCounted = 62 * day

const make = Effect.gen(function* () {
  const { answers, deliveries, workspaces } = yield* Repository
  const count = yield* makeUsageCounting
  const retain = yield* makeWorkspaceRetention

  const tidy = Effect.fnUntraced(function* (workspace: Workspace) {
    const { call_retention_days, created_at, id } = workspace
    const now = yield* Clock.currentTimeMillis
    yield* answers.forget(id, now - answersKept)
    // Deliveries hold what events say of calls: they are kept no longer than those.
    const kept =
      call_retention_days === null ? deliveriesKept : Math.min(deliveriesKept, call_retention_days * day)
    while (yield* deliveries.forget(id, now - kept, atOnce)) yield* Effect.yieldNow()
    yield* retain(workspace, now)
    yield* count(id, Math.max(hourOf(created_at), hourOf(now - usageCounted)), hourOf(now))
  })

  const sweep = Effect.gen(function* () {
    for (let offset = 0; ; offset += workspacesAtOnce) {
      const { data } = yield* workspaces.list({ limit: workspacesAtOnce, offset })
      for (const workspace of data) yield* tidy(workspace)
      if (data.length < workspacesAtOnce) return
    }
  })

  const round = Effect.catchAllCause(sweep, (cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.interrupt
      : Effect.logError("what is due each hour could not be done", cause)
  )

  yield* Effect.forkScoped(Effect.forever(Effect.zipRight(round, Effect.sleep(hour))))
})

/**
 * Does, every hour and in all workspaces, what no request waits for: removes deliveries and keyed answers that were
 * kept for their time, erases what a workspace keeps for so many days, and counts what was used. Several processes may do it at the same time.
 */
export const layer: Layer.Layer<never, never, Repository | RecordingStore> = Layer.scopedDiscard(make)
