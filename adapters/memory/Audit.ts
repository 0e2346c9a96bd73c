import type { AuditRows } from "../../core/ports/AuditRows.ts"
import type { Store } from "./Store.ts"

export const audit = ({ read, undo, write }: Store): AuditRows => ({
  append: (entry) =>
    undo.verb(() => {
      const { audit } = write(entry.customer_id)
      if (audit.get(entry.id) === undefined) audit.insert(entry)
    }),
  list: (workspace_id, { actor, object_id, operation }, page) =>
    undo.verb(() =>
      read(workspace_id).audit.page(
        page,
        (entry) =>
          (actor === undefined || entry.actor === actor) &&
          (object_id === undefined || entry.object_id === object_id) &&
          (operation === undefined || entry.operation === operation)
      )
    )
})
