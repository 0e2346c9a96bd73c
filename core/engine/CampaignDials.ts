import { Effect, Option } from "effect"
import type { Channel } from "../model/agents/Channel.ts"
import type { Outgoing } from "../model/calls/DialDecision.ts"
import { allowance, type Pace, started } from "../model/calls/DialPace.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import * as Breaker from "../model/campaigns/FailureBreaker.ts"
import { breakerOf } from "../model/campaigns/FailureBreaker.ts"
import { type Claimant, share, type Slots } from "../model/campaigns/FairShare.ts"
import { monotonicMillis } from "../ports/MonotonicTime.ts"
import { Repository } from "../ports/Repository.ts"
import type { Claim } from "./Claim.ts"
import { makePaces, type Pacing } from "./Pacing.ts"
import { makeRecipientSelection } from "./RecipientSelection.ts"
import { soonest } from "./Round.ts"

/** How many campaigns one round looks at. */
const mostCampaigns = 1_000

/** On which channels something can go out. */
export type Open = Readonly<Record<Channel, boolean>>

/** What one claim has come to. */
export interface Claimed {
  readonly requests: ReadonlyArray<Outgoing>
  readonly pacing: Pacing
  /** Whether it changed anything, so that there may be more to claim. */
  readonly again: boolean
  /** When a campaign that has used up its pace may dial again. */
  readonly next: Option.Option<number>
}

/** Divides what single calls have left among the campaigns that are due. */
export const makeCampaignDials = Effect.gen(function* () {
  const { attempts, campaigns } = yield* Repository
  const paces = yield* makePaces
  const select = yield* makeRecipientSelection

  const due = (workspace_id: string, now: number, open: Open) =>
    Effect.map(campaigns.due(workspace_id, "dial", now, mostCampaigns), (found) =>
      found.filter(({ campaign }) => open[campaign.channel])
    )

  /** How many dials a campaign may place as long as it is not known whether its dials succeed. */
  const probation = Effect.fnUntraced(function* ({ campaign, counters }: CampaignState) {
    const breaker = breakerOf(campaign.failure_breaker)
    const most = Breaker.probation(counters, breaker)
    if (most === Infinity || !counters.recent.includes("-")) return most
    const last = yield* attempts.ofCampaign(
      campaign.customer_id,
      campaign.id,
      {},
      { limit: breaker.window, offset: 0 }
    )
    return last.some((attempt) => Breaker.succeeds(counters, attempt)) ? Infinity : most
  })

  /** How much each campaign could dial by its own caps. */
  const claimants = Effect.fnUntraced(function* (
    states: ReadonlyArray<CampaignState>,
    pacing: Pacing,
    most: number,
    now: number
  ) {
    const able: Array<Claimant> = []
    const capped = new Map<string, Pace>()
    let next = Option.none<number>()
    const elapsed = yield* monotonicMillis
    for (const state of states) {
      const { campaign, counters } = state
      let room = Math.min(most, linesOf(state), yield* probation(state))
      if (campaign.calls_per_minute !== null) {
        const pace =
          pacing.campaigns.get(campaign.id) ??
          (yield* paces.ofCampaign(campaign.customer_id, campaign.id, now))
        const { allowed, next_at } = allowance(pace, campaign.calls_per_minute, elapsed)
        capped.set(campaign.id, pace)
        if (allowed === 0 && room > 0) next = soonest([next, Option.some(now + next_at - elapsed)])
        room = Math.min(room, allowed)
      }
      able.push({
        campaign_id: campaign.id,
        channel: campaign.channel,
        live: counters.in_progress,
        room,
        turn: pacing.turns.get(campaign.id) ?? 0
      })
    }
    return { able, capped, elapsed, next }
  })

  /** Takes what campaigns may dial now, inside the claim's transaction. */
  const take = Effect.fnUntraced(function* (claim: Claim, pacing: Pacing, slots: Slots, open: Open) {
    const states = yield* due(claim.workspace.id, claim.now, open)
    if (states.length === 0)
      return { requests: [], pacing, again: false, next: Option.none() } satisfies Claimed
    const { able, capped, elapsed, next } = yield* claimants(states, pacing, slots.all, claim.now)
    const running = new Map(states.map((state) => [state.campaign.id, state]))
    const lines = new Map(states.map((state) => [state.campaign.id, linesOf(state)]))
    const turns = new Map(able.map(({ campaign_id, turn }) => [campaign_id, turn]))
    const requests: Array<Outgoing> = []
    const shares = share(slots, able, pacing.turn)
    let { turn } = pacing
    for (const [campaign_id, given] of shares) {
      const selected = yield* select(claim, running.get(campaign_id)!, given.count)
      requests.push(...selected)
      lines.set(campaign_id, lines.get(campaign_id)! - selected.length)
      if (selected.length > 0) turns.set(campaign_id, given.turn)
      turn = Math.max(turn, given.turn)
      const pace = capped.get(campaign_id)
      if (pace !== undefined) capped.set(campaign_id, started(pace, selected.length, elapsed))
    }
    return {
      requests,
      pacing: { ...pacing, campaigns: capped, turns, turn },
      // A campaign without a free line goes on when one of its calls ends.
      again: shares.size > 0 && Array.from(lines.values()).some((free) => free > 0),
      next
    } satisfies Claimed
  })

  return { due, take }
})

/** How many more calls a campaign may have under way. */
const linesOf = ({ campaign, counters }: CampaignState): number =>
  (campaign.max_concurrency ?? Infinity) - counters.in_progress
