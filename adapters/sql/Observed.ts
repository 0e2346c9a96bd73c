import { Effect } from "effect"
import { grain } from "../../core/model/simulation/LocalHour.ts"
import {
  finalReasons,
  type ObservedAttempts,
  type ObservedTalks
} from "../../core/model/simulation/Observed.ts"
import type { AttemptRows } from "../../core/ports/AttemptRows.ts"
import type { Database } from "./Database.ts"

type Row<A> = { readonly [key in keyof A]: A[key] extends boolean ? number : A[key] }

const columns =
  "campaign_id, call_id, recipient_id, channel, attempt_number, status, started_at, answered_at, completed_at, " +
  "outcome, sub_status, duration_seconds"

const slices = {
  campaign:
    `select ${columns} from attempts where customer_id = ? and campaign_id = ? and created_at >= ? ` +
    "order by created_at desc, id desc limit ?",
  workspace: `select ${columns} from attempts where customer_id = ? and started_at >= ? order by started_at desc limit ?`
}

const isCall = "newest.channel = 'voice' and newest.started_at is not null and newest.status <> 'scheduled'"
const final = `newest.sub_status in (${finalReasons.map((reason) => `'${reason}'`).join(", ")})`
const rang = "coalesce(newest.completed_at - newest.started_at - newest.duration_seconds * 1000, 0)"

const attemptsOf = (config: string, joins: string, slice: string) =>
  `select newest.campaign_id, r.queue as timezone, ${config} as call_config, ` +
  `newest.started_at - newest.started_at % ${grain} as at, ` +
  `case when newest.attempt_number > 1 then 1 else 0 end as is_retry, newest.outcome, ` +
  `case when ${final} then 1 else 0 end as is_final, ` +
  "case when newest.outcome is null then newest.started_at end as started_at, " +
  "case when newest.outcome is null then newest.answered_at end as answered_at, " +
  `count(*) as count, sum(${rang}) as rang from (${slice}) as newest ${joins} where ${isCall} ` +
  "group by 1, 2, 3, 4, 5, 6, 7, 8, 9"

const talksOf = (slice: string) =>
  "select newest.outcome, cast(round(newest.duration_seconds) as integer) as seconds, " +
  "case when newest.sub_status = 'max_call_length' then 1 else 0 end as is_cut, count(*) as count " +
  `from (${slice}) as newest where ${isCall} and newest.outcome in ('answered', 'voicemail') group by 1, 2, 3`

const sql = {
  ofCampaign: attemptsOf(
    "null",
    "left join recipients r on r.id = newest.recipient_id and r.list = " +
      "(select list from recipient_lists where customer_id = ? and campaign_id = ?)",
    slices.campaign
  ),
  ofWorkspace: attemptsOf(
    "c.call_config",
    "left join recipient_lists l on l.customer_id = ? and l.campaign_id = newest.campaign_id " +
      "left join recipients r on r.list = l.list and r.id = newest.recipient_id " +
      "left join calls c on newest.campaign_id is null and c.customer_id = ? and c.call_id = newest.call_id",
    slices.workspace
  ),
  talksOfCampaign: talksOf(slices.campaign),
  talksOfWorkspace: talksOf(slices.workspace)
}

/** Two texts over the same newest attempts, found in the order of an index, and counted aside. */
export const observed =
  (database: Database["Type"]): AttemptRows["observed"] =>
  (workspace_id, campaign_id, since, limit) => {
    const slice =
      campaign_id === null ? [workspace_id, since, limit] : [workspace_id, campaign_id, since, limit]
    return Effect.zipWith(
      database.aside<Row<ObservedAttempts>>(
        workspace_id,
        campaign_id === null ? sql.ofWorkspace : sql.ofCampaign,
        [...slice, workspace_id, campaign_id ?? workspace_id]
      ),
      database.aside<Row<ObservedTalks>>(
        workspace_id,
        campaign_id === null ? sql.talksOfWorkspace : sql.talksOfCampaign,
        slice
      ),
      (attempts, talks) => ({
        attempts: attempts.map((row) => ({
          ...row,
          timezone: row.timezone === "" ? null : row.timezone,
          is_retry: row.is_retry === 1,
          is_final: row.is_final === 1
        })),
        talks: talks.map((row) => ({ ...row, is_cut: row.is_cut === 1 }))
      })
    )
  }
