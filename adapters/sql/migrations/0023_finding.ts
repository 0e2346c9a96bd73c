import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * What lists are found by. An index of calls has to earn what it costs each call: of the outcome there is an entry once
 * there is an outcome, the number called is found by its last four digits, a session by its attempt, and metadata by
 * the keys that a workspace names. The lists of a campaign's attempts are in the order of time.
 */
const statements = [
  `create index calls_by_outcome on calls (customer_id, outcome, created_at, call_id, channel)
    where outcome is not null`,
  `create index calls_by_sender on calls (customer_id, from_phone_number_id, created_at, call_id, channel)`,
  `create index calls_by_last_digits on calls
    (customer_id, substr(to_number, length(to_number) - 3), created_at, call_id, channel, to_number)`,
  `create table call_metadata (
    customer_id text not null,
    name text not null,
    value text not null,
    created_at bigint not null,
    call_id text not null,
    primary key (customer_id, name, value, created_at, call_id)
  )`,
  `create index call_metadata_calls on call_metadata (customer_id, call_id, name, value)`,
  `create index attempts_by_time on attempts (customer_id, campaign_id, created_at, id, channel)
    where campaign_id is not null`,
  `create index attempts_by_status on attempts (customer_id, campaign_id, status, created_at, id, channel)
    where campaign_id is not null`,
  `create index attempts_by_outcome on attempts (customer_id, campaign_id, outcome, created_at, id, channel)
    where campaign_id is not null and outcome is not null`,
  `drop index attempts_campaign`,
  `drop index attempts_status`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
