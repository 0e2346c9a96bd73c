import type { Effect } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { EntryKind, LedgerEntry } from "../model/workspaces/Ledger.ts"

export interface LedgerFilter {
  readonly kind?: EntryKind | undefined
  readonly reference?: string | undefined
  /** Inclusive, epoch milliseconds. */
  readonly created_after?: number | undefined
  /** Exclusive, epoch milliseconds. */
  readonly created_before?: number | undefined
}

export interface CreditRows {
  /** The sum of all entries; kept, not computed. */
  readonly balance: (workspace_id: string) => Effect.Effect<number>
  /** Adds all entries, or none and answers false when their sum would take the balance below zero. */
  readonly append: (workspace_id: string, entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<boolean>
  readonly list: (
    workspace_id: string,
    filter: LedgerFilter,
    page: PageRequest
  ) => Effect.Effect<Page<LedgerEntry>>
}
