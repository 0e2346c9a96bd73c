import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** How often rows of a list were changed that were stored long ago: what was counted of them is counted again. */
const statements = [
  `create table list_changes (
    customer_id text not null,
    list text not null,
    noted bigint not null,
    primary key (customer_id, list)
  )`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
