import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Conversations by age, as long as there is something to read of them. */
const statements = [
  `alter table sessions add column erased integer not null default 0`,
  `create index sessions_kept on sessions (ended_at, customer_id, session_id)
    where erased = 0 and ended_at is not null`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
