import type { Page, PageRequest } from "../../core/model/Page.ts"
import type { LedgerEntry } from "../../core/model/workspaces/Ledger.ts"
import type { LedgerFilter } from "../../core/ports/CreditRows.ts"
import { byText } from "./SortedSet.ts"
import { sliceOf } from "./Table.ts"
import type { UndoLog } from "./UndoLog.ts"

/** Entries in the order in which they came: nothing is ever changed, or looked up by itself. */
export class Ledger {
  readonly #undo: UndoLog
  readonly #entries: Array<LedgerEntry> = []

  constructor(undo: UndoLog) {
    this.#undo = undo
  }

  append(entries: ReadonlyArray<LedgerEntry>): void {
    const { length } = this.#entries
    this.#undo.undo(() => {
      this.#entries.length = length
    })
    for (const entry of entries) this.#entries.push(entry)
  }

  /** What came from `from` (inclusive) until `until` (exclusive), oldest first. */
  between(from: number, until: number): ReadonlyArray<LedgerEntry> {
    return this.#entries.filter(({ created_at }) => created_at >= from && created_at < until)
  }

  /** A page, newest first, of the entries that the filter lets through. */
  page(page: PageRequest, filter: LedgerFilter): Page<LedgerEntry> {
    const { created_after = -Infinity, created_before = Infinity, kind, reference } = filter
    const isOpen = Object.values(filter).every((value) => value === undefined)
    const found = isOpen
      ? this.#entries
      : this.between(created_after, created_before).filter(
          (entry) =>
            (kind === undefined || entry.kind === kind) &&
            (reference === undefined || entry.reference === reference)
        )
    return {
      data: sliceOf(found.toReversed(), page, (id) => (entry) => byText(entry.id, id)),
      total: found.length
    }
  }
}
