import { Cause, Clock, Context, Effect, Fiber, FiberSet, Layer, Option } from "effect"
import { second } from "../model/Codecs.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCampaignMaintenance } from "./CampaignMaintenance.ts"
import { makeClockSteps } from "./ClockSteps.ts"
import { type Carrier, makeDialing } from "./Dialing.ts"
import type { Pacing } from "./Pacing.ts"
import { makePlaying } from "./Playing.ts"
import { makeReviewing } from "./Reviewing.ts"
import { type Fork, type Round, soonest } from "./Round.ts"
import { makeAlarm, type Wake } from "./Wake.ts"
import { makeWatching } from "./Watching.ts"
import { makeWebhookLanes } from "./WebhookLanes.ts"

/** What is in hand when a loop is told to stop gets four seconds, of real time, to come to its end. */
const drain = (beside: FiberSet.FiberSet<void>) =>
  FiberSet.awaitEmpty(beside).pipe(
    Effect.interruptible,
    Effect.timeout("4 seconds"),
    Effect.ignore,
    Effect.withClock(Clock.make())
  )

/**
 * Runs work in a fiber of its own, which ends when this one is told to. Effect 3.22.3 and 3.22.4 forget an
 * interruption that comes while a scope is being closed (see https://github.com/Effect-TS/effect/pull/8271): a fiber that
 * goes on after that would never end.
 */
const apart = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDaemon(restore(work)), (fiber) =>
      Effect.onInterrupt(restore(Effect.flatten(Fiber.await(fiber))), () => Fiber.interrupt(fiber))
    )
  )

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const watching = yield* makeWatching
  const dialing = yield* makeDialing(watching.look)
  const maintenance = yield* makeCampaignMaintenance
  const playing = yield* makePlaying
  const reviewing = yield* makeReviewing
  const lanes = yield* makeWebhookLanes
  const clockSteps = yield* makeClockSteps
  /** Of each workspace, how often the clock had been set back when its due times were last put right. */
  const followed = new Map<string, number>()

  const rounds = Effect.fnUntraced(function* (workspace_id: string, wake: Wake) {
    const beside = yield* FiberSet.make<void>()
    const start = yield* FiberSet.runtime(beside)<never>()
    yield* Effect.addFinalizer(() => drain(beside))
    const alarm = yield* makeAlarm(wake, clockSteps)
    const busy = new Map<string, number>()
    const onStage = new Set<string>()
    const inReview = new Set<string>()
    let pacing: Pacing = yield* dialing.pacingOf(workspace_id)
    let running = 0
    const awaited = new Set<Carrier>()
    const scope = yield* Effect.scope

    const report = (cause: Cause.Cause<unknown>) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.void
        : Effect.logError("due work failed; it is due again later", cause).pipe(
            Effect.annotateLogs({ workspace_id })
          )
    const ended = () => {
      running -= 1
      wake.unsafeWake()
    }
    const fork: Fork = (work, over) =>
      Effect.sync(() => {
        running += 1
        start(Effect.catchAllCause(work, report)).addObserver(() => {
          over?.()
          ended()
        })
      })

    /** A carrier that is away wakes the loop when it is back. */
    const isOpen = Effect.fnUntraced(function* (carrier: Carrier) {
      if (yield* carrier.available) return true
      if (awaited.has(carrier)) return false
      awaited.add(carrier)
      running += 1
      // Not among what is in hand: an end of the loop waits for none of it.
      const wait = yield* Effect.forkIn(Effect.interruptible(carrier.awaitAvailable), scope)
      wait.addObserver(() => {
        awaited.delete(carrier)
        ended()
      })
      return false
    })

    /** Within a second: the workspace may have got more lines meanwhile. */
    const lookSoon = Effect.gen(function* () {
      alarm((yield* Clock.currentTimeMillis) + second, yield* clockSteps)
    })

    /** It is not interrupted: what a loop has claimed, no other loop would begin for a while. */
    const round = Effect.fnUntraced(function* (workspace: Workspace) {
      const tended = yield* maintenance.maintain(workspace_id)
      const dialled = yield* dialing.dialDue(workspace, pacing, fork, isOpen)
      pacing = dialled.pacing
      const watched = yield* watching.watch(workspace_id, fork)
      const played = yield* playing.playDue(workspace_id, onStage, fork)
      const reviewed = yield* reviewing.reviewDue(workspace_id, inReview, fork)
      const delivered = yield* lanes.deliverDue(workspace_id, busy, fork)
      const parts: ReadonlyArray<Round> = [tended, dialled, watched, played, reviewed, delivered]
      return { parts, held: dialled.held }
    }, Effect.uninterruptible)

    yield* fork(watching.recover(workspace_id))

    for (;;) {
      yield* wake.forget
      const workspace = yield* repository.workspaces.get(workspace_id)
      if (Option.isNone(workspace)) return
      const { held, parts } = yield* round(workspace.value)
      if (parts.some(({ again }) => again)) {
        yield* Effect.yieldNow()
        continue
      }
      const due = soonest(parts.map(({ due }) => due))
      if (Option.isNone(due) && running === 0) return
      if (Option.isSome(due)) {
        const steps = yield* clockSteps
        // Once in any case: the process before this one may have had a clock that was ahead.
        if (steps !== followed.get(workspace_id)) {
          const now = yield* Clock.currentTimeMillis
          const changed = yield* repository.workspaces.setBack(workspace_id, now)
          followed.set(workspace_id, steps)
          if (changed) continue
        }
        alarm(due.value, steps)
      }
      if (held) wake.leave(lookSoon)
      yield* wake.await
    }
  })

  const run: DueWorkShape["run"] = (workspace_id, wake) =>
    apart(Effect.scoped(rounds(workspace_id, wake))).pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause)
          ? Effect.interrupt
          : Effect.logError("the due-work loop failed and starts again", cause).pipe(
              Effect.annotateLogs({ workspace_id }),
              Effect.zipRight(Effect.delay(run(workspace_id, wake), "1 second"))
            )
      )
    )

  return DueWork.of({ run })
})

export interface DueWorkShape {
  /**
   * One workspace's loop: dials, looks up, plays, reviews and delivers what is due, sleeps until something is due or `wake`.
   * Ends when nothing is due any more and nothing is under way; a failure of the store is logged and tried
   * again. At any time at most one may run for a workspace; two would be safe, but exceed its caps.
   */
  readonly run: (workspace_id: string, wake: Wake) => Effect.Effect<void>
}

export class DueWork extends Context.Tag("outdial/DueWork")<DueWork, DueWorkShape>() {
  static readonly layer = Layer.scoped(this, make)
}
