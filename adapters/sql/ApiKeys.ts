import { Effect } from "effect"
import { memo } from "../../core/model/Memo.ts"
import type { ApiKey } from "../../core/model/workspaces/Workspace.ts"
import type { ApiKeyRows } from "../../core/ports/ApiKeyRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { changes, first, insertInto, pageOf, reader, write } from "./Statements.ts"

interface ApiKeyRow extends Omit<ApiKey, "scopes"> {
  readonly scopes: string
}

const columns = [
  "id",
  "customer_id",
  "name",
  "scopes",
  "digest",
  "created_at",
  "revoked_at",
  "expires_at",
  "last_used_at"
]

const scopesOf = memo(1_000, (text: string) => JSON.parse(text) as ReadonlyArray<string>)

const fromRow = (row: ApiKeyRow): ApiKey => ({ ...row, scopes: scopesOf(row.scopes) })

const sql = {
  insert: insertInto("api_keys", columns),
  get: `select ${columns.join(", ")} from api_keys where id = ?`,
  find: `select ${columns.join(", ")} from api_keys where customer_id = ? and id = ?`,
  page: pageOf({
    table: "api_keys",
    columns,
    where: "customer_id = ?",
    order: "id desc"
  }),
  update: "update api_keys set name = ?, expires_at = ? where customer_id = ? and id = ?",
  used:
    "update api_keys set last_used_at = ? where customer_id = ? and id = ? " +
    "and (last_used_at is null or last_used_at < ?)",
  revoke: "update api_keys set revoked_at = ? where customer_id = ? and id = ? and revoked_at is null"
}

export const apiKeys = (database: Database["Type"]): ApiKeyRows => {
  const read = reader(database, fromRow)
  const one = first(fromRow)
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
          key.revoked_at,
          key.expires_at,
          key.last_used_at
        ])
      ),
    get: (key_id) => database.read(platformWide, sql.get, [key_id], one),
    find: (workspace_id, key_id) => read.one(workspace_id, sql.find, key_id),
    list: (workspace_id, page) => read.page(workspace_id, sql.page, page),
    update: ({ customer_id, expires_at, id, name }) =>
      write(database, customer_id, sql.update, [name, expires_at, customer_id, id]),
    used: (workspace_id, key_id, at) =>
      write(database, workspace_id, sql.used, [at, workspace_id, key_id, at]),
    revoke: (workspace_id, key_id, at) =>
      changes(database, workspace_id, sql.revoke, [at, workspace_id, key_id])
  }
}
