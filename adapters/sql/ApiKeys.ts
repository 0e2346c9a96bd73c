import { Effect } from "effect"
import type { ApiKey } from "../../core/model/workspaces/Workspace.ts"
import type { ApiKeyRows } from "../../core/ports/ApiKeyRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { changes, first, insertInto, pageOf, reader } from "./Statements.ts"

interface ApiKeyRow extends Omit<ApiKey, "scopes"> {
  readonly scopes: string
}

const columns = ["id", "customer_id", "name", "scopes", "digest", "created_at", "revoked_at"]

const fromRow = (row: ApiKeyRow): ApiKey => ({
  ...row,
  scopes: JSON.parse(row.scopes) as ReadonlyArray<string>
})

const sql = {
  insert: insertInto("api_keys", columns),
  get: `select ${columns.join(", ")} from api_keys where id = ?`,
  page: pageOf({
    table: "api_keys",
    columns,
    where: "customer_id = ?",
    order: "id desc"
  }),
  revoke: "update api_keys set revoked_at = ? where customer_id = ? and id = ? and revoked_at is null"
}

export const apiKeys = (database: Database["Type"]): ApiKeyRows => {
  const read = reader(database, fromRow)
  return {
    insert: (key) =>
      Effect.asVoid(
        database.run(key.customer_id, sql.insert, [
          key.id,
          key.customer_id,
          key.name,
          JSON.stringify(key.scopes),
          key.digest,
          key.created_at,
          key.revoked_at
        ])
      ),
    get: (key_id) => Effect.map(database.all<ApiKeyRow>(platformWide, sql.get, [key_id]), first(fromRow)),
    list: (workspace_id, page) => read.page(workspace_id, sql.page, page),
    revoke: (workspace_id, key_id, at) =>
      changes(database, workspace_id, sql.revoke, [at, workspace_id, key_id])
  }
}
