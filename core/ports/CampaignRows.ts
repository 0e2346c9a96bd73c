import type { Effect, Option } from "effect"
import type { Outcome } from "../model/calls/Call.ts"
import type { Campaign, CampaignState, CampaignStatus } from "../model/campaigns/Campaign.ts"
import type { CampaignCounters, Work } from "../model/campaigns/CampaignCounters.ts"
import type { OutcomeCount } from "../model/campaigns/CampaignProgress.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export interface CampaignFilter {
  readonly status?: CampaignStatus | undefined
  readonly agent_id?: string | undefined
  /** Inclusive, epoch milliseconds. */
  readonly created_after?: number | undefined
  /** Exclusive, epoch milliseconds. */
  readonly created_before?: number | undefined
}

export interface CampaignRows {
  /** Stores the campaign and its counters. */
  readonly insert: (state: CampaignState) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<CampaignState>>
  readonly list: (
    workspace_id: string,
    filter: CampaignFilter,
    page: PageRequest
  ) => Effect.Effect<Page<CampaignState>>
  /** Stores the campaign without its counters. Its channel and `created_at` stay as they are. */
  readonly update: (campaign: Campaign) => Effect.Effect<void>
  readonly counters: (
    workspace_id: string,
    campaign_id: string
  ) => Effect.Effect<Option.Option<CampaignCounters>>
  readonly saveCounters: (counters: CampaignCounters) => Effect.Effect<void>
  /** Campaigns with work of this kind and `due_at <= now`, earliest first. */
  readonly due: (
    workspace_id: string,
    work: Work,
    now: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<CampaignState>>
  /** The earliest `due_at` later than `after` of the campaigns with work of this kind. */
  readonly nextDue: (workspace_id: string, work: Work, after: number) => Effect.Effect<Option.Option<number>>
  /** Removes it with its counters, what they counted over time, and its imports. Its recipients are removed before. */
  readonly remove: (workspace_id: string, campaign_id: string) => Effect.Effect<void>
  /** Counts the ends of so many attempts in the minute that begins at `at`. */
  readonly countOutcome: (
    workspace_id: string,
    campaign_id: string,
    at: number,
    outcome: Outcome,
    count: number
  ) => Effect.Effect<void>
  /**
   * What was counted from `from` (inclusive) until `until` (exclusive), oldest first, in spans of `span`
   * milliseconds that are counted from the epoch; `at` is a span's beginning.
   */
  readonly outcomes: (
    workspace_id: string,
    campaign_id: string,
    from: number,
    until: number,
    span: number
  ) => Effect.Effect<ReadonlyArray<OutcomeCount>>
}
