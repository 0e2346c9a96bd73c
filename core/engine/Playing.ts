import { Clock, Effect, Option } from "effect"
import { second } from "../model/Codecs.ts"
import type { Play, Role } from "../model/suites/Play.ts"
import type { Run } from "../model/suites/Run.ts"
import * as Machine from "../model/suites/RunMachine.ts"
import { criterionOf } from "../model/suites/Suite.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import { AgentSimulator, type ModelFailure } from "../ports/AgentSimulator.ts"
import { Ids } from "../ports/Ids.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import { RunLimits } from "../ports/RunLimits.ts"
import * as Batched from "./Batched.ts"
import { type Round, soonest } from "./Round.ts"

/** Steps that one transaction stores. */
const together = 256
/** Times in a row that a model may fail before the play counts as errored. */
const patience = 3

/** A step of a play: what it becomes, and whether an utterance is to be paid for. */
interface Step {
  readonly next: Play
  readonly charged: boolean
}

/** What a run has to pay. */
interface Bill {
  readonly customer_id: string
  readonly amount: number
}

/** What storing a step came to: it counts; somebody else was faster or the run is over; there are no credits. */
type Stored = "stored" | "gone" | "unpaid"

/**
 * The playing part of a workspace's due-work loop: agents and personas talk, judges read. Each step is stored as it
 * comes, with what it costs, so that a new owner goes on where the one before stood and nothing is paid twice.
 */
export const makePlaying = Effect.gen(function* () {
  const repository = yield* Repository
  const simulator = yield* AgentSimulator
  const prices = yield* Prices
  const limits = yield* RunLimits
  const ids = yield* Ids

  /** The run of a play that has come to its end. */
  const count = Effect.fnUntraced(function* (play: Play) {
    const run = yield* repository.runs.get(play.customer_id, play.run_id)
    if (Option.isNone(run)) return
    const now = yield* Clock.currentTimeMillis
    yield* repository.runs.update(Machine.counted(run.value, play, prices.turn, now))
  })

  /** What the turns of each run have cost in one transaction. */
  const pay = Effect.fnUntraced(function* (bills: ReadonlyMap<string, Bill>) {
    const created_at = yield* Clock.currentTimeMillis
    for (const [reference, { amount, customer_id }] of bills) {
      const entry: LedgerEntry = {
        id: yield* ids.make("led"),
        customer_id,
        kind: "test",
        amount: -amount,
        reference,
        created_at
      }
      yield* repository.credits.append(customer_id, [entry])
    }
  })

  /**
   * Stores steps with what they cost, as far as the credits reach. A play that was closed with its run has another
   * version: nothing more of it is stored, or paid for.
   */
  const storeAll = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
    const purses = new Map<string, number>()
    const bills = new Map<string, Bill>()
    const results: Array<Stored> = []
    for (const { charged, next } of steps) {
      const { customer_id, run_id } = next
      const price = charged ? prices.turn : 0
      const purse = purses.get(customer_id) ?? (yield* repository.credits.balance(customer_id))
      if (purse < price) {
        results.push("unpaid")
        continue
      }
      if (!(yield* repository.plays.update(next))) {
        results.push("gone")
        continue
      }
      purses.set(customer_id, purse - price)
      if (price > 0) bills.set(run_id, { customer_id, amount: (bills.get(run_id)?.amount ?? 0) + price })
      if (!next.open) yield* count(next)
      results.push("stored")
    }
    yield* pay(bills)
    return results
  })

  const stored = yield* Batched.make(together, (steps: ReadonlyArray<Step>) =>
    repository.transaction(storeAll(steps))
  )

  /** Ends a run that cannot go on, with all that is open of it. */
  const stop = ({ customer_id, id }: Pick<Run, "customer_id" | "id">, error: string) =>
    repository.transaction(
      Effect.gen(function* () {
        const run = yield* repository.runs.get(customer_id, id)
        if (Option.isNone(run) || !Machine.isOpen(run.value)) return
        const now = yield* Clock.currentTimeMillis
        const open = (yield* repository.plays.ofRun(customer_id, id)).filter((play) => play.open)
        yield* repository.plays.close(customer_id, id, error, now)
        yield* repository.runs.update(Machine.stopped(run.value, "failed", error, open, prices.turn, now))
      })
    )

  const speak = Effect.fnUntraced(function* (run: Run, play: Play, role: Role) {
    const asked = { key: play.id, agent: run.agent, scenario: play.scenario, transcript: play.transcript }
    const turn = yield* role === "agent" ? simulator.agentTurn(asked) : simulator.personaTurn(asked)
    const at = yield* Clock.currentTimeMillis
    const next = Machine.said(play, { role, text: turn.text, at }, turn.hangs_up, run.judges, at)
    return { next, charged: true } satisfies Step
  })

  const judge = Effect.fnUntraced(function* (run: Run, play: Play, name: string) {
    const asked = { key: play.id, agent: run.agent, scenario: play.scenario, transcript: play.transcript }
    const { reasoning, verdict } = yield* simulator.judge(asked, { name, criterion: criterionOf(name) })
    const now = yield* Clock.currentTimeMillis
    return {
      next: Machine.judged(play, name, { verdict, reasoning }, run.judges, now),
      charged: false
    } satisfies Step
  })

  /** A model that fails is asked again, later each time; one that fails for good sinks its play alone. */
  const failed = Effect.fnUntraced(function* (play: Play, failure: ModelFailure) {
    const now = yield* Clock.currentTimeMillis
    const again = failure._tag !== "ModelUnusable" && play.failures + 1 < patience
    const wait = failure._tag === "ModelBusy" ? failure.retry_after : 2 ** play.failures
    const next = again
      ? Machine.putOff(play, now + wait * second, now)
      : Machine.errored(play, failure.message, now)
    return { next, charged: false } satisfies Step
  })

  const stepOf = (
    run: Run,
    play: Play,
    next: Exclude<Machine.Next, { readonly _tag: "Nothing" }>
  ): Effect.Effect<Step, ModelFailure> => {
    switch (next._tag) {
      case "AgentTurn":
        return speak(run, play, "agent")
      case "PersonaTurn":
        return speak(run, play, "persona")
      case "Judge":
        return judge(run, play, next.judge)
    }
  }

  /** Plays until the end, or until it is put off or taken away. */
  const playOn = Effect.fnUntraced(function* (run: Run, from: Play) {
    let play = from
    for (;;) {
      const next = Machine.nextOf(play, run.judges)
      if (next._tag === "Nothing") return
      const asked = play
      const step = yield* Effect.catchAll(stepOf(run, asked, next), (failure) => failed(asked, failure))
      const outcome = yield* stored(step)
      if (outcome === "unpaid")
        return yield* stop({ customer_id: run.customer_id, id: run.id }, "insufficient credits")
      if (outcome === "gone" || !step.next.open || step.next.failures > 0) return
      play = step.next
    }
  })

  /** The run of a play that is about to go on: running from here. */
  const begin = ({ customer_id, run_id }: Play) =>
    repository.transaction(
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

  /**
   * Starts the plays that are due, up to the cap. `busy` are those that are being played in this loop; `fork` runs
   * one beside it and tells it when that is over.
   */
  const playDue = Effect.fnUntraced(function* (
    workspace_id: string,
    busy: Set<string>,
    fork: (work: Effect.Effect<void>) => Effect.Effect<void>
  ) {
    const now = yield* Clock.currentTimeMillis
    const expiry = yield* repository.holds.nextExpiry(workspace_id)
    if (Option.isSome(expiry) && expiry.value <= now)
      yield* repository.transaction(releaseExpired(workspace_id, now))
    for (const run of yield* repository.runs.overdue(workspace_id, now)) yield* stop(run, "deadline exceeded")
    const free = limits.concurrency - busy.size
    const due = free <= 0 ? [] : yield* repository.plays.due(workspace_id, now, limits.concurrency)
    const fresh = due.filter(({ id }) => !busy.has(id)).slice(0, free)
    const runs = new Map<string, Run>()
    for (const play of fresh) {
      const run = runs.get(play.run_id) ?? (yield* begin(play))
      runs.set(run.id, run)
      busy.add(play.id)
      const done = Effect.sync(() => busy.delete(play.id))
      yield* fork(Effect.ensuring(playOn(run, play), done))
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
