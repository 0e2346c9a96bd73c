import type { Array as Arr, Effect, Option } from "effect"
import type { Channel } from "../model/agents/Channel.ts"
import type { Attempt, AttemptStatus, Spent } from "../model/calls/Attempt.ts"
import type { Outcome } from "../model/calls/Call.ts"
import type { PageRequest } from "../model/Page.ts"
import type { Observed } from "../model/simulation/Observed.ts"

export interface AttemptFilter {
  readonly recipient_id?: string | undefined
  readonly status?: AttemptStatus | undefined
  readonly outcome?: Outcome | undefined
  readonly channel?: Channel | undefined
  /** Inclusive, epoch milliseconds. */
  readonly created_after?: number | undefined
  /** Exclusive, epoch milliseconds. */
  readonly created_before?: number | undefined
}

/** The carrier has taken the dial of an attempt, `at` in epoch milliseconds, under an id of its own. */
export interface Accepted {
  readonly id: string
  readonly carrier_call_id: string
  readonly at: number
}

export interface AttemptRows {
  /** Attempts of one workspace. */
  readonly insert: (...attempts: Arr.NonEmptyReadonlyArray<Attempt>) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Attempt>>
  /** Answers the attempts that exist, in any order. */
  readonly many: (workspace_id: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Attempt>>
  /** Attempts of one workspace. Their calls, sessions, channels and numbers in their calls' rows of attempts stay as they are. */
  readonly update: (...attempts: Arr.NonEmptyReadonlyArray<Attempt>) => Effect.Effect<void>
  /** Notes the carrier's ids of dials of one workspace, each unless one is noted already. */
  readonly accept: (
    workspace_id: string,
    ...accepted: Arr.NonEmptyReadonlyArray<Accepted>
  ) => Effect.Effect<void>
  /** Oldest first; at most ten, since a call has at most nine retries. */
  readonly ofCall: (workspace_id: string, call_id: string) => Effect.Effect<ReadonlyArray<Attempt>>
  /**
   * `started_at` of the attempts begun after `since`, oldest first: what the pace has used up. Of one campaign,
   * or, when it is null, of the whole workspace.
   */
  readonly startedSince: (
    workspace_id: string,
    campaign_id: string | null,
    since: number
  ) => Effect.Effect<ReadonlyArray<number>>
  /** A campaign's attempts, newest first. Page 1,000 of a million reads no more rows than page 1. */
  readonly ofCampaign: (
    workspace_id: string,
    campaign_id: string,
    filter: AttemptFilter,
    page: PageRequest
  ) => Effect.Effect<ReadonlyArray<Attempt>>
  /** What the attempts of each of these calls come to. A call without an attempt is left out. */
  readonly spentOn: (
    workspace_id: string,
    call_ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Spent>>
  /** How many the filter lets through, counted one by one: without a filter, the campaign's counters tell. */
  readonly countOfCampaign: (
    workspace_id: string,
    campaign_id: string,
    filter: AttemptFilter
  ) => Effect.Effect<number>
  /**
   * The newest calls of a campaign, or, when it is null, of the whole workspace, counted by what they came to: `limit`
   * at most, none begun before `since`. Other requests are answered meanwhile.
   */
  readonly observed: (
    workspace_id: string,
    campaign_id: string | null,
    since: number,
    limit: number
  ) => Effect.Effect<Observed>
}
