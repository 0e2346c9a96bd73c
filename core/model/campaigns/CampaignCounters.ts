import { Schema, type Types } from "effect"
import { type RecentDials, renewed } from "./FailureBreaker.ts"
import type { RecipientStatus } from "./Recipient.ts"

/** A campaign's counters as its owner sees them. `skipped` holds the recipients cancelled one by one too. */
export const Stats = Schema.Struct({
  total: Schema.Int,
  pending: Schema.Int,
  in_progress: Schema.Int,
  retry_scheduled: Schema.Int,
  completed: Schema.Int,
  failed: Schema.Int,
  skipped: Schema.Int,
  attempts: Schema.Int,
  answered: Schema.Int
}).annotations({ identifier: "CampaignStats" })
export type Stats = typeof Stats.Type

/** What the due-work loop has to do with a campaign: dial its recipients, or start or clear it. */
export type Work = "dial" | "tend"

/**
 * What is counted of a campaign, kept with every step so that nothing has to be counted later: recipients by status,
 * attempts begun, calls answered, how the last dials went. `in_progress` is the number of its calls under way.
 */
export interface CampaignCounters extends Readonly<Record<RecipientStatus, number>>, RecentDials {
  readonly customer_id: string
  readonly campaign_id: string
  readonly work: Work
  /** When the due-work loop has to do it; null while the campaign is not to be touched or cannot go on. */
  readonly due_at: number | null
  readonly attempts: number
  readonly answered: number
}

export const emptyCounters = (customer_id: string, campaign_id: string): CampaignCounters => ({
  customer_id,
  campaign_id,
  work: "tend",
  due_at: null,
  pending: 0,
  in_progress: 0,
  retry_scheduled: 0,
  completed: 0,
  failed: 0,
  skipped: 0,
  cancelled: 0,
  attempts: 0,
  answered: 0,
  dials: 0,
  ...renewed
})

/** Recipients that are not done. */
export const open = (counters: CampaignCounters): number =>
  counters.pending + counters.in_progress + counters.retry_scheduled

export const total = (counters: CampaignCounters): number =>
  open(counters) + counters.completed + counters.failed + counters.skipped + counters.cancelled

export const statsOf = (counters: CampaignCounters): Stats => ({
  total: total(counters),
  pending: counters.pending,
  in_progress: counters.in_progress,
  retry_scheduled: counters.retry_scheduled,
  completed: counters.completed,
  failed: counters.failed,
  skipped: counters.skipped + counters.cancelled,
  attempts: counters.attempts,
  answered: counters.answered
})

/** Recipients have gone from one status to another; from null: they are new. */
export const moved = (
  counters: CampaignCounters,
  from: RecipientStatus | null,
  to: RecipientStatus,
  count = 1
): CampaignCounters => {
  const next: Types.Mutable<CampaignCounters> = { ...counters }
  if (from !== null) next[from] -= count
  next[to] += count
  return next
}

/** A recipient of this status is gone. */
export const without = (counters: CampaignCounters, status: RecipientStatus): CampaignCounters => ({
  ...counters,
  [status]: counters[status] - 1
})

/** There is work at `at`, or earlier if there was some of that kind already. */
export const dueBy = (counters: CampaignCounters, work: Work, at: number): CampaignCounters =>
  counters.work === work && counters.due_at !== null && counters.due_at <= at
    ? counters
    : { ...counters, work, due_at: at }
