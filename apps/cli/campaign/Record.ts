import type { CampaignRecord, StatusReason } from "../../../core/model/campaigns/Campaign.ts"
import type { Stats } from "../../../core/model/campaigns/CampaignCounters.ts"
import * as Flags from "../command/Flags.ts"
import { count } from "../progress/Bar.ts"
import { type Column, moment, pairs } from "../terminal/Table.ts"

export const id = Flags.argument("ID", "The campaign's id, as `campaign list` shows it.")

export const pathOf = (campaignId: string): string => `/campaigns/${encodeURIComponent(campaignId)}`

/** Recipients that are not called again. */
export const doneOf = ({ completed, failed, skipped }: Stats): number => completed + failed + skipped

export const hasEnded = ({ status }: CampaignRecord): boolean =>
  status === "completed" || status === "failed" || status === "cancelled"

const reasons: Readonly<Record<StatusReason, string>> = {
  user: "by its owner",
  insufficient_credits: "the workspace's credits are used up",
  failure_rate: "too many of the last dials failed",
  engine_unavailable: "the carrier is out of reach",
  no_recipients: "it has no recipient",
  agent_not_found: "its agent is gone",
  agent_not_published: "its agent is not published",
  agent_not_msg: "its agent is not a messaging agent",
  template_not_found: "its message template is gone",
  template_not_approved: "its message template is not approved",
  agent_not_voice: "its agent is not one for voice calls",
  phone_number_not_found: "its phone number is gone"
}

/** `running`, `paused: the workspace's credits are used up (insufficient_credits)` */
export const standing = ({ status, status_reason }: CampaignRecord): string =>
  status_reason === null ? status : `${status}: ${reasons[status_reason]} (${status_reason})`

export const columns: ReadonlyArray<Column<CampaignRecord>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "STATUS", value: ({ status }) => status },
  { title: "TOTAL", value: ({ stats }) => stats.total },
  { title: "DONE", value: ({ stats }) => doneOf(stats) },
  { title: "ANSWERED", value: ({ channel, stats }) => (channel === "msg" ? "" : stats.answered) }
]

const at = (millis: number | null): string => (millis === null ? "" : moment(millis))

/** The fields of a campaign, a line each; a field without a value is left out. */
export const described = (campaign: CampaignRecord): string => {
  const { stats } = campaign
  const lines: ReadonlyArray<readonly [string, string | number]> = [
    ["ID", campaign.id],
    ["NAME", campaign.name],
    ["STATUS", standing(campaign)],
    ["AGENT", campaign.agent_id],
    ["TEMPLATE", campaign.template?.id ?? ""],
    ["FROM", campaign.from_phone_number_id],
    ["CONCURRENCY", campaign.max_concurrency ?? ""],
    ["CALLS/MIN", campaign.calls_per_minute ?? ""],
    [
      "CALL CONFIG",
      Object.keys(campaign.call_config).length === 0 ? "" : JSON.stringify(campaign.call_config)
    ],
    ["SCHEDULED", at(campaign.scheduled_for)],
    ["CREATED", at(campaign.created_at)],
    ["STARTED", at(campaign.started_at)],
    ["ENDED", at(campaign.completed_at)],
    ["RECIPIENTS", stats.total],
    ["PENDING", stats.pending],
    ["IN PROGRESS", stats.in_progress],
    ["TO RETRY", stats.retry_scheduled],
    ["COMPLETED", stats.completed],
    ["FAILED", stats.failed],
    ["SKIPPED", stats.skipped],
    ["ATTEMPTS", stats.attempts],
    ["ANSWERED", campaign.channel === "msg" ? "" : stats.answered]
  ]
  return pairs(lines.filter(([, value]) => value !== ""))
}

/** `12 answered`; of a campaign that sends messages `12 delivered`. */
export const reached = ({ channel, stats }: CampaignRecord, delivered: number): string =>
  channel === "msg" ? `${count(delivered)} delivered` : `${count(stats.answered)} answered`

/** The result of a campaign, in a line. */
export const summary = (campaign: CampaignRecord, delivered: number): string => {
  const { attempts, completed, failed, skipped, total } = campaign.stats
  return (
    `${standing(campaign)}. ${count(total)} recipients: ${count(completed)} completed, ${count(failed)} failed, ` +
    `${count(skipped)} skipped; ${count(attempts)} attempts, ${reached(campaign, delivered)}.`
  )
}
