import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What requests with an idempotency key were answered. */
const statements = [
  `create table answers (
    customer_id text not null,
    key text not null,
    digest text not null,
    created_at bigint not null,
    status integer,
    body text,
    primary key (customer_id, key)
  )`,
  `create index answers_age on answers (customer_id, created_at)`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
