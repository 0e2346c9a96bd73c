import type { Effect } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"

export interface CreditRows {
  /** The sum of all entries; kept, not computed. */
  readonly balance: (workspace_id: string) => Effect.Effect<number>
  /** Adds all entries, or none and answers false when their sum would take the balance below zero. */
  readonly append: (workspace_id: string, entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<boolean>
  readonly list: (
    workspace_id: string,
    filter: { readonly reference?: string | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<LedgerEntry>>
}
