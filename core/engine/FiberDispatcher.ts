import { Effect, FiberMap, Layer } from "effect"
import { Dispatcher } from "../ports/Dispatcher.ts"
import { Repository } from "../ports/Repository.ts"
import { DueWork } from "./DueWork.ts"
import { CurrentOperation } from "./Noting.ts"
import { makeWake, type Wake } from "./Wake.ts"

interface Loop {
  readonly wake: Wake
  /** Woken since its last run began. */
  again: boolean
}

const make = Effect.gen(function* () {
  const dueWork = yield* DueWork
  const repository = yield* Repository
  const loops = new Map<string, Loop>()
  const fibers = yield* FiberMap.make<string, void>()

  const runWhileWoken = (workspace_id: string, loop: Loop): Effect.Effect<void> =>
    Effect.suspend(() => {
      loop.again = false
      return Effect.flatMap(dueWork.run(workspace_id, loop.wake), () => {
        if (loop.again) return runWhileWoken(workspace_id, loop)
        loops.delete(workspace_id)
        return Effect.void
      })
    })

  const wake = (workspace_id: string, due?: "placed") =>
    Effect.suspend(() => {
      const running = loops.get(workspace_id)
      if (running !== undefined) {
        running.again = true
        return due === "placed" ? running.wake.placed : running.wake.wake
      }
      const loop: Loop = { wake: makeWake(), again: false }
      loops.set(workspace_id, loop)
      // The loop outlives the request that woke it, and notes nothing in its name.
      const run = Effect.provideService(runWhileWoken(workspace_id, loop), CurrentOperation, null)
      return Effect.asVoid(FiberMap.run(fibers, workspace_id, run))
    })

  yield* Effect.forEach(yield* repository.workspaces.withWork, (id) => wake(id), {
    discard: true
  })
  return Dispatcher.of({ wake })
})

/**
 * One fiber for each workspace that has work, in this process alone. At its start it wakes every workspace
 * whose work an earlier process left.
 */
export const layer: Layer.Layer<Dispatcher, never, DueWork | Repository> = Layer.scoped(Dispatcher, make)
