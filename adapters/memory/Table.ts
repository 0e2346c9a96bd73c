import type { Page, PageRequest } from "../../core/Page.ts"
import { byText, type Compare, SortedSet } from "./SortedSet.ts"
import type { Journal } from "./Journal.ts"

/** An ordered view of the rows that it admits, kept up to date by its table. */
interface Index<Row> {
  readonly admits: (row: Row) => boolean
  readonly compare: Compare<Row>
  readonly rows: SortedSet<Row>
}

/** Rows by key, with indexes. What is changed is written in the journal, so that it can be undone. */
export class Table<Row> {
  readonly #keyOf: (row: Row) => string
  readonly #journal: Journal
  readonly #rows = new Map<string, Row>()
  readonly #indexes: Array<Index<Row>> = []
  /** Oldest first. */
  readonly byAge: SortedSet<Row>

  constructor(journal: Journal, keyOf: (row: Row) => string, age?: Compare<Row>) {
    this.#journal = journal
    this.#keyOf = keyOf
    this.byAge = this.index(age ?? ((left, right) => byText(keyOf(left), keyOf(right))))
  }

  /** An index over the rows admitted, to be made before there are rows. */
  index(compare: Compare<Row>, admits: (row: Row) => boolean = () => true): SortedSet<Row> {
    const rows = new SortedSet(compare)
    this.#indexes.push({ admits, compare, rows })
    return rows
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key)
  }

  /** Adds a row; a second one of the same key is a mistake of the caller's. */
  insert(row: Row): void {
    if (this.#rows.has(this.#keyOf(row))) throw new Error("a row of this id exists already")
    this.set(row)
  }

  /** Adds the row, or puts it in the place of that of the same key. */
  set(row: Row): void {
    const key = this.#keyOf(row)
    const before = this.#rows.get(key)
    this.#journal.undo(() => this.#move(key, row, before))
    this.#move(key, before, row)
  }

  delete(key: string): boolean {
    const before = this.#rows.get(key)
    if (before === undefined) return false
    this.#journal.undo(() => this.#move(key, undefined, before))
    this.#move(key, before, undefined)
    return true
  }

  /** A page, newest first, of the rows that the filter lets through. */
  page({ limit, offset }: PageRequest, admits?: (row: Row) => boolean): Page<Row> {
    if (admits === undefined) {
      return { data: take(this.byAge.descending(offset), limit), total: this.byAge.size }
    }
    const data: Array<Row> = []
    let total = 0
    for (const row of this.byAge.descending(0)) {
      if (!admits(row)) continue
      if (total >= offset && data.length < limit) data.push(row)
      total++
    }
    return { data, total }
  }

  #move(key: string, from: Row | undefined, to: Row | undefined): void {
    if (to === undefined) this.#rows.delete(key)
    else this.#rows.set(key, to)
    for (const { admits, compare, rows } of this.#indexes) {
      const was = from !== undefined && admits(from)
      const is = to !== undefined && admits(to)
      if (was && is && compare(from, to) === 0) rows.replace(to)
      else {
        if (was) rows.delete(from)
        if (is) rows.add(to)
      }
    }
  }
}

/** The first `limit` rows, as long as `goesOn`. */
export const take = <Row>(
  rows: Iterable<Row>,
  limit: number,
  goesOn: (row: Row) => boolean = () => true
): Array<Row> => {
  const taken: Array<Row> = []
  for (const row of rows) {
    if (taken.length >= limit || !goesOn(row)) break
    taken.push(row)
  }
  return taken
}
