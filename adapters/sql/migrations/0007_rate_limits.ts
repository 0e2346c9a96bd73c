import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What workspaces have used up of their rates, as types that SQLite and PostgreSQL both take (see 0001). */
const statements = [
  `create table rate_limits (
    customer_id text not null,
    what text not null,
    spent bigint not null,
    spent_at bigint not null,
    primary key (customer_id, what)
  )`,
  `create index rate_limits_spent on rate_limits (spent_at)`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
