import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * How long a workspace keeps what is personal, and its recordings and conversations by age. Calls by age need no index of
 * their own: those that were not erased are found by their number's last digits and their time.
 */
const statements = [
  `alter table workspaces add column recording_retention_days integer`,
  `alter table workspaces add column transcript_retention_days integer`,
  `alter table workspaces add column call_retention_days integer`,
  `create index recordings_by_age on recordings (customer_id, created_at, id) where status = 'completed'`,
  `create index sessions_by_end on sessions (customer_id, ended_at, session_id)
    where erased = 0 and ended_at is not null`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
