import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What the receiver of a webhook has answered. */
const statements = [`alter table deliveries add column response_body text`]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
