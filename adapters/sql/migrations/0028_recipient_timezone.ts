import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Where a campaign's calling window holds for recipients without a zone of their own. */
const statements = [`alter table campaigns add column recipient_timezone text`]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
