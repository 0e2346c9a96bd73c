import { Effect, Option } from "effect"
import { type CampaignState, toJson } from "../model/campaigns/Campaign.ts"
import { CampaignNotFound } from "../model/campaigns/CampaignErrors.ts"
import { eventOf } from "../model/campaigns/CampaignMachine.ts"
import { Repository } from "../ports/Repository.ts"
import { makeOutbox, ofCampaign } from "./Outbox.ts"

/** How a step of a campaign is stored, with the event that tells of it, inside the caller's transaction. */
export const makeCampaignStore = Effect.gen(function* () {
  const { campaigns } = yield* Repository
  const outbox = yield* makeOutbox

  const load = Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const state = yield* campaigns.get(workspace_id, campaign_id)
    return Option.isSome(state) ? state.value : yield* new CampaignNotFound({ campaign_id })
  })

  const save = (before: CampaignState, after: CampaignState) => {
    const counted = after.counters === before.counters ? Effect.void : campaigns.saveCounters(after.counters)
    if (after.campaign === before.campaign) return counted
    const stored = Effect.zipRight(campaigns.update(after.campaign), counted)
    const type = eventOf(before.campaign, after.campaign)
    if (type === null) return stored
    const { customer_id, updated_at } = after.campaign
    const news = { type, of: ofCampaign(after.campaign), data: () => toJson(after) }
    return Effect.zipRight(stored, outbox.tell(customer_id, [news], updated_at))
  }

  return { load, save }
})
