import { Effect } from "effect"
import type { Recipient } from "../../core/model/campaigns/Recipient.ts"
import { erasedBody } from "../../core/model/people/Person.ts"
import type { KeptCall, PeopleRows } from "../../core/ports/PeopleRows.ts"
import { erasedCalls } from "./Calls.ts"
import type { Database } from "./Database.ts"
import { noteChange } from "./ListChanges.ts"
import {
  changedRecipients,
  fromRow,
  numberOf,
  ofCampaign,
  read,
  type RecipientRow,
  unindex
} from "./Recipients.ts"
import { prefixed, write } from "./Statements.ts"

/** What an index has of the number called. */
const last = "substr(to_number, length(to_number) - 3)"

/** A call is no younger than its end: what is too young is not read. */
const isOver = "created_at <= ? and phase || '' = 'done' and completed_at <= ?"

const sql = {
  calls:
    `select call_id from calls where customer_id = ? and ${last} = ? ` +
    "and to_number = ? and call_id || '' > ? order by call_id || '' limit ?",
  // One search in the index for each ending of a number, whatever the number of calls: those that were erased have none.
  // The ending comes first that is met first, and the search ends with it.
  nextEnding:
    `with recursive endings (ending) as (select min(${last}) from calls where customer_id = ? and ${last} > ? union all ` +
    `select (select min(${last}) from calls where customer_id = ? and ${last} > endings.ending) ` +
    "from endings where endings.ending is not null) " +
    "select ending from endings where ending is not null and " +
    `(select 1 from calls where customer_id = ? and ${last} = endings.ending and ${isOver} limit 1) = 1 limit 1`,
  // With its plus the time serves no index here: the ending does.
  keptCalls:
    `select ${last} as last_digits, created_at, call_id from calls where customer_id = ? and ${last} = ? and ${isOver} ` +
    "and (+created_at, call_id) > (?, ?) order by created_at, call_id limit ?",
  // The lists of the workspace are few: each is searched for the number.
  recipients:
    `select recipient_lists.campaign_id, ${prefixed("recipients", read)} from recipient_lists join recipients ` +
    "on recipients.list = recipient_lists.list and recipients.phone_number = ? " +
    "where recipient_lists.customer_id = ? order by recipients.id",
  eraseCall:
    "update calls set to_number = '', callee_name = null, custom_variables = null, smart_formatter = null, " +
    "metadata = null, idempotency_key = null where customer_id = ? and call_id = ?",
  eraseValues: "delete from call_metadata where customer_id = ? and call_id = ?",
  // A number that no telephone has, and that no other recipient of the list has either.
  eraseRecipient:
    "update recipients set variables = '{}', review = null, last_customer_message = null, " +
    "last_customer_message_at = null, phone_number = (select case when min(phone_number) < 0 then min(phone_number) " +
    `else 0 end - 1 from recipients where ${ofCampaign}) where ${ofCampaign} and id = ?`,
  events: "select id, call_id, event_type from events where customer_id = ? and id > ? order by id limit ?",
  eraseEvent: "update events set body = ? where customer_id = ? and id = ?"
}

interface EventRow {
  readonly id: string
  readonly call_id: string
  readonly event_type: string
}

export const people = (database: Database["Type"]): PeopleRows => ({
  calls: (workspace_id, phone_number, after, limit) =>
    Effect.map(
      database.all<{ readonly call_id: string }>(workspace_id, sql.calls, [
        workspace_id,
        phone_number.slice(-4),
        phone_number,
        after,
        limit
      ]),
      (rows) => ({
        found: rows.map(({ call_id }) => call_id),
        next: rows.length < limit ? null : rows.at(-1)!.call_id
      })
    ),
  keptCalls: Effect.fnUntraced(function* (workspace_id, until, after, limit) {
    const found: Array<KeptCall> = []
    const nextEnding = Effect.fnUntraced(function* (ending: string) {
      const params = [workspace_id, ending, workspace_id, workspace_id, until, until]
      const [row] = yield* database.aside<{ readonly ending: string }>(workspace_id, sql.nextEnding, params)
      return row?.ending
    })
    let place = after
    let ending = after === null ? yield* nextEnding("") : after.last_digits
    while (ending !== undefined) {
      const from = [place?.created_at ?? -1, place?.call_id ?? ""]
      const params = [workspace_id, ending, until, until, ...from, limit - found.length]
      found.push(...(yield* database.all<KeptCall>(workspace_id, sql.keptCalls, params)))
      if (found.length === limit) break
      place = null
      ending = yield* nextEnding(ending)
    }
    return found
  }),
  recipients: (workspace_id, phone_number) =>
    Effect.map(
      database.all<RecipientRow & Pick<Recipient, "campaign_id">>(workspace_id, sql.recipients, [
        numberOf(phone_number),
        workspace_id
      ]),
      (rows) => rows.map((row) => fromRow(workspace_id, row.campaign_id)(row))
    ),
  eraseCall: (workspace_id, call_id) =>
    database.unit(
      workspace_id,
      Effect.zipRight(
        Effect.forEach([sql.eraseValues, sql.eraseCall], (text) =>
          write(database, workspace_id, text, [workspace_id, call_id])
        ),
        noteChange(database, workspace_id, erasedCalls)
      )
    ),
  eraseRecipient: ({ campaign_id, customer_id, id }) =>
    database.unit(
      customer_id,
      Effect.all(
        [
          write(database, customer_id, unindex, [customer_id, campaign_id, id]),
          write(database, customer_id, sql.eraseRecipient, [
            customer_id,
            campaign_id,
            customer_id,
            campaign_id,
            id
          ]),
          noteChange(database, customer_id, changedRecipients(campaign_id), id)
        ],
        { discard: true }
      )
    ),
  eraseEvents: (workspace_id, call_ids, after, limit) =>
    database.unit(
      workspace_id,
      Effect.gen(function* () {
        const rows = yield* database.all<EventRow>(workspace_id, sql.events, [workspace_id, after, limit])
        for (const { call_id, event_type, id } of rows) {
          if (!call_ids.has(call_id)) continue
          yield* write(database, workspace_id, sql.eraseEvent, [erasedBody(id, event_type), workspace_id, id])
        }
        return rows.length < limit ? null : rows.at(-1)!.id
      })
    )
})
