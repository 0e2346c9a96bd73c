import { Schema } from "effect"
import { Outcome } from "../calls/Call.ts"
import { day, hour, minute, Timestamp } from "../Codecs.ts"
import { type CampaignState, CampaignStatus } from "./Campaign.ts"
import { Stats, statsOf } from "./CampaignCounters.ts"

export const Interval = Schema.Literal("minute", "hour", "day")
export type Interval = typeof Interval.Type

/** Points of one answer at most. */
export const maxPoints = 1_500

export interface ProgressRequest {
  readonly interval: Interval
  /** Inclusive, epoch milliseconds, with the whole of its minute; by default as long before `until` as one answer can tell. */
  readonly from?: number | undefined
  /** Exclusive, epoch milliseconds; by default now. */
  readonly until?: number | undefined
}

const Outcomes = Schema.Record({ key: Outcome, value: Schema.Int })

/** How the attempts of one interval ended, for a chart. Intervals in which none ended are left out. */
export const ProgressPoint = Schema.Struct({
  at: Timestamp.annotations({ description: "The beginning of the interval, in UTC" }),
  attempts: Schema.Int,
  outcomes: Schema.partial(Outcomes)
}).annotations({ identifier: "CampaignProgressPoint" })
export type ProgressPoint = typeof ProgressPoint.Type

/** What a campaign has reached, and how its attempts ended over time. */
export const CampaignProgress = Schema.Struct({
  campaign_id: Schema.String,
  status: CampaignStatus,
  stats: Stats,
  next_retry_at: Schema.NullOr(Timestamp).annotations({
    description: "When the next recipient is due to be tried again; null when none waits for that"
  }),
  interval: Interval,
  from: Timestamp,
  until: Timestamp,
  series: Schema.Array(ProgressPoint)
}).annotations({ identifier: "CampaignProgress" })
export type CampaignProgress = typeof CampaignProgress.Type

const spans: Readonly<Record<Interval, number>> = { minute, hour, day }

/** One point for each interval in which something ended. */
const pointsOf = (counts: ReadonlyArray<OutcomeCount>): ReadonlyArray<ProgressPoint> => {
  const points = new Map<
    number,
    { at: number; attempts: number; outcomes: Partial<Record<Outcome, number>> }
  >()
  for (const { at, count, outcome } of counts) {
    const point = points.get(at) ?? { at, attempts: 0, outcomes: {} }
    points.set(at, point)
    point.attempts += count
    point.outcomes[outcome] = count
  }
  return [...points.values()]
}

/** The span that one answer covers: at most `maxPoints` intervals before `until`. Ends are counted by the minute. */
export const spanOf = (request: ProgressRequest, now: number) => {
  const span = spans[request.interval]
  const until = request.until ?? now + 1
  const earliest = until - maxPoints * span
  const from = Math.max(request.from ?? earliest, earliest)
  return { span, from: from - (from % minute), until }
}

export const progressOf = (
  { campaign, counters }: CampaignState,
  next_retry_at: number | null,
  interval: Interval,
  { from, until }: { readonly from: number; readonly until: number },
  counts: ReadonlyArray<OutcomeCount>
): CampaignProgress => ({
  campaign_id: campaign.id,
  status: campaign.status,
  stats: statsOf(counters),
  next_retry_at,
  interval,
  from,
  until,
  series: pointsOf(counts)
})

/** How many attempts of a campaign ended in an outcome in the time that begins at `at`. */
export interface OutcomeCount {
  readonly at: number
  readonly outcome: Outcome
  readonly count: number
}
