import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Calls that are over and whose recording has not been told of: the few of the last minutes. */
const statements = [
  `create index calls_unrecorded on calls (customer_id, due_at, call_id)
    where phase = 'done' and due_at is not null`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
