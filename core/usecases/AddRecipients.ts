import { Clock, Effect, Option } from "effect"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { joined } from "../model/calls/CallingWindow.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import { dueBy, moved } from "../model/campaigns/CampaignCounters.ts"
import { CampaignNotFound, CampaignRefused } from "../model/campaigns/CampaignErrors.ts"
import * as Machine from "../model/campaigns/CampaignMachine.ts"
import * as Place from "../model/campaigns/Place.ts"
import type { Recipient, RecipientStatus } from "../model/campaigns/Recipient.ts"
import type { RecipientDraft } from "../model/campaigns/RecipientBody.ts"
import { variableValues } from "../model/campaigns/RecipientValues.ts"
import { Ids } from "../ports/Ids.ts"
import { NumberZones, type ZonesOf } from "../ports/NumberZones.ts"
import { Repository } from "../ports/Repository.ts"

/** What became of a draft: the recipient, or the one that has its number already. */
export type Taken =
  | { readonly _tag: "Added"; readonly recipient: Recipient }
  | { readonly _tag: "Known"; readonly recipient_id: string }

/** The place in which a number waits, by its own timezone; null: where the campaign's window is. */
export type PlaceOf = (phone_number: string, timezone: string | null) => string | null
const asGiven: PlaceOf = (_, timezone) => timezone

/** How recipients come into a campaign, by file or by request, inside the caller's transaction. */
export const makeAddRecipients = Effect.gen(function* () {
  const { campaigns, doNotCall, recipients, workspaces } = yield* Repository
  const ids = yield* Ids
  const zones = yield* NumberZones
  const store = yield* makeCampaignStore

  /** The campaign, if it takes recipients. */
  const ready = Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const state = yield* store.load(workspace_id, campaign_id)
    return Machine.hasEnded(state.campaign)
      ? yield* new CampaignRefused({ reason: `a ${state.campaign.status} campaign takes no recipients` })
      : state
  })

  /** Notes the variables that recipients are found by, of those that the workspace names. */
  const indexing = Effect.fnUntraced(function* (workspace_id: string) {
    const workspace = yield* workspaces.get(workspace_id)
    const keys = Option.isSome(workspace) ? workspace.value.indexed_metadata_keys : []
    return (recipient: Recipient) =>
      keys.length === 0
        ? Effect.void
        : recipients.index(recipient, "variables", variableValues(recipient.variables, keys))
  })

  /**
   * Adds the recipients whose number is new to the campaign. Numbers that must not be called come in as skipped,
   * and so do all once the campaign is cancelled. Recipients added while a campaign runs are dialled with it; `since` is
   * when the import began: a campaign that was completed after that goes on.
   */
  const take = Effect.fnUntraced(function* (
    workspace_id: string,
    campaign_id: string,
    drafts: ReadonlyArray<RecipientDraft>,
    since: number,
    placeOf: PlaceOf
  ) {
    const found = yield* campaigns.get(workspace_id, campaign_id)
    if (Option.isNone(found)) return yield* new CampaignNotFound({ campaign_id })
    const state = found.value
    const now = yield* Clock.currentTimeMillis
    const numbers = drafts.map(({ phone_number }) => phone_number)
    const blocked = yield* doNotCall.among(workspace_id, numbers)
    const make = yield* ids.maker
    const incoming = drafts.map(({ phone_number, timezone, variables }): Recipient => {
      const skipped = state.campaign.status === "cancelled" || blocked.has(phone_number)
      return {
        id: make("rcpt"),
        customer_id: workspace_id,
        campaign_id,
        phone_number,
        status: skipped ? "skipped" : "pending",
        timezone: placeOf(phone_number, timezone),
        call_id: null,
        variables,
        outcome: null,
        review: null,
        next_action_at: null,
        last_customer_message_at: null,
        last_customer_message: null,
        created_at: now,
        updated_at: now
      }
    })
    const holders = yield* recipients.insert(incoming)
    const index = yield* indexing(workspace_id)
    const taken = incoming.map((recipient, i): Taken => {
      const holder = holders[i]
      return holder === null || holder === undefined
        ? { _tag: "Added", recipient }
        : { _tag: "Known", recipient_id: holder }
    })
    for (const each of taken) if (each._tag === "Added") yield* index(each.recipient)
    const after = grown(state, taken, since, now)
    yield* store.save(state, after)
    return taken
  })

  /** Asked for outside of transactions: the table of zones is loaded when a campaign first needs it. */
  const placesFor = Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const found = yield* campaigns.get(workspace_id, campaign_id)
    if (Option.isNone(found)) return asGiven
    const { recipient_timezone, skip_public_holidays } = found.value.campaign
    if (recipient_timezone === null && !skip_public_holidays) return asGiven
    const zonesOf: ZonesOf = recipient_timezone === null ? () => [] : yield* zones.table
    const countryOf = (phone_number: string) =>
      skip_public_holidays ? (parsePhoneNumberFromString(phone_number)?.country ?? null) : null
    return ((phone_number, timezone) =>
      Place.placeOf(timezone ?? joined(zonesOf(phone_number)), countryOf(phone_number))) satisfies PlaceOf
  })

  return { indexing, placesFor, ready, take }
})

/** The campaign with the recipients that were added. */
const grown = (
  { campaign, counters }: CampaignState,
  taken: ReadonlyArray<Taken>,
  since: number,
  now: number
): CampaignState => {
  const added = (status: RecipientStatus) =>
    taken.filter((each) => each._tag === "Added" && each.recipient.status === status).length
  const grownCounters = moved(
    moved(counters, null, "pending", added("pending")),
    null,
    "skipped",
    added("skipped")
  )
  if (grownCounters.pending === counters.pending) return { campaign, counters: grownCounters }
  const reopened = Machine.reopen(campaign, since, now)
  return {
    campaign: reopened,
    counters: reopened.status === "running" ? dueBy(grownCounters, "dial", now) : grownCounters
  }
}
