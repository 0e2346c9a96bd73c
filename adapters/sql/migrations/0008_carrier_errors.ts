import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What a carrier said of a call that failed, as JSON. */
export default Effect.flatMap(SqlClient, (sql) => sql`alter table calls add column error_details text`)
