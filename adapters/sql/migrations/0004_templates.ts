import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Message templates, as types that SQLite and PostgreSQL both take (see 0001). */
const statements = [
  `create table templates (
    id text not null,
    customer_id text not null,
    name text not null,
    language text not null,
    category text not null,
    parameter_format text not null,
    created_at bigint not null,
    provider_template_id text,
    status text not null,
    rejection_reason text,
    updated_at bigint not null,
    components text not null,
    primary key (customer_id, id),
    unique (customer_id, name, language)
  )`,
  `create index templates_name on templates (customer_id, name, id)`,
  `create index templates_status on templates (customer_id, status, id)`,
  `create index templates_language on templates (customer_id, language, id)`,
  `create index templates_category on templates (customer_id, category, id)`
]

export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})
