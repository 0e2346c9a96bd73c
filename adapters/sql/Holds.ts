import { Effect } from "effect"
import type { Hold, HoldRows } from "../../core/ports/SuiteRows.ts"
import type { Database } from "./Database.ts"
import { asIs, changes, column, insertInto, pick, reader } from "./Statements.ts"

const columns = ["id", "customer_id", "amount", "expires_at"] as const

const sql = {
  insert: insertInto("holds", columns),
  remove: "delete from holds where customer_id = ? and id = ?",
  expired:
    `select ${columns.join(", ")} from holds where customer_id = ? and expires_at <= ? ` +
    "order by expires_at, id",
  nextExpiry: "select expires_at from holds where customer_id = ? order by expires_at limit 1"
}

export const holds = (database: Database["Type"]): HoldRows => {
  const read = reader(database, asIs<Hold>)
  return {
    insert: (hold) => Effect.asVoid(database.run(hold.customer_id, sql.insert, pick(hold, columns))),
    remove: (workspace_id, id) => changes(database, workspace_id, sql.remove, [workspace_id, id]),
    expired: (workspace_id, now) => read.all(workspace_id, sql.expired, now),
    nextExpiry: (workspace_id) => column<number>(database, "expires_at")(workspace_id, sql.nextExpiry)
  }
}
