import { Option } from "effect"
import type { AnswerRows } from "../../core/ports/AnswerRows.ts"
import type { Store } from "./Store.ts"

export const answers = ({ undo, read, write }: Store): AnswerRows => ({
  begin: (request, expired) =>
    undo.verb(() => {
      const table = write(request.customer_id).answers
      const found = table.get(request.key)
      if (found !== undefined && found.created_at > expired) return Option.some(found)
      table.set(request)
      return Option.none()
    }),
  finish: (workspace_id, key, status, body) =>
    undo.verb(() => {
      const table = read(workspace_id).answers
      const found = table.get(key)
      if (found !== undefined) table.set({ ...found, status, body })
    }),
  release: (workspace_id, key) => undo.verb(() => void read(workspace_id).answers.delete(key)),
  forget: (workspace_id, until) =>
    undo.verb(() => {
      const table = read(workspace_id).answers
      for (const { created_at, key } of Array.from(table.byAge.ascending())) {
        if (created_at <= until) table.delete(key)
      }
    })
})
