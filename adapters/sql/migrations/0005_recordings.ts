import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Recordings that have audio, by age, of all workspaces; and what the service itself keeps secret. Types are those
 * that SQLite and PostgreSQL both take (see 0001).
 */
const statements = [
  `create index recordings_kept on recordings (created_at, customer_id, id) where status = 'completed'`,
  `create table secrets (
    name text primary key not null,
    value text not null
  )`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
