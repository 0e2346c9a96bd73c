import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Messaging campaigns. What the provider calls a message stands where the carrier's name of a call does. */
const statements = [
  `alter table campaigns add column template text`,
  `alter table recipients add column last_customer_message_at integer`,
  `alter table attempts drop column provider_message_id`,
  `create index campaigns_sender on campaigns (customer_id, from_phone_number_id, id) where channel = 'msg'`,
  `create index phone_numbers_holders on phone_numbers (number)`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
