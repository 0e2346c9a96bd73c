import type { Page, PageRequest } from "../../core/model/Page.ts"
import type { LedgerEntry } from "../../core/model/workspaces/Ledger.ts"
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

  /** A page, newest first, of the entries that refer to something, or of all. */
  page(page: PageRequest, reference?: string): Page<LedgerEntry> {
    const found =
      reference === undefined ? this.#entries : this.#entries.filter((entry) => entry.reference === reference)
    return {
      data: sliceOf(found.toReversed(), page, (id) => (entry) => byText(entry.id, id)),
      total: found.length
    }
  }
}
