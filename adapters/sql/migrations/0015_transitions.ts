import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What became of a call, step by step, as JSON: in its own row, which each step writes anyway. */
export default Effect.flatMap(SqlClient, (sql) => sql.unsafe(`alter table calls add column transitions text`))
