import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * What the circuit breaker of a campaign goes by: its settings, and the last dials in the order in which they were
 * placed. What was kept before was in the order in which dials ended, and is left out.
 */
const statements = [
  `alter table campaigns add column failure_breaker text`,
  `alter table tallies add column dials bigint not null default 0`,
  `alter table tallies add column failures_in_a_row bigint`,
  `update tallies set recent = ''`,
  `alter table attempts add column dial_number bigint`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
