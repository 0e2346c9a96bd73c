import { Clock, Effect, Option } from "effect"
import * as CallMachine from "../model/calls/CallMachine.ts"
import type { Campaign, CampaignState } from "../model/campaigns/Campaign.ts"
import { moved } from "../model/campaigns/CampaignCounters.ts"
import * as Machine from "../model/campaigns/CampaignMachine.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"
import { makeCampaignStore } from "./CampaignStore.ts"
import type { Round } from "./Round.ts"

/** Campaigns that one round looks at, and what one transaction clears of one. */
const atOnce = 100
const recipientsAtOnce = 1_000
const callsAtOnce = 128

/**
 * The part of a workspace's due-work loop that looks after campaigns which do not dial: it starts those whose
 * time has come, and clears what cancelled ones leave behind, piece by piece.
 */
export const makeCampaignMaintenance = Effect.gen(function* () {
  const repository = yield* Repository
  const calls = yield* makeCallStore
  const store = yield* makeCampaignStore

  const cancelCalls = Effect.fnUntraced(function* ({ customer_id, id }: Campaign, now: number) {
    const waiting = yield* repository.calls.dialable(customer_id, id, Number.MAX_SAFE_INTEGER, callsAtOnce)
    const batch = yield* calls.batchAt(now)
    for (const call of waiting) {
      const before = yield* calls.stateOf(call)
      const step = CallMachine.cancel(call.redial ? before : { call, attempt: null }, now)
      if (step !== null) yield* calls.saveIn(batch, before, step)
    }
    yield* calls.finish(batch)
    return waiting.length
  })

  /** Answers whether anything is left. */
  const clear = Effect.fnUntraced(function* ({ campaign }: CampaignState, now: number) {
    const { customer_id, id } = campaign
    const skipped = yield* repository.recipients.skip(customer_id, id, now, recipientsAtOnce)
    const cancelled = skipped < recipientsAtOnce ? yield* cancelCalls(campaign, now) : 0
    const before = yield* Effect.orDie(store.load(customer_id, id))
    const left = skipped === recipientsAtOnce || cancelled === callsAtOnce
    const counters = moved(before.counters, "pending", "skipped", skipped)
    yield* store.save(before, { ...before, counters: left ? counters : { ...counters, due_at: null } })
  })

  const tendOne = (state: CampaignState, now: number) =>
    state.campaign.status === "cancelled" ? clear(state, now) : store.save(state, Machine.begin(state, now))

  const tendDue = (workspace_id: string, now: number) =>
    Effect.flatMap(repository.campaigns.due(workspace_id, "tend", now, atOnce), (due) =>
      Effect.forEach(due, (state) => tendOne(state, now), { discard: true })
    )

  const maintain = Effect.fnUntraced(function* (workspace_id: string) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* repository.campaigns.nextDue(workspace_id, "tend", -1)
    if (Option.isNone(due) || due.value > now) return { again: false, due } satisfies Round
    yield* Effect.eventually(repository.transaction(workspace_id, tendDue(workspace_id, now)))
    return { again: true, due: Option.none<number>() } satisfies Round
  })

  return { maintain }
})
