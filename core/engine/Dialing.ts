import { Clock, type Context, Effect, Option } from "effect"
import type { Call } from "../model/calls/Call.ts"
import { allowance, started } from "../model/calls/DialPace.ts"
import type { Slots } from "../model/campaigns/FairShare.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import { MessageSender } from "../ports/MessageSender.ts"
import { monotonicMillis } from "../ports/MonotonicTime.ts"
import { Repository } from "../ports/Repository.ts"
import { type Claimed, makeCampaignDials, type Open } from "./CampaignDials.ts"
import { makeClaim } from "./Claim.ts"
import { makePaces, type Pacing } from "./Pacing.ts"
import { type Fork, type Round, soonest } from "./Round.ts"
import { makeSending } from "./Sending.ts"
import { makeSingleCalls } from "./SingleCalls.ts"

/** How many calls one transaction claims. */
const batch = 256

/** A carrier of calls or a provider of messages, which may be away. */
export type Carrier = Pick<Context.Tag.Service<CallDialer>, "available" | "awaitAvailable">

interface Dialled extends Round {
  readonly pacing: Pacing
  /** What is due cannot be dialled before `due`, or before a wake: no line is free, or the pace is used up. */
  readonly held: boolean
}

/**
 * The dialling part of a workspace's due-work loop. Single calls go first, campaigns share what is left. The
 * intent to dial is committed before the carrier hears of it. `look` looks up a dial whose end is not known.
 */
export const makeDialing = (look: (call: Call) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const repository = yield* Repository
    const dialer = yield* CallDialer
    const sender = yield* MessageSender
    const claims = yield* makeClaim
    const singles = yield* makeSingleCalls
    const campaigns = yield* makeCampaignDials
    const paces = yield* makePaces
    const send = yield* makeSending(look)

    /** Commits what becomes of what is due: what may be dialled are intents from here on. */
    const claim = Effect.fnUntraced(function* (
      workspace: Workspace,
      pacing: Pacing,
      slots: Slots,
      open: Open
    ) {
      const opened = yield* claims.open(workspace)
      const single = open.voice
        ? yield* singles(opened, Math.min(slots.all, slots.voice))
        : { requests: [], again: false }
      const taken = single.requests.length
      const shared: Claimed =
        slots.all > taken
          ? yield* campaigns.take(
              opened,
              pacing,
              { all: slots.all - taken, voice: slots.voice - taken },
              open
            )
          : { requests: [], pacing, again: true, next: Option.none() }
      return {
        ...shared,
        requests: [...single.requests, ...shared.requests],
        again: single.again || shared.again,
        intended_at: opened.now
      }
    })

    /** When there is something to dial that is not due yet, or that a pace holds back. */
    const later = Effect.fnUntraced(function* (
      workspace_id: string,
      now: number,
      next: Option.Option<number>,
      open: Open
    ) {
      const single = open.voice ? yield* repository.calls.nextWaiting(workspace_id, null) : Option.none()
      return soonest([single, yield* repository.campaigns.nextDue(workspace_id, "dial", now), next])
    })

    /**
     * Dials what is due within the caps of the workspace and of its campaigns. `isOpen` tells whether
     * a carrier is available, and the loop when it is again.
     */
    const dialDue = Effect.fnUntraced(function* (
      workspace: Workspace,
      pacing: Pacing,
      fork: Fork,
      isOpen: (carrier: Carrier) => Effect.Effect<boolean>
    ) {
      const now = yield* Clock.currentTimeMillis
      const due = soonest([
        yield* repository.calls.nextWaiting(workspace.id, null),
        yield* repository.campaigns.nextDue(workspace.id, "dial", -1)
      ])
      const idle: Dialled = { pacing, again: false, due, held: false }
      if (Option.isNone(due) || due.value > now) return idle
      const voice = workspace.max_concurrency - (yield* repository.calls.countLive(workspace.id))
      const open: Open = { voice: voice > 0 && (yield* isOpen(dialer)), msg: yield* isOpen(sender) }
      const waits: Dialled = { ...idle, due: Option.none(), held: true }
      if (!open.voice && !open.msg) return waits
      // All lines taken, as they are through most of a large campaign: only messages could go out.
      if (!open.voice && (yield* campaigns.due(workspace.id, now, open)).length === 0) return waits
      const elapsed = yield* monotonicMillis
      const { allowed, next_at } = allowance(pacing.workspace, workspace.calls_per_second, elapsed)
      if (allowed === 0) return { ...idle, due: Option.some(now + next_at - elapsed), held: true }
      const slots: Slots = { all: Math.min(allowed, batch), voice }
      const claimed = yield* Effect.eventually(
        repository.transaction(workspace.id, claim(workspace, pacing, slots, open))
      )
      const { again, next, requests } = claimed
      const begun = yield* monotonicMillis
      yield* Effect.forEach(requests, (request) => fork(send(request, claimed.intended_at)), {
        discard: true
      })
      return {
        pacing: { ...claimed.pacing, workspace: started(pacing.workspace, requests.length, begun) },
        again,
        due: again ? Option.none<number>() : yield* later(workspace.id, now, next, open),
        held: false
      } satisfies Dialled
    })

    return { dialDue, pacingOf: paces.ofWorkspace }
  })
