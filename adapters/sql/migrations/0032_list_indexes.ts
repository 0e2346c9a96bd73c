import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * Recipients are found by the last digits of their numbers, those that a masked number shows. Each call has movements of
 * three kinds, so that some of each are among any few; movements of the other kinds are rare, and have an index. So have deliveries that were given up.
 */
const statements = [
  `create index recipients_by_last_digits on recipients (list, (phone_number % 10000), id, phone_number)`,
  `create index ledger_by_kind on ledger (customer_id, kind, id) where kind not in ('hold', 'settle', 'release')`,
  `create index deliveries_dead on deliveries (customer_id, webhook_id, id) where status = 'dead'`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
