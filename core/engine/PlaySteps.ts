import { Clock, Effect, Option } from "effect"
import type { Play } from "../model/suites/Play.ts"
import type { Run } from "../model/suites/Run.ts"
import * as Machine from "../model/suites/RunMachine.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import { Ids } from "../ports/Ids.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import * as Batched from "./Batched.ts"
import { makeRunStore } from "./RunStore.ts"

/** Steps that one transaction stores. */
const together = 256

/** A step of a play: what it becomes, and whether an utterance is to be paid for. */
export interface PlayStep {
  readonly next: Play
  readonly charged: boolean
}

/**
 * What storing a step came to. `gone`: another process was faster, or the run is over. `unpaid`: the workspace has no
 * credits left.
 */
export type Stored = "stored" | "gone" | "unpaid"

/** Stores the steps of plays with what they cost, and ends runs that cannot go on. */
export const makePlaySteps = Effect.gen(function* () {
  const repository = yield* Repository
  const prices = yield* Prices
  const ids = yield* Ids
  const runStore = yield* makeRunStore

  /** Counts a play that has come to its end in its run. */
  const count = Effect.fnUntraced(function* (play: Play) {
    const run = yield* repository.runs.get(play.customer_id, play.run_id)
    if (Option.isNone(run)) return
    const now = yield* Clock.currentTimeMillis
    yield* runStore.save(run.value, Machine.counted(run.value, play, prices.turn, now), now)
  })

  /** Charges what the turns of each run have cost in one transaction. */
  const pay = Effect.fnUntraced(function* (customer_id: string, costs: ReadonlyMap<string, number>) {
    const created_at = yield* Clock.currentTimeMillis
    for (const [reference, cost] of costs) {
      const entry: LedgerEntry = {
        id: yield* ids.make("led"),
        customer_id,
        kind: "test",
        amount: -cost,
        reference,
        created_at
      }
      yield* repository.credits.append(customer_id, [entry])
    }
  })

  /**
   * Stores steps as far as the credits reach. A play that was closed with its run has another version: nothing more
   * of it is stored, or paid for.
   */
  const storeAll = Effect.fnUntraced(function* (workspace_id: string, steps: ReadonlyArray<PlayStep>) {
    let balance = yield* repository.credits.balance(workspace_id)
    const costs = new Map<string, number>()
    const results: Array<Stored> = []
    for (const { charged, next } of steps) {
      const price = charged ? prices.turn : 0
      if (balance < price) {
        results.push("unpaid")
        continue
      }
      if (!(yield* repository.plays.update(next))) {
        results.push("gone")
        continue
      }
      balance -= price
      if (price > 0) costs.set(next.run_id, (costs.get(next.run_id) ?? 0) + price)
      if (!next.open) yield* count(next)
      results.push("stored")
    }
    yield* pay(workspace_id, costs)
    return results
  })

  const store = yield* Batched.make(
    together,
    ({ next }: PlayStep) => next.customer_id,
    (workspace_id, steps) => repository.transaction(workspace_id, storeAll(workspace_id, steps))
  )

  /** Ends a run that cannot go on, with all that is open of it. */
  const stop = ({ customer_id, id }: Pick<Run, "customer_id" | "id">, error: string) =>
    repository.transaction(
      customer_id,
      Effect.gen(function* () {
        const run = yield* repository.runs.get(customer_id, id)
        if (Option.isNone(run) || !Machine.isOpen(run.value)) return
        const now = yield* Clock.currentTimeMillis
        const open = (yield* repository.plays.ofRun(customer_id, id)).filter((play) => play.open)
        yield* repository.plays.close(customer_id, id, error, now)
        const stopped = Machine.stopped(run.value, "failed", error, open, prices.turn, now)
        yield* runStore.save(run.value, stopped, now)
      })
    )

  return { store, stop }
})
