import { Either } from "effect"
import type { Issue } from "../Issues.ts"
import type { EventType } from "../webhooks/Webhook.ts"
import type { Campaign, CampaignState, StatusReason } from "./Campaign.ts"
import { type CampaignChange, scheduleRule } from "./CampaignBody.ts"
import { type CampaignCounters, dueBy, open, total } from "./CampaignCounters.ts"
import { CampaignRefused } from "./CampaignErrors.ts"
import { renewed } from "./FailureBreaker.ts"

const touch = (campaign: Campaign, now: number, change: Partial<Campaign>): Campaign => ({
  ...campaign,
  ...change,
  updated_at: now
})

const still = (counters: CampaignCounters): CampaignCounters => ({ ...counters, due_at: null })

export const hasEnded = ({ status }: Campaign): boolean => status === "completed" || status === "cancelled"

/** Whether it dials nothing and will not begin to: a draft, or one that has ended, without calls under way. */
export const isOver = ({ campaign, counters }: CampaignState): boolean =>
  ["draft", "completed", "cancelled", "failed"].includes(campaign.status) &&
  counters.in_progress + counters.retry_scheduled === 0

/** What is told of a campaign whose status has changed: that it runs, was paused, or is over. */
export const eventOf = (before: Campaign, after: Campaign): EventType | null => {
  if (before.status === after.status) return null
  if (after.status === "running") return "campaign_started"
  if (after.status === "paused") return before.status === "running" ? "campaign_paused" : null
  return hasEnded(after) || after.status === "failed" ? "campaign_completed" : null
}

const running = ({ campaign, counters }: CampaignState, now: number): CampaignState => ({
  campaign: touch(campaign, now, {
    status: "running",
    status_reason: null,
    scheduled_for: null,
    started_at: campaign.started_at ?? now,
    completed_at: null
  }),
  counters: { ...dueBy(counters, "dial", now), ...renewed }
})

/** Starts a campaign, or resumes a paused one. One that runs goes on running. Source: contract, "start". */
export const start = (state: CampaignState, now: number): Either.Either<CampaignState, CampaignRefused> => {
  const { campaign, counters } = state
  if (hasEnded(campaign)) {
    return Either.left(new CampaignRefused({ reason: `a ${campaign.status} campaign cannot be started` }))
  }
  if (total(counters) === 0) {
    return Either.left(new CampaignRefused({ reason: "the campaign has no recipient" }))
  }
  return Either.right(campaign.status === "running" ? state : running(state, now))
}

/** The time of a scheduled campaign has come. One without recipients has nothing to do, and fails. */
export const begin = (state: CampaignState, now: number): CampaignState =>
  total(state.counters) > 0
    ? running(state, now)
    : {
        campaign: touch(state.campaign, now, {
          status: "failed",
          status_reason: "no_recipients",
          scheduled_for: null,
          completed_at: now
        }),
        counters: still(state.counters)
      }

/** Dials no more; calls under way come to their end. Null when it is not running. */
export const pause = (
  { campaign, counters }: CampaignState,
  status_reason: StatusReason,
  now: number
): CampaignState | null =>
  campaign.status === "running"
    ? { campaign: touch(campaign, now, { status: "paused", status_reason }), counters: still(counters) }
    : null

/** A running campaign whose recipients are all done is completed. Null when it is not so. */
export const complete = ({ campaign, counters }: CampaignState, now: number): CampaignState | null =>
  campaign.status === "running" && open(counters) === 0
    ? {
        campaign: touch(campaign, now, { status: "completed", status_reason: null, completed_at: now }),
        counters: still(counters)
      }
    : null

/** A campaign that was completed while recipients were still coming in goes on with them. */
export const reopen = (campaign: Campaign, since: number, now: number): Campaign =>
  campaign.status === "completed" && (campaign.completed_at ?? 0) >= since
    ? touch(campaign, now, { status: "running", completed_at: null })
    : campaign

/** The fields that may change while it runs. Source: design, "Campaign". */
const whileRunning = new Set(["name", "max_concurrency", "calls_per_minute", "call_config", "status"])
const onceEnded = new Set(["name", "metadata"])

const refusals = (campaign: Campaign, change: CampaignChange, now: number): ReadonlyArray<Issue> => {
  const allowed = hasEnded(campaign) ? onceEnded : campaign.status === "running" ? whileRunning : null
  const issues = Object.keys(change)
    .filter((field) => allowed !== null && !allowed.has(field))
    .map((field) => ({
      path: [field],
      message: `${field} cannot be changed while the campaign is ${campaign.status}`
    }))
  if (change.status === "paused" && campaign.status !== "running" && campaign.status !== "paused") {
    issues.push({
      path: ["status"],
      message: `status cannot become paused while the campaign is ${campaign.status}`
    })
  }
  const late = scheduleRule(change.scheduled_for, now)
  if (late !== null) issues.push({ path: ["scheduled_for"], message: late })
  return issues.filter(({ path }, i) => issues.findIndex((other) => other.path[0] === path[0]) === i)
}

const scheduled = (campaign: Campaign, at: number | null, counters: CampaignCounters): CampaignState =>
  at === null
    ? {
        campaign: {
          ...campaign,
          scheduled_for: null,
          status:
            campaign.status !== "scheduled"
              ? campaign.status
              : campaign.started_at === null
                ? "draft"
                : "paused"
        },
        counters: still(counters)
      }
    : {
        campaign: { ...campaign, scheduled_for: at, status: "scheduled", status_reason: null },
        counters: { ...counters, work: "tend", due_at: at }
      }

/**
 * Changes a campaign: its fields, when it starts by itself, whether it is paused or cancelled. Cancelling skips
 * what is left, which the due-work loop does piece by piece. The issues say which fields may not change now.
 */
export const edit = (
  { campaign, counters }: CampaignState,
  change: CampaignChange,
  now: number
): Either.Either<CampaignState, ReadonlyArray<Issue>> => {
  const issues = refusals(campaign, change, now)
  if (issues.length > 0) return Either.left(issues)
  const { scheduled_for, status, ...fields } = change
  let next: CampaignState = { campaign: touch(campaign, now, fields), counters }
  if (scheduled_for !== undefined) next = scheduled(next.campaign, scheduled_for, counters)
  if (status === "paused") next = pause(next, "user", now) ?? next
  if (status === "cancelled") {
    next = {
      campaign: { ...next.campaign, status, status_reason: "user", scheduled_for: null, completed_at: now },
      counters: dueBy(next.counters, "tend", now)
    }
  }
  // A window or a cap that has changed may let something through at once.
  if (next.campaign.status === "running") next = { ...next, counters: dueBy(next.counters, "dial", now) }
  return Either.right(next)
}

/** A campaign as it is when it is created. */
export const create = (campaign: Campaign, counters: CampaignCounters): CampaignState =>
  campaign.scheduled_for === null
    ? { campaign, counters }
    : scheduled(campaign, campaign.scheduled_for, counters)
