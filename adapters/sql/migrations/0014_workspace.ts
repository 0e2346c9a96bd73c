import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** What a workspace sets by itself, and until when and since when its keys are used. */
const statements = [
  `alter table workspaces add column indexed_metadata_keys text not null default '[]'`,
  `alter table api_keys add column expires_at bigint`,
  `alter table api_keys add column last_used_at bigint`
]

export default Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
