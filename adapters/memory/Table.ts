import type { Page, PageRequest } from "../../core/model/Page.ts"
import { byText, type Compare, SortedSet } from "./SortedSet.ts"
import type { UndoLog } from "./UndoLog.ts"

/** Where a row is kept: it changes in its place, as long as that is still the right one. */
interface Cell<Row> {
  row: Row
}

/** An ordered view of the rows that it admits, kept up to date by its table. */
export class Index<Row> {
  readonly compare: Compare<Row>
  readonly admits: (row: Row) => boolean
  readonly #cells: SortedSet<Cell<Row>>

  constructor(compare: Compare<Row>, admits: (row: Row) => boolean) {
    this.compare = compare
    this.admits = admits
    this.#cells = new SortedSet((left, right) => compare(left.row, right.row))
  }

  get size(): number {
    return this.#cells.size
  }

  first(): Row | undefined {
    return this.#cells.first()?.row
  }

  /** The first row at no distance from what is sought. */
  find(distance: (row: Row) => number): Row | undefined {
    return this.#cells.find(({ row }) => distance(row))?.row
  }

  /** From the first row that is not before `from`; `distance` tells how far a row lies behind it. */
  *ascending(distance?: (row: Row) => number): Generator<Row> {
    const from = distance === undefined ? undefined : ({ row }: Cell<Row>) => distance(row)
    for (const { row } of this.#cells.ascending(from)) yield row
  }

  /** Backwards from the last row, or the last that is not after what `distance` seeks, skipping `offset`. */
  *descending(offset: number, distance?: (row: Row) => number): Generator<Row> {
    const from = distance === undefined ? undefined : ({ row }: Cell<Row>) => distance(row)
    for (const { row } of this.#cells.descending(offset, from)) yield row
  }

  /** The cell is about to hold another row. Answers whether it has to be put in its place again. */
  leave(cell: Cell<Row>, next: Row | undefined): boolean {
    const isIn = this.admits(cell.row)
    const stays = next !== undefined && this.admits(next)
    if (isIn && stays && this.compare(cell.row, next) === 0) return false
    if (isIn) this.#cells.delete(cell)
    return stays
  }

  enter(cell: Cell<Row>): void {
    this.#cells.add(cell)
  }
}

/** Rows by key, with indexes. What is changed is written in the undo log. */
export class Table<Row> {
  readonly #keyOf: (row: Row) => string
  readonly #undo: UndoLog
  readonly #cells = new Map<string, Cell<Row>>()
  readonly #indexes: Array<Index<Row>> = []
  /** Oldest first. */
  readonly byAge: Index<Row>

  constructor(undo: UndoLog, keyOf: (row: Row) => string, age?: Compare<Row>) {
    this.#undo = undo
    this.#keyOf = keyOf
    this.byAge = this.index(age ?? ((left, right) => byText(keyOf(left), keyOf(right))))
  }

  /** An index over the rows admitted, to be made before there are rows. */
  index(compare: Compare<Row>, admits: (row: Row) => boolean = () => true): Index<Row> {
    const index = new Index(compare, admits)
    this.#indexes.push(index)
    return index
  }

  get(key: string): Row | undefined {
    return this.#cells.get(key)?.row
  }

  /** Adds a row; a second one of the same key is a mistake of the caller's. */
  insert(row: Row): void {
    const key = this.#keyOf(row)
    if (this.#cells.has(key)) throw new Error("a row of this id exists already")
    this.#enter(key, row)
  }

  /** Adds the row, or puts it in the place of that of the same key. */
  set(row: Row): void {
    const key = this.#keyOf(row)
    const cell = this.#cells.get(key)
    if (cell === undefined) this.#enter(key, row)
    else {
      const before = cell.row
      this.#undo.undo(() => this.#change(this.#cells.get(key)!, before))
      this.#change(cell, row)
    }
  }

  delete(key: string): boolean {
    const before = this.get(key)
    if (before === undefined) return false
    this.#undo.undo(() => this.#add(key, before))
    this.#remove(key)
    return true
  }

  /** A page, newest first, of the rows that the filter lets through. */
  page({ after, before, limit, offset }: PageRequest, admits?: (row: Row) => boolean): Page<Row> {
    const id = after ?? before
    if (id === undefined && admits === undefined) {
      return { data: take(this.byAge.descending(offset), limit), total: this.byAge.size }
    }
    const rows = Array.from(this.byAge.descending(0)).filter(admits ?? (() => true))
    return {
      data: sliceOf(rows, { after, before, limit, offset }, (key) => this.#from(key)),
      total: rows.length
    }
  }

  /** How far a row is from that of a key, in the order of age. */
  #from(key: string): (row: Row) => number {
    const row = this.get(key)
    return row === undefined
      ? (other) => byText(this.#keyOf(other), key)
      : (other) => this.byAge.compare(other, row)
  }

  #enter(key: string, row: Row): void {
    this.#undo.undo(() => this.#remove(key))
    this.#add(key, row)
  }

  #add(key: string, row: Row): void {
    const cell = { row }
    this.#cells.set(key, cell)
    for (const index of this.#indexes) if (index.admits(row)) index.enter(cell)
  }

  #change(cell: Cell<Row>, row: Row): void {
    let entering: Array<Index<Row>> | undefined
    for (const index of this.#indexes) if (index.leave(cell, row)) (entering ??= []).push(index)
    cell.row = row
    if (entering !== undefined) for (const index of entering) index.enter(cell)
  }

  #remove(key: string): void {
    const cell = this.#cells.get(key)!
    this.#cells.delete(key)
    for (const index of this.#indexes) index.leave(cell, undefined)
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

/** A slice of rows, newest first. `from` tells how far a row is from the one of an id, less than zero when it is older. */
export const sliceOf = <Row>(
  rows: ReadonlyArray<Row>,
  { after, before, limit, offset }: PageRequest,
  from: (id: string) => (row: Row) => number
): ReadonlyArray<Row> => {
  if (after !== undefined) {
    const distance = from(after)
    return rows.filter((row) => distance(row) < 0).slice(offset, offset + limit)
  }
  if (before === undefined) return rows.slice(offset, offset + limit)
  const distance = from(before)
  const newer = rows.filter((row) => distance(row) > 0)
  const end = Math.max(0, newer.length - offset)
  return newer.slice(Math.max(0, end - limit), end)
}

/** The row with these fields as they are stored: itself when they are so already. */
export const withFixed = <Row extends object>(
  stored: Row,
  row: Row,
  fields: ReadonlyArray<keyof Row>
): Row => {
  if (fields.every((field) => row[field] === stored[field])) return row
  const changed = { ...row }
  for (const field of fields) changed[field] = stored[field]
  return changed
}
