import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statement = `create table import_errors (
  customer_id text not null,
  campaign_id text not null,
  import_id text not null,
  first_row integer not null,
  errors text not null,
  primary key (customer_id, campaign_id, import_id, first_row)
)`

/** The rows that imports have refused, a slice of a file in each row, as JSON. */
export default Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement))
