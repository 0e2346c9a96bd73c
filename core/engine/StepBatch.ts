import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call, Outcome } from "../model/calls/Call.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import type { Webhook } from "../model/webhooks/Webhook.ts"

/** What the steps of one transaction have made of a campaign. */
interface CampaignSteps {
  /** As it is stored. */
  stored: CampaignState
  /** As the last step has left it. */
  state: CampaignState
  /** How attempts have ended, to be counted. */
  readonly outcomes: Map<Outcome, number>
}

/**
 * What the steps of many calls in one transaction have in common. A campaign and the endpoints of the workspace are read
 * once, and the campaign's counters are stored once: on SQLite a quarter of all statements of a campaign.
 */
export interface StepBatch {
  readonly campaigns: Map<string, CampaignSteps>
  /** Attempts and calls that were read together. What a step takes from here may be stale after it. */
  readonly attempts: Map<string, Attempt>
  readonly calls: Map<string, Call>
  /** The workspace's active endpoints; null as long as no step has asked for them. */
  endpoints: ReadonlyArray<Webhook> | null
}

export const stepBatch = (): StepBatch => ({
  campaigns: new Map(),
  attempts: new Map(),
  calls: new Map(),
  endpoints: null
})

export const stepsOf = (state: CampaignState): CampaignSteps => ({
  stored: state,
  state,
  outcomes: new Map()
})
