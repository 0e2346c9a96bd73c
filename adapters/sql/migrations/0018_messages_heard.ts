import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What a recipient last wrote. */
export default Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`alter table recipients add column last_customer_message text`)
)
