import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Whether a campaign calls on public holidays. */
const statements = [`alter table campaigns add column skip_public_holidays integer not null default 0`]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
