import { Effect } from "effect"
import { type Attempt, fixed, type Spent } from "../../core/model/calls/Attempt.ts"
import type { AttemptFilter, AttemptRows } from "../../core/ports/AttemptRows.ts"
import type { Database } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import { observed } from "./Observed.ts"
import {
  asIs,
  assign,
  filtered,
  insertRows,
  pageOf,
  pick,
  placeholders,
  reader,
  readSlice,
  readTotal,
  sought,
  writeEach
} from "./Statements.ts"

const mutable = [
  "status",
  "scheduled_for",
  "started_at",
  "answered_at",
  "completed_at",
  "carrier_call_id",
  "error_code",
  "error_message",
  "from_number",
  "outcome",
  "sub_status",
  "duration_seconds",
  "credits",
  "updated_at"
] as const
const columns = [...fixed, ...mutable] as const

const insert = insertRows("attempts", columns)

const sql = {
  get: `select ${columns.join(", ")} from attempts where customer_id = ? and id = ?`,
  many: `select ${columns.join(", ")} from attempts where customer_id = ? and id in ${placeholders}`,
  update: `update attempts set ${assign(mutable)} where customer_id = ? and id = ?`,
  accept:
    "update attempts set carrier_call_id = ?, updated_at = ? " +
    "where customer_id = ? and id = ? and carrier_call_id is null",
  ofCall: `select ${columns.join(", ")} from attempts where customer_id = ? and call_id = ? order by attempt_number, id`,
  spentOn:
    "select call_id, count(*) as attempts, sum(duration_seconds) as duration_seconds, " +
    "cast(sum(credits) as bigint) as credits from attempts where customer_id = ? and call_id in " +
    `${placeholders} group by call_id`,
  startedSince:
    "select started_at from attempts where customer_id = ? and started_at > ? order by started_at",
  // Joined to nothing, the campaign serves no index: few were begun lately, and their index tells whose they are.
  startedSinceOfCampaign:
    "select started_at from attempts where customer_id = ? and started_at > ? and campaign_id || '' = ? " +
    "order by started_at"
}

const conditions = {
  recipient_id: "recipient_id = ?",
  status: "status = ?",
  outcome: "outcome = ?",
  channel: "channel = ?"
} as const

const isOpen = ["scheduled", "in_progress"]
const open = {
  table: "attempts",
  where: `customer_id = ? and campaign_id = ? and status in (${isOpen.map((status) => `'${status}'`).join(", ")})`
}

/** The texts of a campaign's list and their parameters. A recipient's attempts are found by the recipient. */
const listOf = (
  workspace_id: string,
  campaign_id: string,
  { created_after: since, created_before: until, ...filter }: AttemptFilter
) => {
  const campaign = filter.recipient_id === undefined ? "campaign_id = ?" : "campaign_id || '' = ?"
  const { params, where } = filtered(["customer_id = ?", campaign], conditions, filter)
  return {
    texts: pageOf({ table: "attempts", columns, where, order: "created_at desc, id desc", since, until }),
    params: [workspace_id, campaign_id, ...params]
  }
}

export const attempts = (database: Database["Type"]): AttemptRows => {
  const read = reader(database, asIs<Attempt>)
  const totals = makeTotals(database)
  const startedAt = reader(database, ({ started_at }: { readonly started_at: number }) => started_at).all
  return {
    spentOn: (workspace_id, call_ids) =>
      Effect.map(
        sought<Spent & { readonly call_id: string }>(database, workspace_id, sql.spentOn, call_ids),
        (rows) => new Map(rows.map(({ call_id, ...spent }) => [call_id, spent]))
      ),
    insert: (...all) =>
      Effect.asVoid(
        insert(
          database,
          all[0].customer_id,
          all.map((attempt) => pick(attempt, columns)),
          false
        )
      ),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    many: (workspace_id, ids) => sought<Attempt>(database, workspace_id, sql.many, ids),
    update: (...all) =>
      writeEach(
        database,
        all[0].customer_id,
        sql.update,
        all.map((attempt) => [...pick(attempt, mutable), attempt.customer_id, attempt.id])
      ),
    accept: (workspace_id, ...accepted) =>
      writeEach(
        database,
        workspace_id,
        sql.accept,
        accepted.map(({ at, carrier_call_id, id }) => [carrier_call_id, at, workspace_id, id])
      ),
    ofCall: (workspace_id, call_id) => read.all(workspace_id, sql.ofCall, call_id),
    startedSince: (workspace_id, campaign_id, since) =>
      campaign_id === null
        ? startedAt(workspace_id, sql.startedSince, since)
        : startedAt(workspace_id, sql.startedSinceOfCampaign, since, campaign_id),
    ofCampaign: (workspace_id, campaign_id, filter, page) => {
      const { params, texts } = listOf(workspace_id, campaign_id, filter)
      return readSlice<Attempt>(database, workspace_id, texts, params, page)
    },
    countOfCampaign: (workspace_id, campaign_id, filter) => {
      const { params, texts } = listOf(workspace_id, campaign_id, filter)
      return readTotal(database, workspace_id, texts, params, {
        totals,
        open: filter.status === undefined && filter.outcome === undefined ? undefined : open,
        onlyOpen: filter.status !== undefined && isOpen.includes(filter.status)
      })
    },
    observed: observed(database)
  }
}
