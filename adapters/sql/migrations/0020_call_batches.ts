import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Batches of calls, and what became of each hundred of them. */
const statements = [
  `create table call_batches (
    id text not null,
    customer_id text not null,
    total integer not null,
    scheduled_for bigint,
    idempotency_key text,
    digest text,
    created_at bigint not null,
    cancelled_at bigint,
    primary key (customer_id, id),
    unique (customer_id, idempotency_key)
  )`,
  `create table call_batch_parts (
    customer_id text not null,
    batch_id text not null,
    part integer not null,
    items text not null,
    primary key (customer_id, batch_id, part)
  )`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
