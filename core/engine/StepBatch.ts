import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call, Outcome } from "../model/calls/Call.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import type { News } from "./Outbox.ts"

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
 * What the steps of many calls in one transaction have in common. A campaign is read and its counters are stored once, on
 * SQLite a quarter of all statements of a campaign; credits are moved and what happened is told together.
 */
export interface StepBatch {
  readonly campaigns: Map<string, CampaignSteps>
  /** Attempts and calls that were read together. What a step takes from here may be stale after it. */
  readonly attempts: Map<string, Attempt>
  readonly calls: Map<string, Call>
  /** Movements of credits that are to be stored. */
  readonly entries: Array<LedgerEntry>
  /** What is to be told, in the order in which it happened. */
  readonly news: Array<News>
}

export const stepBatch = (): StepBatch => ({
  campaigns: new Map(),
  attempts: new Map(),
  calls: new Map(),
  entries: [],
  news: []
})

export const stepsOf = (state: CampaignState): CampaignSteps => ({
  stored: state,
  state,
  outcomes: new Map()
})
