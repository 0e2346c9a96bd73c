import { Effect } from "effect"
import type { Campaign, CampaignState } from "../../core/model/campaigns/Campaign.ts"
import type { CampaignCounters } from "../../core/model/campaigns/CampaignCounters.ts"
import type { OutcomeCount } from "../../core/model/campaigns/CampaignProgress.ts"
import type { CampaignRows } from "../../core/ports/CampaignRows.ts"
import type { Database } from "./Database.ts"
import { forgetChanges } from "./ListChanges.ts"
import { changedRecipients } from "./Recipients.ts"
import {
  asIs,
  assign,
  column,
  filtered,
  insertInto,
  pageOf,
  pick,
  prefixed,
  reader,
  write
} from "./Statements.ts"

const fixed = [
  "id",
  "customer_id",
  "channel",
  "recipient_timezone",
  "skip_public_holidays",
  "created_at"
] as const
const mutable = [
  "name",
  "agent_id",
  "status",
  "status_reason",
  "from_phone_number_id",
  "template",
  "max_concurrency",
  "calls_per_minute",
  "failure_breaker",
  "scheduled_for",
  "started_at",
  "completed_at",
  "updated_at",
  "call_config",
  "metadata"
] as const
const columns = [...fixed, ...mutable] as const

const counted = [
  "work",
  "due_at",
  "pending",
  "in_progress",
  "retry_scheduled",
  "completed",
  "failed",
  "skipped",
  "cancelled",
  "attempts",
  "answered",
  "dials",
  "recent",
  "failures_in_a_row"
] as const
const counterColumns = ["customer_id", "campaign_id", ...counted] as const

/** A campaign with its counters: what the two share, `customer_id`, is once in it. */
type StateRow = Omit<Campaign, "skip_public_holidays"> & {
  readonly skip_public_holidays: number
} & CampaignCounters

const toRow = (campaign: Campaign) => ({
  ...campaign,
  skip_public_holidays: Number(campaign.skip_public_holidays)
})

const fromRow = (row: StateRow): CampaignState => ({
  campaign: {
    id: row.id,
    customer_id: row.customer_id,
    name: row.name,
    agent_id: row.agent_id,
    channel: row.channel,
    status: row.status,
    status_reason: row.status_reason,
    from_phone_number_id: row.from_phone_number_id,
    template: row.template,
    call_config: row.call_config,
    max_concurrency: row.max_concurrency,
    calls_per_minute: row.calls_per_minute,
    recipient_timezone: row.recipient_timezone,
    skip_public_holidays: row.skip_public_holidays === 1,
    failure_breaker: row.failure_breaker,
    scheduled_for: row.scheduled_for,
    started_at: row.started_at,
    completed_at: row.completed_at,
    metadata: row.metadata,
    created_at: row.created_at,
    updated_at: row.updated_at
  },
  counters: {
    customer_id: row.customer_id,
    campaign_id: row.id,
    work: row.work,
    due_at: row.due_at,
    pending: row.pending,
    in_progress: row.in_progress,
    retry_scheduled: row.retry_scheduled,
    completed: row.completed,
    failed: row.failed,
    skipped: row.skipped,
    cancelled: row.cancelled,
    attempts: row.attempts,
    answered: row.answered,
    dials: row.dials,
    recent: row.recent,
    failures_in_a_row: row.failures_in_a_row
  }
})

const both = [prefixed("campaigns", columns), prefixed("tallies", counted)]
// The campaign's id joined to nothing: what is sought of campaigns is not sought again among the tallies.
const join =
  "join tallies on tallies.customer_id = campaigns.customer_id and tallies.campaign_id = campaigns.id || ''"

const sql = {
  insert: insertInto("campaigns", columns),
  insertCounters: insertInto("tallies", counterColumns),
  get: `select ${both.join(", ")} from campaigns ${join} where campaigns.customer_id = ? and campaigns.id = ?`,
  update: `update campaigns set ${assign(mutable)} where customer_id = ? and id = ?`,
  counters: `select ${counterColumns.join(", ")} from tallies where customer_id = ? and campaign_id = ?`,
  saveCounters: `update tallies set ${assign(counted)} where customer_id = ? and campaign_id = ?`,
  due:
    `select ${both.join(", ")} from tallies join campaigns ` +
    "on campaigns.customer_id = tallies.customer_id and campaigns.id = tallies.campaign_id " +
    "where tallies.customer_id = ? and tallies.work = ? and tallies.due_at <= ? " +
    "order by tallies.due_at, tallies.campaign_id limit ?",
  nextDue:
    "select due_at from tallies where customer_id = ? and work = ? and due_at > ? order by due_at limit 1",
  remove: [
    "delete from import_errors where customer_id = ? and campaign_id = ?",
    "delete from imports where customer_id = ? and campaign_id = ?",
    "delete from recipient_lists where customer_id = ? and campaign_id = ?",
    "delete from campaign_outcomes where customer_id = ? and campaign_id = ?",
    "delete from tallies where customer_id = ? and campaign_id = ?",
    "delete from campaigns where customer_id = ? and id = ?"
  ],
  countOutcome:
    "insert into campaign_outcomes (customer_id, campaign_id, minute, outcome, ended) values (?, ?, ?, ?, ?) " +
    "on conflict (customer_id, campaign_id, minute, outcome) do update set ended = campaign_outcomes.ended + excluded.ended",
  outcomes:
    "select minute - minute % cast(? as bigint) as at, outcome, cast(sum(ended) as bigint) as count " +
    "from campaign_outcomes where customer_id = ? and campaign_id = ? and minute >= ? and minute < ? " +
    "group by 1, 2 order by 1, 2"
}

const conditions = {
  status: "status = ?",
  agent_id: "agent_id = ?",
  created_after: "created_at >= ?",
  created_before: "created_at < ?"
} as const

export const campaigns = (database: Database["Type"]): CampaignRows => {
  const read = reader(database, fromRow)
  const readCounters = reader(database, asIs<CampaignCounters>)
  const dueAt = column<number>(database, "due_at")
  return {
    insert: ({ campaign, counters }) =>
      database.unit(
        campaign.customer_id,
        Effect.zipRight(
          write(database, campaign.customer_id, sql.insert, pick(toRow(campaign), columns)),
          write(database, counters.customer_id, sql.insertCounters, pick(counters, counterColumns))
        )
      ),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    list: (workspace_id, filter, page) => {
      const { params, where } = filtered(["customer_id = ?"], conditions, filter)
      const texts = pageOf({
        table: "campaigns",
        columns: both,
        where,
        order: "created_at desc, id desc",
        join
      })
      return read.page(workspace_id, texts, page, ...params)
    },
    update: (campaign) =>
      write(database, campaign.customer_id, sql.update, [
        ...pick(campaign, mutable),
        campaign.customer_id,
        campaign.id
      ]),
    counters: (workspace_id, campaign_id) => readCounters.one(workspace_id, sql.counters, campaign_id),
    saveCounters: (counters) =>
      write(database, counters.customer_id, sql.saveCounters, [
        ...pick(counters, counted),
        counters.customer_id,
        counters.campaign_id
      ]),
    due: (workspace_id, work, now, limit) => read.all(workspace_id, sql.due, work, now, limit),
    nextDue: (workspace_id, work, after) => dueAt(workspace_id, sql.nextDue, work, after),
    remove: (workspace_id, campaign_id) =>
      database.unit(
        workspace_id,
        Effect.zipRight(
          Effect.forEach(sql.remove, (text) =>
            write(database, workspace_id, text, [workspace_id, campaign_id])
          ),
          forgetChanges(database, workspace_id, changedRecipients(campaign_id))
        )
      ),
    countOutcome: (workspace_id, campaign_id, at, outcome, count) =>
      write(database, workspace_id, sql.countOutcome, [workspace_id, campaign_id, at, outcome, count]),
    outcomes: (workspace_id, campaign_id, from, until, span) =>
      database.all<OutcomeCount>(workspace_id, sql.outcomes, [span, workspace_id, campaign_id, from, until])
  }
}
