import { Schema, type Types } from "effect"
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
 * What is counted of a campaign, kept with every step so that nobody has to count: recipients by status, attempts
 * begun, calls answered. `in_progress` is the number of its calls under way.
 */
export interface Tally extends Readonly<Record<RecipientStatus, number>> {
  readonly customer_id: string
  readonly campaign_id: string
  readonly work: Work
  /** When the due-work loop has to do it; null while the campaign is not to be touched or cannot go on. */
  readonly due_at: number | null
  readonly attempts: number
  readonly answered: number
  /** How the last dials ended, oldest first: `f` for a failure, `.` for all else. */
  readonly recent: string
}

export const emptyTally = (customer_id: string, campaign_id: string): Tally => ({
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
  recent: ""
})

/** Recipients that are not done. */
export const open = (tally: Tally): number => tally.pending + tally.in_progress + tally.retry_scheduled

export const total = (tally: Tally): number =>
  open(tally) + tally.completed + tally.failed + tally.skipped + tally.cancelled

export const statsOf = (tally: Tally): Stats => ({
  total: total(tally),
  pending: tally.pending,
  in_progress: tally.in_progress,
  retry_scheduled: tally.retry_scheduled,
  completed: tally.completed,
  failed: tally.failed,
  skipped: tally.skipped + tally.cancelled,
  attempts: tally.attempts,
  answered: tally.answered
})

/** Recipients have gone from one status to another; from null: they are new. */
export const moved = (tally: Tally, from: RecipientStatus | null, to: RecipientStatus, count = 1): Tally => {
  const next: Types.Mutable<Tally> = { ...tally }
  if (from !== null) next[from] -= count
  next[to] += count
  return next
}

/** There is work at `at`, or earlier if there was some of that kind already. */
export const dueBy = (tally: Tally, work: Work, at: number): Tally =>
  tally.work === work && tally.due_at !== null && tally.due_at <= at ? tally : { ...tally, work, due_at: at }
