import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { type End, page, type Row, type Table, type Value } from "./End.ts"

/** A value with its type and, for a text, its length: no two values and no two rows read the same. */
const written = (value: Value): string => {
  if (value === null) return "n;"
  if (typeof value === "bigint") return `i${value};`
  if (typeof value === "number") return `r${Object.is(value, -0) ? "-0" : value};`
  return `t${value.length}:${value};`
}

export interface Sum {
  readonly rows: number
  /** SHA-256 of the rows in the order of their key, in hexadecimal digits. */
  readonly checksum: string
}

/** The key of the row that ends a page. */
export const keyOf = ({ columns, key }: Table, row: Row): Row =>
  key.map((column) => row[columns.indexOf(column)]!)

/** Reads all rows of a table, some at a time, and sums them up. */
export const sum = Effect.fnUntraced(function* (
  end: End,
  table: Table,
  batch: number,
  read: (rows: number) => Effect.Effect<void>
): Effect.fn.Return<Sum, StoreUnavailable> {
  const hash = createHash("sha256")
  let rows = 0
  let after: Row | undefined
  for (;;) {
    const found = yield* page(end, table, after, batch)
    for (const row of found) hash.update(`${row.map(written).join("")}\n`)
    rows += found.length
    yield* read(found.length)
    if (found.length < batch) return { rows, checksum: hash.digest("hex") }
    after = keyOf(table, found.at(-1)!)
  }
})
