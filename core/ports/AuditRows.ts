import type { Effect } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { AuditEntry } from "../model/workspaces/Audit.ts"

export interface AuditFilter {
  readonly actor?: string | undefined
  readonly operation?: string | undefined
  readonly object_id?: string | undefined
}

/** Who changed what: nothing of it is ever changed. */
export interface AuditRows {
  /** Of entries with one id the first stays. */
  readonly append: (entry: AuditEntry) => Effect.Effect<void>
  readonly list: (
    workspace_id: string,
    filter: AuditFilter,
    page: PageRequest
  ) => Effect.Effect<Page<AuditEntry>>
}
