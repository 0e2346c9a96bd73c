import { Option } from "effect"
import { type AnswerRows, carriedOut } from "../../core/ports/AnswerRows.ts"
import type { Store } from "./Store.ts"

export const answers = ({ undo, read, write }: Store): AnswerRows => ({
  begin: (request, expired, abandoned) =>
    undo.verb(() => {
      const table = write(request.customer_id).answers
      const found = table.get(request.key)
      const until = found?.status === null ? Math.max(expired, abandoned) : expired
      if (found !== undefined && found.created_at > until) return Option.some(found)
      table.set(request)
      return Option.none()
    }),
  carryOut: (workspace_id, key, created_at) =>
    undo.verb(() => {
      const table = read(workspace_id).answers
      const found = table.get(key)
      if (found === undefined || found.status !== null || found.created_at !== created_at) return false
      table.set({ ...found, status: carriedOut })
      return true
    }),
  finish: (workspace_id, key, status, body) =>
    undo.verb(() => {
      const table = read(workspace_id).answers
      const found = table.get(key)
      if (found !== undefined) table.set({ ...found, status, body })
    }),
  release: (workspace_id, key) =>
    undo.verb(() => {
      const table = read(workspace_id).answers
      if (table.get(key)?.status === null) table.delete(key)
    }),
  forget: (workspace_id, until) =>
    undo.verb(() => {
      const table = read(workspace_id).answers
      for (const { created_at, key } of Array.from(table.byAge.ascending())) {
        if (created_at <= until) table.delete(key)
      }
    })
})
