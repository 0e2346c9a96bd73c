import { Effect, Option } from "effect"
import { Repository } from "../ports/Repository.ts"
import type { CampaignState } from "./Campaign.ts"
import { CampaignNotFound } from "./CampaignErrors.ts"

/** How a step of a campaign is stored, inside the caller's transaction. */
export const makeCampaignStore = Effect.map(Repository, ({ campaigns }) => ({
  load: Effect.fnUntraced(function* (workspace_id: string, campaign_id: string) {
    const state = yield* campaigns.get(workspace_id, campaign_id)
    return Option.isSome(state) ? state.value : yield* new CampaignNotFound({ campaign_id })
  }),

  save: (before: CampaignState, after: CampaignState) => {
    const counted = after.tally === before.tally ? Effect.void : campaigns.saveTally(after.tally)
    return after.campaign === before.campaign
      ? counted
      : Effect.zipRight(campaigns.update(after.campaign), counted)
  }
}))
