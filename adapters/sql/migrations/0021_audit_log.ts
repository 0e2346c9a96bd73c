import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Who changed what over the REST interface. */
const statements = [
  `create table audit_log (
    id text not null,
    customer_id text not null,
    actor_kind text not null,
    actor text not null,
    operation text not null,
    object_id text,
    created_at bigint not null,
    primary key (customer_id, id)
  )`,
  `create index audit_log_actor on audit_log (customer_id, actor, id)`,
  `create index audit_log_operation on audit_log (customer_id, operation, id)`,
  `create index audit_log_object on audit_log (customer_id, object_id, id)`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
