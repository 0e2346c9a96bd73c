import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What was sent of one call is found among all deliveries. A delivery enters this index once, and leaves it at its end. */
const statements = [`create index deliveries_by_call on deliveries (customer_id, call_id, id)`]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
