import { Effect, Option } from "effect"
import type { Call, SubStatus } from "../model/calls/Call.ts"
import * as CallMachine from "../model/calls/CallMachine.ts"
import { step } from "../model/calls/CallStep.ts"
import type { Outgoing } from "../model/calls/DialDecision.ts"
import * as PlaceCall from "../model/calls/PlaceCall.ts"
import type { Campaign, CampaignState, StatusReason } from "../model/campaigns/Campaign.ts"
import { moved } from "../model/campaigns/CampaignCounters.ts"
import * as Machine from "../model/campaigns/CampaignMachine.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import { configFor, openingIn, stopsCampaign } from "../model/campaigns/RecipientCall.ts"
import { RawJson } from "../model/json/RawJson.ts"
import { type CampaignTemplate, parse as templateOf } from "../model/messages/CampaignTemplate.ts"
import { Prices } from "../ports/Prices.ts"
import { PublicHolidays } from "../ports/PublicHolidays.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCampaignStore } from "./CampaignStore.ts"
import { type Claim, makeClaim } from "./Claim.ts"

const earliest = (times: ReadonlyArray<number>): number | null =>
  times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b))

/** What a selection has come to so far. */
interface Selection {
  /** What the campaign has become, to be stored at the selection's end. */
  state: CampaignState
  /** What a messaging campaign sends; null of one that calls. */
  readonly wanted: CampaignTemplate | null
  readonly requests: Array<Outgoing>
  /** Why the campaign has to stop. */
  stop: StatusReason | null
  /** Whether what was asked for may not have been all that could be dialled now. */
  more: boolean
  /** When what is closed now opens. */
  readonly openings: Array<number>
}

/** Takes from a campaign what may be dialled now: retries that are due, then recipients that were never called. */
export const makeRecipientSelection = Effect.gen(function* () {
  const { calls, phoneNumbers, recipients } = yield* Repository
  const prices = yield* Prices
  const holidaysOf = yield* PublicHolidays
  const { waiting } = yield* makeClaim
  const store = yield* makeCampaignStore

  const retry = Effect.fnUntraced(function* (
    claim: Claim,
    campaign: Campaign,
    call: Call,
    selected: Selection
  ) {
    const place = (yield* claim.recipientOf(call))?.timezone ?? null
    const before = yield* waiting(call)
    const current: Call = { ...call, call_config: configFor(campaign, place, holidaysOf, claim.now) }
    const decision = yield* claim.judge(current, selected.wanted)
    switch (decision._tag) {
      case "Dial":
        return void selected.requests.push(yield* claim.dial(before, current, decision))
      case "Wait":
        return yield* claim.save(
          before,
          step({ ...before, call: CallMachine.wait(current, decision.until, claim.now) })
        )
      case "Refuse":
        if (stopsCampaign(decision.sub_status)) selected.stop = decision.sub_status
        else yield* claim.save(before, CallMachine.refuse(before, decision.sub_status, claim.now))
    }
  })

  /** A recipient who may not be called at all is done without a call. */
  const leaveOut = Effect.fnUntraced(function* (
    recipient: Recipient,
    sub_status: SubStatus,
    selected: Selection,
    now: number
  ) {
    const status = sub_status === "do_not_call" ? "skipped" : "failed"
    const outcome = RawJson(
      JSON.stringify({ outcome: "failed", sub_status, call_id: null, attempt_count: 0 })
    )
    yield* recipients.update({ ...recipient, status, outcome, updated_at: now })
    const { campaign, counters } = selected.state
    selected.state = { campaign, counters: moved(counters, "pending", status) }
  })

  const first = Effect.fnUntraced(function* (
    claim: Claim,
    campaign: Campaign,
    from_number: string,
    recipient: Recipient,
    selected: Selection
  ) {
    const call = CallMachine.place(
      PlaceCall.make({
        agent_id: campaign.agent_id,
        to_number: recipient.phone_number,
        custom_variables: recipient.variables,
        metadata: campaign.metadata,
        call_config: configFor(campaign, recipient.timezone, holidaysOf, claim.now)
      }),
      {
        call_id: claim.id(campaign.channel === "msg" ? "msg" : "call"),
        workspace_id: campaign.customer_id,
        channel: campaign.channel,
        from_number,
        from_phone_number_id: campaign.from_phone_number_id,
        price_per_minute: campaign.channel === "msg" ? prices.message : prices.minute,
        campaign_id: campaign.id,
        recipient_id: recipient.id
      },
      claim.now
    )
    const decision = yield* claim.judge(call, selected.wanted)
    if (decision._tag === "Dial") {
      const { request, state } = claim.begin(selected.state, recipient, call, decision)
      selected.requests.push(request)
      selected.state = state
    } else if (decision._tag === "Wait") selected.openings.push(decision.until)
    else if (stopsCampaign(decision.sub_status)) selected.stop = decision.sub_status
    else yield* leaveOut(recipient, decision.sub_status, selected, claim.now)
  })

  const retries = Effect.fnUntraced(function* (
    claim: Claim,
    campaign: Campaign,
    count: number,
    selected: Selection
  ) {
    const due = yield* calls.dialable(campaign.customer_id, campaign.id, claim.now, count)
    yield* claim.lookUp(due.map(({ to_number }) => to_number))
    yield* claim.readRecipients(due)
    for (const call of due) {
      if (selected.stop !== null) break
      yield* retry(claim, campaign, call, selected)
    }
    yield* claim.finish
    selected.more ||= due.length === count
    return due.length
  })

  const firsts = Effect.fnUntraced(function* (
    claim: Claim,
    campaign: Campaign,
    count: number,
    selected: Selection
  ) {
    const number = yield* phoneNumbers.get(campaign.customer_id, campaign.from_phone_number_id)
    for (const zone of yield* recipients.zones(campaign.customer_id, campaign.id)) {
      const opening = openingIn(campaign, zone, holidaysOf, claim.now)
      if (opening > claim.now) {
        selected.openings.push(opening)
        continue
      }
      if (Option.isNone(number)) {
        selected.stop = "phone_number_not_found"
        return
      }
      const left = count - selected.requests.length
      if (left <= 0) {
        selected.more = true
        return
      }
      const pending = yield* recipients.pending(campaign.customer_id, campaign.id, zone, left)
      yield* claim.lookUp(pending.map(({ phone_number }) => phone_number))
      for (const recipient of pending) {
        if (selected.stop !== null) return
        yield* first(claim, campaign, number.value.number, recipient, selected)
      }
      selected.more ||= pending.length === left
    }
  })

  /** What the selection makes of the campaign: stopped, completed, or due again when there is something to dial. */
  const settled = Effect.fnUntraced(function* (state: CampaignState, selected: Selection, now: number) {
    if (selected.stop !== null) return Machine.pause(state, selected.stop, now) ?? state
    const completed = Machine.complete(state, now)
    if (completed !== null) return completed
    if (selected.more || state.campaign.status !== "running") return state
    const { customer_id, id } = state.campaign
    const nextRetry = yield* calls.nextWaiting(customer_id, id)
    const due_at = earliest([...selected.openings, ...Option.toArray(nextRetry)])
    return { ...state, counters: { ...state.counters, due_at } }
  })

  /**
   * Takes up to `count` dials or messages from a running campaign, inside the claim's transaction. The campaign is due
   * again when there is more: now, at the opening of a window, or with the next retry.
   */
  return Effect.fnUntraced(function* (claim: Claim, state: CampaignState, count: number) {
    const { campaign } = state
    const wanted = campaign.template === null ? null : templateOf(campaign.template)
    const selected: Selection = { state, wanted, requests: [], stop: null, more: false, openings: [] }
    const retried = yield* retries(claim, campaign, count, selected)
    // A retry stores the campaign with its call.
    const stored = retried === 0 ? state : yield* Effect.orDie(store.load(campaign.customer_id, campaign.id))
    selected.state = stored
    if (selected.stop === null) yield* firsts(claim, campaign, count, selected)
    yield* claim.finish
    yield* store.save(stored, yield* settled(selected.state, selected, claim.now))
    return selected.requests
  })
})
