import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** By when the process of an open import has to have said that it is alive. Of older ones: ten minutes after they began. */
const statements = [
  `alter table imports add column due_at bigint`,
  `update imports set due_at = created_at + 600000 where completed_at is null`,
  `create index imports_open on imports (due_at) where completed_at is null and due_at is not null`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
