import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Open imports by when they are due. Those of a version that renewed none are due an hour after they began. Imports are
 * slow with an index over the last digits of numbers: random numbers have each a page of their own in it.
 */
const statements = [
  `create index imports_due on imports (coalesce(due_at, created_at + 3600000)) where completed_at is null`,
  `drop index imports_open`,
  `drop index recipients_by_last_digits`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
