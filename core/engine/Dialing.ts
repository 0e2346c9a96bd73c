import { Clock, Effect, Metric, Option } from "effect"
import type { Channel } from "../model/agents/Channel.ts"
import type { Call } from "../model/calls/Call.ts"
import { fromRefusal } from "../model/calls/CallEnd.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import { isMessage, type Outgoing } from "../model/calls/DialDecision.ts"
import { allowance, type Pace, started } from "../model/calls/DialPace.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import { type Claimant, share, type Slots } from "../model/campaigns/FairShare.ts"
import { minute, second } from "../model/Codecs.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"
import {
  CallDialer,
  type CarrierUnreachable,
  type DialInDoubt,
  type DialRefused
} from "../ports/CallDialer.ts"
import { MessageSender } from "../ports/MessageSender.ts"
import { Repository } from "../ports/Repository.ts"
import { type Claim, makeClaim } from "./Claim.ts"
import * as Metrics from "./Metrics.ts"
import { makeProgressRecorder } from "./ProgressRecorder.ts"
import { makeRecipientSelection } from "./RecipientSelection.ts"
import { type Round, soonest } from "./Round.ts"
import { makeTransitions } from "./Transitions.ts"

/** How many calls one transaction claims. */
const batch = 256

/** How long after an intent was begun it may be sent; well before anybody else takes it for one that never was. */
const freshFor = Machine.settleTime / 2

/** How many campaigns one round looks at. */
const mostCampaigns = 1_000

const answers = {
  DialRefused: "refused",
  CarrierUnreachable: "unreachable",
  DialInDoubt: "in_doubt"
} as const

/** What the loop of a workspace remembers of its dials. */
export interface Pacing {
  readonly workspace: Pace
  /** Of the campaigns that have a cap of their own. */
  readonly campaigns: ReadonlyMap<string, Pace>
  /** Whose turn it was last, and when each campaign had its own. */
  readonly turn: number
  readonly turns: ReadonlyMap<string, number>
}

/** On which channels anything can go out. */
type Open = Readonly<Record<Channel, boolean>>

/** What one claim has come to. */
interface Claimed {
  readonly requests: ReadonlyArray<Outgoing>
  readonly pacing: Pacing
  /** Whether it changed anything, so that there may be more to claim. */
  readonly again: boolean
  /** When a campaign that has used up its pace may dial again. */
  readonly next: Option.Option<number>
}

/**
 * The dialling part of a workspace's due-work loop. Single calls go first, campaigns share what is left. The
 * intent to dial is committed before the carrier hears of it; a dial that comes to no known end is looked up
 * (`look`), never dialled on a guess.
 */
export const makeDialing = (look: (call: Call) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const repository = yield* Repository
    const dialer = yield* CallDialer
    const sender = yield* MessageSender
    const claims = yield* makeClaim
    const draw = yield* makeRecipientSelection
    const recorder = yield* makeProgressRecorder
    const { accepted, putBack } = yield* makeTransitions

    /** Commits what becomes of a single call that is due. */
    const single = Effect.fnUntraced(function* (claim: Claim, call: Call) {
      const before = yield* claims.waiting(call)
      const decision = yield* claim.judge(call)
      switch (decision._tag) {
        case "Dial":
          return Option.toArray(yield* claim.dial(before, call, decision))
        case "Wait": {
          const later = Machine.wait(call, decision.until, claim.now)
          yield* repository.calls.update({ ...later, version: call.version + 1 })
          return []
        }
        case "Refuse":
          yield* claims.save(before, Machine.refuse(before, decision.sub_status, claim.now), claim.now)
          return []
      }
    })

    const paceOfCampaign = Effect.fnUntraced(function* (
      pacing: Pacing,
      { campaign }: CampaignState,
      now: number
    ) {
      const starts = repository.attempts.startedSince(campaign.customer_id, campaign.id, now - minute)
      return pacing.campaigns.get(campaign.id) ?? { span: minute, starts: yield* starts }
    })

    /** How much each running campaign that is due could dial by its own caps. */
    const claimants = Effect.fnUntraced(function* (
      due: ReadonlyArray<CampaignState>,
      pacing: Pacing,
      most: number,
      now: number
    ) {
      const able: Array<Claimant> = []
      const paces = new Map<string, Pace>()
      const lines = new Map<string, number>()
      let next = Option.none<number>()
      for (const state of due) {
        const { campaign, counters } = state
        const free = (campaign.max_concurrency ?? Infinity) - counters.in_progress
        lines.set(campaign.id, free)
        let room = Math.min(most, free)
        if (campaign.calls_per_minute !== null) {
          const pace = yield* paceOfCampaign(pacing, state, now)
          const { allowed, next_at } = allowance(pace, campaign.calls_per_minute, now)
          paces.set(campaign.id, pace)
          if (allowed === 0 && room > 0) next = soonest([next, Option.some(next_at)])
          room = Math.min(room, allowed)
        }
        const turn = pacing.turns.get(campaign.id) ?? 0
        able.push({
          campaign_id: campaign.id,
          channel: campaign.channel,
          live: counters.in_progress,
          room,
          turn
        })
      }
      return { able, lines, next, pacing: { ...pacing, campaigns: paces } satisfies Pacing }
    })

    const dueCampaigns = (workspace_id: string, now: number, open: Open) =>
      Effect.map(repository.campaigns.due(workspace_id, "dial", now, mostCampaigns), (due) =>
        due.filter(({ campaign }) => open[campaign.channel])
      )

    /** Campaigns share what single calls have left. */
    const fromCampaigns = Effect.fnUntraced(function* (
      claim: Claim,
      pacing: Pacing,
      slots: Slots,
      open: Open
    ) {
      const due = yield* dueCampaigns(claim.workspace.id, claim.now, open)
      if (due.length === 0)
        return { requests: [], pacing, again: false, next: Option.none() } satisfies Claimed
      const asked = yield* claimants(due, pacing, slots.all, claim.now)
      const running = new Map(due.map((state) => [state.campaign.id, state]))
      const requests: Array<Outgoing> = []
      const paces = new Map(asked.pacing.campaigns)
      const turns = new Map<string, number>()
      let { turn } = pacing
      const shares = share(slots, asked.able, turn)
      for (const { campaign_id, turn } of asked.able) turns.set(campaign_id, turn)
      for (const [campaign_id, given] of shares) {
        const drawn = yield* draw(claim, running.get(campaign_id)!, given.count)
        requests.push(...drawn)
        asked.lines.set(campaign_id, asked.lines.get(campaign_id)! - drawn.length)
        if (drawn.length > 0) turns.set(campaign_id, given.turn)
        turn = Math.max(turn, given.turn)
        const pace = paces.get(campaign_id)
        if (pace !== undefined) paces.set(campaign_id, started(pace, drawn.length, claim.now))
      }
      return {
        requests,
        pacing: { ...pacing, campaigns: paces, turns, turn },
        // None with a line left: the end of a call is what brings more.
        again: shares.size > 0 && Array.from(asked.lines.values()).some((free) => free > 0),
        next: asked.next
      } satisfies Claimed
    })

    /** Commits what becomes of what is due: what may be dialled are intents from here on. */
    const claim = Effect.fnUntraced(function* (
      workspace: Workspace,
      pacing: Pacing,
      slots: Slots,
      open: Open
    ) {
      const opened = yield* claims.open(workspace)
      const lines = Math.min(slots.all, slots.voice)
      const due = open.voice ? yield* repository.calls.dialable(workspace.id, null, opened.now, lines) : []
      const singles = (yield* Effect.forEach(due, (call) => single(opened, call))).flat()
      const left: Slots = { all: slots.all - singles.length, voice: slots.voice - singles.length }
      const campaigns: Claimed =
        left.all > 0
          ? yield* fromCampaigns(opened, pacing, left, open)
          : { requests: [], pacing, again: true, next: Option.none() }
      return {
        ...campaigns,
        requests: [...singles, ...campaigns.requests],
        again: due.length > 0 || campaigns.again
      } satisfies Claimed
    })

    const refused = (request: Outgoing, refusal: DialRefused) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        recorder.recordOne(request.workspace_id, request.key, [fromRefusal(refusal, now)])
      )

    const lookAt = (request: Outgoing) =>
      Effect.flatMap(
        repository.calls.get(request.workspace_id, request.call_id),
        Option.match({ onNone: () => Effect.void, onSome: look })
      )

    const notAccepted = (
      request: Outgoing,
      failure: DialRefused | CarrierUnreachable | DialInDoubt
    ): Effect.Effect<void> => {
      switch (failure._tag) {
        case "DialRefused":
          return Effect.asVoid(refused(request, failure))
        case "CarrierUnreachable":
          return putBack(request)
        case "DialInDoubt":
          return lookAt(request)
      }
    }

    const send = (request: Outgoing) =>
      Effect.matchEffect(isMessage(request) ? sender.send(request) : dialer.dial(request), {
        onSuccess: (id) => Effect.zipRight(Metric.increment(Metrics.dials.accepted), accepted(request, id)),
        onFailure: (failure) =>
          Effect.zipRight(
            Metric.increment(Metrics.dials[answers[failure._tag]]),
            notAccepted(request, failure)
          )
      })

    /**
     * A process that slept on an intent may have lost the workspace to another, which has asked the carrier and may
     * have dialled by now: it asks too. A message nobody else can have sent.
     */
    const dial = (request: Outgoing, intended_at: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now - intended_at < freshFor) return send(request)
        return isMessage(request) ? putBack(request) : lookAt(request)
      })

    /** When there is something to dial that is not due yet, or that a pace holds back. */
    const later = (workspace_id: string, now: number, next: Option.Option<number>, open: Open) =>
      Effect.gen(function* () {
        const single = open.voice ? yield* repository.calls.nextWaiting(workspace_id, null) : Option.none()
        return soonest([single, yield* repository.campaigns.nextDue(workspace_id, "dial", now), next])
      })

    /**
     * Dials what is due within the caps of the workspace and of its campaigns. `fork` runs a dial beside the loop
     * and tells the loop when it is over.
     */
    const dialDue = Effect.fnUntraced(function* (
      workspace: Workspace,
      pacing: Pacing,
      fork: (work: Effect.Effect<void>) => Effect.Effect<void>
    ) {
      const now = yield* Clock.currentTimeMillis
      const due = soonest([
        yield* repository.calls.nextWaiting(workspace.id, null),
        yield* repository.campaigns.nextDue(workspace.id, "dial", -1)
      ])
      const idle = { pacing, again: false, due } satisfies Round & { readonly pacing: Pacing }
      if (Option.isNone(due) || due.value > now) return idle
      const voice = workspace.max_concurrency - (yield* repository.calls.countLive(workspace.id))
      const open: Open = { voice: voice > 0 && (yield* dialer.available), msg: yield* sender.available }
      const waits = { ...idle, due: Option.none<number>() }
      if (!open.voice && !open.msg) return waits
      // All lines taken, as they are through most of a large campaign: only messages could go out.
      if (!open.voice && (yield* dueCampaigns(workspace.id, now, open)).length === 0) return waits
      const { allowed, next_at } = allowance(pacing.workspace, workspace.calls_per_second, now)
      if (allowed === 0) return { ...idle, due: Option.some(next_at) }
      const slots: Slots = { all: Math.min(allowed, batch), voice }
      const claimed = yield* repository.transaction(claim(workspace, pacing, slots, open))
      const { again, next, requests } = claimed
      const begun = yield* Clock.currentTimeMillis
      yield* Effect.forEach(requests, (request) => fork(dial(request, now)), { discard: true })
      return {
        pacing: { ...claimed.pacing, workspace: started(pacing.workspace, requests.length, begun) },
        again,
        due: again ? Option.none<number>() : yield* later(workspace.id, now, next, open)
      }
    })

    /** What was used up before this owner began. */
    const pacingOf = (workspace_id: string) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const starts = yield* repository.attempts.startedSince(workspace_id, null, now - second)
        return {
          workspace: { span: second, starts },
          campaigns: new Map(),
          turn: 0,
          turns: new Map()
        } satisfies Pacing
      })

    return { dialDue, pacingOf }
  })
