import { Cause, Context, Effect, FiberSet, Tracer } from "effect"
import { ClientTracingEnabled } from "@effect/cluster/ClusterSchema"
import * as Entity from "@effect/cluster/Entity"
import * as EntityId from "@effect/cluster/EntityId"
import type { ShardId } from "@effect/cluster/ShardId"
import { Sharding } from "@effect/cluster/Sharding"
import * as Rpc from "@effect/rpc/Rpc"
import { DueWork } from "../../core/engine/DueWork.ts"
import { makeWake, type Wake } from "../../core/engine/Wake.ts"

/** A workspace at its owner. No message is stored: what is lost the owner's sweep finds. */
const Workspace = Entity.make("Workspace", [
  /** It has work that may be due. */
  Rpc.make("Wake"),
  /** Sent by the owner to itself: the loop, for as long as it runs. An entity without it may go. */
  Rpc.make("Run")
]).annotate(ClientTracingEnabled, false)

interface Loop {
  readonly shard: ShardId
  readonly wake: Wake
  running: boolean
  /** Woken since its last run began. */
  again: boolean
}

/** How long a message may look for the owner, while shards move. */
const patience = "1500 millis"
/** How long a workspace without work stays in memory. */
const idle = "1 minute"

const untraced = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.mapInputContext(work, (context: Context.Context<never>) => Context.omit(Tracer.ParentSpan)(context))

/**
 * The loops of the workspaces whose shards this process has, and the way to those of the others. Messages to one
 * workspace are never under way twice: those that come meanwhile become one.
 */
export const make = Effect.gen(function* () {
  const sharding = yield* Sharding
  const dueWork = yield* DueWork
  const clientOf = yield* Workspace.client
  const fork = yield* FiberSet.makeRuntime()
  const loops = new Map<string, Loop>()
  /** Workspaces to which a message is under way; `again`: another one is to follow. */
  const underWay = new Map<string, { again: boolean }>()

  const send = (workspace_id: string) =>
    clientOf(workspace_id)
      .Wake(undefined, { discard: true })
      .pipe(
        // To an owner that has vanished the library can neither send nor stop sending.
        Effect.disconnect,
        Effect.timeout(patience),
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.interrupt
            : Effect.logDebug("a wake found no owner; the owner's sweep finds the work", cause).pipe(
                Effect.annotateLogs({ workspace_id })
              )
        )
      )

  const runWhileWoken = (workspace_id: string, loop: Loop): Effect.Effect<void> =>
    Effect.suspend(() => {
      loop.again = false
      return Effect.flatMap(dueWork.run(workspace_id, loop.wake), () => {
        if (loop.again) return runWhileWoken(workspace_id, loop)
        loop.running = false
        return Effect.void
      })
    })

  const handlers = Effect.gen(function* () {
    const { entityId, shardId } = yield* Entity.CurrentAddress
    const loop: Loop = { shard: shardId, wake: makeWake(), running: false, again: false }
    yield* Effect.acquireRelease(
      Effect.sync(() => loops.set(entityId, loop)),
      () => Effect.sync(() => loops.get(entityId) === loop && loops.delete(entityId))
    )
    const begin = clientOf(entityId)
      .Run(undefined, { discard: true })
      .pipe(Effect.timeout("1 second"), Effect.ignore)
    return Workspace.of({
      Wake: () =>
        Effect.suspend(() => {
          loop.again = true
          return loop.running ? loop.wake.wake : begin
        }),
      Run: () =>
        Effect.suspend(() => {
          if (loop.running) return Effect.void
          loop.running = true
          return Effect.onError(untraced(runWhileWoken(entityId, loop)), () =>
            Effect.sync(() => {
              loop.running = false
            })
          )
        })
    })
  })
  yield* sharding.registerEntity(Workspace, handlers, { concurrency: "unbounded", maxIdleTime: idle })

  const deliver = (workspace_id: string, state: { again: boolean }): Effect.Effect<void> =>
    Effect.flatMap(send(workspace_id), () => {
      if (state.again) {
        state.again = false
        return deliver(workspace_id, state)
      }
      underWay.delete(workspace_id)
      return Effect.void
    })

  const tell = (workspace_id: string) => {
    const earlier = underWay.get(workspace_id)
    if (earlier !== undefined) {
      earlier.again = true
      return
    }
    const state = { again: false }
    underWay.set(workspace_id, state)
    fork(deliver(workspace_id, state))
  }

  const isOwn = (workspace_id: string) => {
    const id = EntityId.make(workspace_id)
    return sharding.hasShardId(sharding.getShardId(id, Workspace.getShardGroup(id)))
  }

  const runningHere = (workspace_id: string): Loop | undefined => {
    const loop = loops.get(workspace_id)
    return loop?.running === true && sharding.hasShardId(loop.shard) ? loop : undefined
  }

  return {
    wake: (workspace_id: string, due?: "placed"): Effect.Effect<void> =>
      Effect.suspend(() => {
        const loop = runningHere(workspace_id)
        if (loop === undefined) return Effect.sync(() => tell(workspace_id))
        loop.again = true
        return due === "placed" ? loop.wake.placed : loop.wake.wake
      }),
    /** Starts the workspace's loop if it is this process's to run, unless it runs. */
    ensure: (workspace_id: string): Effect.Effect<void> =>
      Effect.sync(() => {
        if (isOwn(workspace_id) && runningHere(workspace_id) === undefined) tell(workspace_id)
      })
  }
})
