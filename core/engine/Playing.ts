import { Clock, Effect, Option } from "effect"
import { second } from "../model/Codecs.ts"
import type { Play } from "../model/suites/Play.ts"
import type { Run } from "../model/suites/Run.ts"
import * as Machine from "../model/suites/RunMachine.ts"
import { testedAgent } from "../model/suites/Subject.ts"
import { criterionOf } from "../model/suites/Suite.ts"
import { AgentSimulator } from "../ports/AgentSimulator.ts"
import { Ids } from "../ports/Ids.ts"
import type { ModelFailure } from "../ports/ModelFailure.ts"
import { Repository } from "../ports/Repository.ts"
import { RunLimits } from "../ports/RunLimits.ts"
import { makePlaySteps, type PlayStep } from "./PlaySteps.ts"
import { makePlayTalk } from "./PlayTalk.ts"
import { type Fork, type Round, soonest } from "./Round.ts"

/** Times in a row that a model may fail before the play counts as errored. */
const patience = 3

const askedOf = ({ subject }: Run, { id, run_index, scenario, transcript }: Play) => ({
  key: id,
  agent: testedAgent(subject, scenario, run_index),
  scenario,
  transcript
})

/**
 * The playing part of a workspace's due-work loop: agents and personas talk, judges read. Each turn is stored as it
 * comes, with what it costs, so that a new owner goes on where the one before stood and nothing is paid twice.
 */
export const makePlaying = Effect.gen(function* () {
  const repository = yield* Repository
  const simulator = yield* AgentSimulator
  const limits = yield* RunLimits
  const ids = yield* Ids
  const { stop, store } = yield* makePlaySteps
  const talk = yield* makePlayTalk

  const judge = Effect.fnUntraced(function* (run: Run, play: Play, name: string) {
    const asked = askedOf(run, play)
    const { reasoning, verdict } = yield* simulator.judge(asked, { name, criterion: criterionOf(name) })
    const now = yield* Clock.currentTimeMillis
    return {
      next: Machine.judged(play, name, { verdict, reasoning }, run.judges, now),
      charged: false
    } satisfies PlayStep
  })

  /** A model that fails is asked again, later each time; a model that cannot be used ends this play alone as errored. */
  const failed = Effect.fnUntraced(function* (play: Play, failure: ModelFailure) {
    const now = yield* Clock.currentTimeMillis
    const again = failure._tag !== "ModelUnusable" && play.failures + 1 < patience
    const wait = failure._tag === "ModelBusy" ? failure.retry_after : 2 ** play.failures
    const next = again
      ? Machine.putOff(play, now + wait * second, now)
      : Machine.errored(play, failure.message, now)
    return { next, charged: false } satisfies PlayStep
  })

  /** Stores a step. Answers what the play has become, and null when it goes on no further here. */
  const keep = Effect.fnUntraced(function* ({ customer_id, id }: Run, step: PlayStep) {
    const stored = yield* store(step)
    if (stored === "unpaid") yield* stop({ customer_id, id }, "insufficient credits")
    return stored === "stored" && step.next.open && step.next.failures === 0 ? step.next : null
  })

  /** Plays until the end, or until it is put off or taken away. */
  const playOn = Effect.fnUntraced(function* (run: Run, from: Play) {
    let play: Play | null = from
    while (play !== null) {
      const next = Machine.nextOf(play, run.judges)
      if (next._tag === "Nothing") return
      /** As it was stored last. */
      let latest: Play = play
      const remember = (step: PlayStep) =>
        Effect.tap(store(step), (stored) => {
          if (stored === "stored") latest = step.next
        })
      const putOff = (failure: ModelFailure) =>
        Effect.flatMap(failed(latest, failure), (step) => keep(run, step))
      if (next._tag === "Judge") {
        play = yield* Effect.catchAll(
          Effect.flatMap(judge(run, play, next.judge), (step) => keep(run, step)),
          putOff
        )
        continue
      }
      const talked = yield* Effect.either(talk(run, play, remember))
      if (talked._tag === "Left") return void (yield* putOff(talked.left))
      if (talked.right.ended === "unpaid") {
        return yield* stop({ customer_id: run.customer_id, id: run.id }, "insufficient credits")
      }
      if (talked.right.ended === "gone") return
      play = talked.right.play
    }
  })

  /** The run of a play that is about to go on: running from here. */
  const begin = ({ customer_id, run_id }: Play) =>
    repository.transaction(
      customer_id,
      Effect.gen(function* () {
        const run = Option.getOrThrow(yield* repository.runs.get(customer_id, run_id))
        const begun = Machine.begun(run, yield* Clock.currentTimeMillis)
        if (begun !== run) yield* repository.runs.update(begun)
        return begun
      })
    )

  const releaseExpired = Effect.fnUntraced(function* (workspace_id: string, now: number) {
    for (const { amount, customer_id, id } of yield* repository.holds.expired(workspace_id, now)) {
      if (!(yield* repository.holds.remove(customer_id, id))) continue
      const entry = {
        id: yield* ids.make("led"),
        customer_id,
        kind: "release" as const,
        amount,
        reference: id,
        created_at: now
      }
      yield* repository.credits.append(customer_id, [entry])
    }
  })

  /** Starts the plays that are due, up to the cap. `busy` are those that are being played in this loop. */
  const playDue = Effect.fnUntraced(function* (workspace_id: string, busy: Set<string>, fork: Fork) {
    const now = yield* Clock.currentTimeMillis
    const expiry = yield* repository.holds.nextExpiry(workspace_id)
    if (Option.isSome(expiry) && expiry.value <= now)
      yield* repository.transaction(workspace_id, releaseExpired(workspace_id, now))
    for (const run of yield* repository.runs.overdue(workspace_id, now)) yield* stop(run, "deadline exceeded")
    const free = limits.concurrency - busy.size
    const due = free <= 0 ? [] : yield* repository.plays.due(workspace_id, now, limits.concurrency)
    const fresh = due.filter(({ id }) => !busy.has(id)).slice(0, free)
    const runs = new Map<string, Run>()
    for (const play of fresh) {
      const run = runs.get(play.run_id) ?? (yield* begin(play))
      runs.set(run.id, run)
      busy.add(play.id)
      yield* fork(playOn(run, play), () => busy.delete(play.id))
    }
    return {
      again: fresh.length > 0,
      due: soonest([
        yield* repository.plays.nextDue(workspace_id, now),
        yield* repository.runs.nextDeadline(workspace_id),
        yield* repository.holds.nextExpiry(workspace_id)
      ])
    } satisfies Round
  })

  return { playDue }
})
