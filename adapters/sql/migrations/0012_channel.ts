import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const slice = 1_000

/**
 * Rows of messages that say nothing of their channel: a process of the version before writes none. All that its ids
 * begin with tells them from calls.
 */
const unmarked = "channel = 'voice' and call_id >= 'msg_'"

const column = [
  `alter table outdial_migrations add column oldest_reader integer`,
  `alter table calls add column channel text not null default 'voice'`
]

/** Marks what processes of the version before insert, for as long as there are such. */
const marking = {
  pg: [
    `create or replace function outdial_mark_message() returns trigger language plpgsql as
      $$ begin new.channel := 'msg'; return new; end $$`,
    `create or replace trigger calls_channel before insert on calls for each row
      when (new.channel = 'voice' and new.call_id >= 'msg_') execute function outdial_mark_message()`
  ],
  sqlite: [
    `create trigger calls_channel after insert on calls when new.channel = 'voice' and new.call_id >= 'msg_' begin
      update calls set channel = 'msg' where customer_id = new.customer_id and call_id = new.call_id; end`
  ]
}

/** The indexes that calls are listed and counted by, with the channel: what is left out of a list is not read. */
const indexes = [
  `create index calls_by_time on calls (customer_id, created_at, call_id, channel)`,
  `create index calls_by_status on calls (customer_id, status, created_at, call_id, channel)`,
  `create index calls_by_agent on calls (customer_id, agent_id, created_at, call_id, channel)`,
  `create index calls_by_campaign on calls (customer_id, campaign_id, created_at, call_id, channel)
    where campaign_id is not null`,
  `create index calls_under_way on calls (customer_id, due_at, call_id, channel)
    where phase = 'live' and due_at is not null`,
  `drop index calls_list`,
  `drop index calls_status`,
  `drop index calls_agent`,
  `drop index calls_campaign`,
  `drop index calls_live`
]

interface Key {
  readonly customer_id: string
  readonly call_id: string
}

/** The channel of calls. Rows are marked some at a time: another process that changes them waits a moment. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  const all = (statements: ReadonlyArray<string>) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  yield* all(column)
  yield* all(sql.onDialectOrElse({ pg: () => marking.pg, orElse: () => marking.sqlite }))
  const after = "where (customer_id, call_id) > (?, ?)"
  let last: Key | undefined = { customer_id: "", call_id: "" }
  while (last !== undefined) {
    const from: Key = last
    const rows: ReadonlyArray<Key> = yield* sql.unsafe<Key>(
      `select customer_id, call_id from calls ${after} and ${unmarked} order by customer_id, call_id limit ${slice}`,
      [from.customer_id, from.call_id]
    )
    last = rows.at(-1)
    if (last === undefined) break
    yield* sql.unsafe(
      `update calls set channel = 'msg' ${after} and (customer_id, call_id) <= (?, ?) and ${unmarked}`,
      [from.customer_id, from.call_id, last.customer_id, last.call_id]
    )
  }
  yield* all(indexes)
})
