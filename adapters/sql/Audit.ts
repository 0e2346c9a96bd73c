import type { AuditEntry } from "../../core/model/workspaces/Audit.ts"
import type { AuditRows } from "../../core/ports/AuditRows.ts"
import type { Database } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import { asIs, filtered, insertInto, pageOf, pick, reader, write } from "./Statements.ts"

const columns = ["id", "customer_id", "actor_kind", "actor", "operation", "object_id", "created_at"] as const

const conditions = { actor: "actor = ?", operation: "operation = ?", object_id: "object_id = ?" } as const

const insert = `${insertInto("audit_log", columns)} on conflict (customer_id, id) do nothing`

export const audit = (database: Database["Type"]): AuditRows => {
  const read = reader(database, asIs<AuditEntry>, { totals: makeTotals(database) })
  return {
    append: (entry) => write(database, entry.customer_id, insert, pick(entry, columns)),
    list: (workspace_id, filter, page) => {
      const { params, where } = filtered(["customer_id = ?"], conditions, filter)
      const texts = pageOf({ table: "audit_log", columns, where, order: "id desc", prefix: "aud" })
      return read.page(workspace_id, texts, page, ...params)
    }
  }
}
