import { Effect } from "effect"
import { minute } from "../../core/model/Codecs.ts"
import type { OpenCall, WaitingRecipients } from "../../core/model/forecasts/OpenRecipients.ts"
import type { RecipientRows } from "../../core/ports/RecipientRows.ts"
import type { Database } from "./Database.ts"

const list = "(select list from recipient_lists where customer_id = ? and campaign_id = ?)"
const ofCampaign = "customer_id = ? and campaign_id = ?"

const sql = {
  pending:
    `select queue as timezone, 0 as attempts, null as due_at, count(*) as count from recipients where list = ${list} ` +
    "and status = 'pending' group by queue",
  waiting:
    "select r.queue as timezone, c.attempt_count - c.redial as attempts, " +
    "cast(sum(c.due_at) / count(*) as bigint) as due_at, count(*) as count from calls c " +
    `left join recipients r on r.list = ${list} and r.id = c.recipient_id ` +
    `where ${ofCampaign} and c.phase = 'waiting' and c.due_at is not null ` +
    `group by 1, 2, c.due_at - c.due_at % ${minute}`,
  calls:
    "select r.queue as timezone, a.attempt_number as attempts, a.started_at, a.answered_at from attempts a " +
    `left join recipients r on r.list = ${list} and r.id = a.recipient_id where ${ofCampaign} and a.status = 'in_progress'`
}

const own = <A extends { readonly timezone: string | null }>(rows: ReadonlyArray<A>): ReadonlyArray<A> =>
  rows.map((row) => ({ ...row, timezone: row.timezone === "" ? null : row.timezone }))

/** Who of a campaign is not done, counted aside. */
export const open =
  (database: Database["Type"]): RecipientRows["open"] =>
  (workspace_id, campaign_id) => {
    const campaign = [workspace_id, campaign_id]
    const twice = [...campaign, ...campaign]
    return Effect.gen(function* () {
      const calls = yield* database.aside<OpenCall>(workspace_id, sql.calls, twice)
      const waiting = yield* database.aside<WaitingRecipients>(workspace_id, sql.waiting, twice)
      const pending = yield* database.aside<WaitingRecipients>(workspace_id, sql.pending, campaign)
      return { waiting: own([...pending, ...waiting]), calls: own(calls) }
    })
  }
