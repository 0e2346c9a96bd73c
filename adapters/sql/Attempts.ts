import { Effect } from "effect"
import { type Attempt, fixed, type Spent } from "../../core/model/calls/Attempt.ts"
import type { AttemptFilter, AttemptRows } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { asIs, assign, first, insertInto, pageOf, pick, write } from "./Statements.ts"

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

/** Calls looked for by one statement. */
const together = 100

const sql = {
  insert: insertInto("attempts", columns),
  get: "select * from attempts where customer_id = ? and id = ?",
  update: `update attempts set ${assign(mutable)} where customer_id = ? and id = ?`,
  accept:
    "update attempts set carrier_call_id = ?, updated_at = ? " +
    "where customer_id = ? and id = ? and carrier_call_id is null",
  ofCall: "select * from attempts where customer_id = ? and call_id = ? order by attempt_number, id",
  spentOn:
    "select call_id, count(*) as attempts, sum(duration_seconds) as duration_seconds, " +
    "cast(sum(credits) as bigint) as credits from attempts where customer_id = ? and call_id in " +
    `(${Array.from({ length: together }, () => "?").join(", ")}) group by call_id`,
  startedSince:
    "select started_at from attempts where customer_id = ? and started_at > ? order by started_at",
  // Joined to nothing, the campaign serves no index: few were begun lately, and their index tells whose they are.
  startedSinceOfCampaign:
    "select started_at from attempts where customer_id = ? and started_at > ? and campaign_id || '' = ? " +
    "order by started_at"
}

const conditions = { recipient_id: "recipient_id = ?", status: "status = ?", channel: "channel = ?" } as const
const filters = Object.keys(conditions) as ReadonlyArray<keyof AttemptFilter>

/** The texts of a campaign's list and their parameters. A recipient's attempts are found by the recipient. */
const listOf = (workspace_id: string, campaign_id: string, filter: AttemptFilter) => {
  const set = filters.filter((name) => filter[name] !== undefined)
  const campaign = filter.recipient_id === undefined ? "campaign_id = ?" : "campaign_id || '' = ?"
  const where = ["customer_id = ?", campaign, ...set.map((name) => conditions[name])].join(" and ")
  return {
    texts: pageOf({ table: "attempts", columns, where, order: "id desc" }),
    params: [workspace_id, campaign_id, ...set.map((name) => filter[name]!)]
  }
}

const spentOn = (database: Database["Type"]): AttemptRows["spentOn"] =>
  Effect.fnUntraced(function* (workspace_id, call_ids) {
    const spent = new Map<string, Spent>()
    for (let start = 0; start < call_ids.length; start += together) {
      // The text has room for a full slice: the last call fills it.
      const sought = Array.from({ length: together }, (_, n) => call_ids[start + n] ?? call_ids.at(-1)!)
      const rows = yield* database.all<Spent & { readonly call_id: string }>(workspace_id, sql.spentOn, [
        workspace_id,
        ...sought
      ])
      for (const { call_id, ...sums } of rows) spent.set(call_id, sums)
    }
    return spent
  })

export const attempts = (database: Database["Type"]): AttemptRows => ({
  spentOn: spentOn(database),
  insert: (attempt) => write(database, attempt.customer_id, sql.insert, pick(attempt, columns)),
  get: (workspace_id, id) =>
    Effect.map(database.all<Attempt>(workspace_id, sql.get, [workspace_id, id]), first(asIs)),
  update: (attempt) =>
    write(database, attempt.customer_id, sql.update, [
      ...pick(attempt, mutable),
      attempt.customer_id,
      attempt.id
    ]),
  accept: (workspace_id, id, carrier_call_id, at) =>
    write(database, workspace_id, sql.accept, [carrier_call_id, at, workspace_id, id]),
  ofCall: (workspace_id, call_id) => database.all<Attempt>(workspace_id, sql.ofCall, [workspace_id, call_id]),
  startedSince: (workspace_id, campaign_id, since) =>
    Effect.map(
      campaign_id === null
        ? database.all<{ readonly started_at: number }>(workspace_id, sql.startedSince, [workspace_id, since])
        : database.all<{ readonly started_at: number }>(workspace_id, sql.startedSinceOfCampaign, [
            workspace_id,
            since,
            campaign_id
          ]),
      (rows) => rows.map(({ started_at }) => started_at)
    ),
  ofCampaign: (workspace_id, campaign_id, filter, { limit, offset }) => {
    const { params, texts } = listOf(workspace_id, campaign_id, filter)
    return database.all<Attempt>(workspace_id, texts.rows, [...params, limit, offset])
  },
  countOfCampaign: (workspace_id, campaign_id, filter) => {
    const { params, texts } = listOf(workspace_id, campaign_id, filter)
    return Effect.map(
      database.all<{ readonly total: number }>(workspace_id, texts.count, params),
      ([counted]) => counted!.total
    )
  }
})
