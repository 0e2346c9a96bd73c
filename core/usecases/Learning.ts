import { Clock, Effect, Option } from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { configOf } from "../model/calls/Call.ts"
import { CampaignRefused } from "../model/campaigns/CampaignErrors.ts"
import { timezoneOf } from "../model/campaigns/Place.ts"
import { type LearnFrom, mostObserved } from "../model/simulation/Learned.ts"
import { learn } from "../model/simulation/Learning.ts"
import { Repository } from "../ports/Repository.ts"

/** Where callees are taken to be of whom nothing else is known. */
const standardZone = "UTC"

/** Learns how callees behave from the calls that a workspace has made. */
export const makeLearning = Effect.gen(function* () {
  const repository = yield* Repository
  const store = yield* makeCampaignStore

  /** The zone of the window of each campaign; none of one that is deleted. */
  const zonesOf = Effect.fnUntraced(function* (workspace_id: string, ids: ReadonlySet<string>) {
    const zones = new Map<string, string>()
    for (const id of ids) {
      const found = yield* repository.campaigns.get(workspace_id, id)
      if (Option.isSome(found))
        zones.set(id, configOf(found.value.campaign).call_time?.timezone ?? standardZone)
    }
    return zones
  })

  return Effect.fnUntraced(function* (workspace_id: string, from: LearnFrom, limit = mostObserved) {
    const { campaign_id, since } = from
    if (campaign_id !== null) {
      const { campaign } = yield* store.load(workspace_id, campaign_id)
      if (campaign.channel !== "voice") {
        return yield* new CampaignRefused({ reason: "a campaign of messages tells nothing of callees" })
      }
    }
    const observed = yield* repository.attempts.observed(workspace_id, campaign_id, since ?? 0, limit)
    const ids = new Set(observed.attempts.flatMap(({ campaign_id }) => campaign_id ?? []))
    const zones = yield* zonesOf(workspace_id, ids)
    const now = yield* Clock.currentTimeMillis
    return learn(
      observed,
      from,
      ({ call_config, campaign_id, timezone }) =>
        campaign_id === null
          ? (configOf({ call_config }).call_time?.timezone ?? standardZone)
          : // Of a campaign that is deleted, so are the recipients and where they were.
            zones.has(campaign_id)
            ? (timezoneOf(timezone) ?? zones.get(campaign_id)!)
            : null,
      now
    )
  })
})
