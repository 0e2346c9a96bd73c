import { Effect } from "effect"
import type { Hold, HoldRows } from "../../core/ports/SuiteRows.ts"
import type { Database } from "./Database.ts"
import { first, insertInto, pick } from "./Statements.ts"

const columns = ["id", "customer_id", "amount", "expires_at"] as const

const sql = {
  insert: insertInto("holds", columns),
  remove: "delete from holds where customer_id = ? and id = ?",
  expired:
    `select ${columns.join(", ")} from holds where customer_id = ? and expires_at <= ? ` +
    "order by expires_at, id",
  nextExpiry: "select expires_at from holds where customer_id = ? order by expires_at limit 1"
}

export const holds = (database: Database["Type"]): HoldRows => ({
  insert: (hold) => Effect.asVoid(database.run(hold.customer_id, sql.insert, pick(hold, columns))),
  remove: (workspace_id, id) =>
    Effect.map(database.run(workspace_id, sql.remove, [workspace_id, id]), (changed) => changed === 1),
  expired: (workspace_id, now) => database.all<Hold>(workspace_id, sql.expired, [workspace_id, now]),
  nextExpiry: (workspace_id) =>
    Effect.map(
      database.all<{ readonly expires_at: number }>(workspace_id, sql.nextExpiry, [workspace_id]),
      first(({ expires_at }) => expires_at)
    )
})
