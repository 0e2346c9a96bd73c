import { Effect } from "effect"
import BTrees from "sorted-btree"
import { byText, SortedSet } from "../../adapters/memory/SortedSet.ts"
import * as Report from "./Report.ts"

const rows = 200_000
const offset = 100_000
const limit = 100
const rounds = 7

interface Row {
  readonly id: string
}

const compare = (left: Row, right: Row) => byText(left.id, right.id)

const own = () => {
  const set = new SortedSet<Row>(compare)
  return { add: (row: Row) => set.add(row), newest: (skip: number) => set.descending(skip) }
}

const tree = () => {
  const set = new BTrees.default<Row, undefined>(undefined, compare)
  const newest = function* (skip: number) {
    let at = 0
    for (const [row] of set.entriesReversed()) if (at++ >= skip) yield row
  }
  return { add: (row: Row) => void set.set(row, undefined), newest }
}

/** Microseconds of one row's adding, in order, and of one page. */
const measured = (make: typeof own | typeof tree) => {
  const set = make()
  const began = performance.now()
  for (let n = 0; n < rows; n++) set.add({ id: `call_${String(n).padStart(8, "0")}` })
  const added = performance.now()
  let taken = 0
  for (const _ of set.newest(offset)) if (++taken === limit) break
  return { add: ((added - began) * 1e3) / rows, page: (performance.now() - added) * 1e3 }
}

/** The sorted set of the store in memory beside sorted-btree. */
export const run = Effect.sync(() => {
  Report.heading(
    `${rows} rows in order, and a page of ${limit} at offset ${offset}: the sorted set beside sorted-btree`
  )
  const pairs = Array.from({ length: rounds }, () => ({ own: measured(own), tree: measured(tree) }))
  for (const what of ["add", "page"] as const) {
    const a = Report.median(pairs.map((pair) => pair.own[what]))
    const b = Report.median(pairs.map((pair) => pair.tree[what]))
    const name = what === "add" ? "a row" : "a page"
    Report.line(name, `${Report.micros(a)}, ${Report.micros(b)}`)
    Report.line(`  ${name}: sorted-btree's as a multiple`, Report.ratio(b / a))
  }
})
