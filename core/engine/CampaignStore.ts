import { Effect, Option } from "effect"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import { CampaignNotFound } from "../model/campaigns/CampaignErrors.ts"
import { Repository } from "../ports/Repository.ts"

/** How a step of a campaign is stored, inside the caller's transaction. */
export const makeCampaignStore = Effect.map(Repository, ({ campaigns }) => ({
  load: Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const state = yield* campaigns.get(workspace_id, campaign_id)
    return Option.isSome(state) ? state.value : yield* new CampaignNotFound({ campaign_id })
  }),

  save: (before: CampaignState, after: CampaignState) => {
    const counted = after.counters === before.counters ? Effect.void : campaigns.saveCounters(after.counters)
    return after.campaign === before.campaign
      ? counted
      : Effect.zipRight(campaigns.update(after.campaign), counted)
  }
}))
