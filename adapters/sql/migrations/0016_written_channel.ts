import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Every process that may use this layout writes the channel of a call itself. */
const statements = {
  pg: ["drop trigger if exists calls_channel on calls", "drop function if exists outdial_mark_message()"],
  sqlite: ["drop trigger if exists calls_channel"]
}

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(
    sql.onDialectOrElse({ pg: () => statements.pg, orElse: () => statements.sqlite }),
    (statement) => sql.unsafe(statement),
    { discard: true }
  )
)
