import { Data, type Effect } from "effect"
import type { StoreUnavailable } from "../../../core/ports/Repository.ts"
import type { StatementRefused } from "../postgres/Faults.ts"

/** Integers are bigints, so that none is rounded. */
export type Value = string | bigint | number | null
export type Row = ReadonlyArray<Value>

/** A table of the layout, as a database that was just laid out lists it. */
export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  /** The columns of the primary key, in its order. */
  readonly key: ReadonlyArray<string>
}

/** A store cannot be copied from or to, for a reason that its owner can mend. */
export class CopyRefused extends Data.TaggedError("CopyRefused")<{ readonly message: string }> {}

/** A database that rows are copied from or to. No other process writes to it while it is open. */
export interface End {
  /** The rows of a query. Parameters are `?`, keys are compared byte by byte. */
  readonly rows: (sql: string, params: Row) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>
  readonly run: (sql: string) => Effect.Effect<void, StoreUnavailable>
  /** Adds rows, all or none; they are on disk then. */
  readonly insert: (
    table: Table,
    rows: ReadonlyArray<Row>
  ) => Effect.Effect<void, StoreUnavailable | StatementRefused>
  readonly has: (table: string) => Effect.Effect<boolean, StoreUnavailable>
  /** To be run once all rows are there. */
  readonly settle: Effect.Effect<void, StoreUnavailable>
}

/** The first page of a table's rows in the order of its key, or the one after a row whose key is given. */
export const page = (end: End, { columns, key, name }: Table, after: Row | undefined, limit: number) => {
  const keys = key.join(", ")
  const where = after === undefined ? "" : `where (${keys}) > (${key.map(() => "?").join(", ")})`
  return end.rows(
    `select ${columns.join(", ")} from ${name} ${where} order by ${keys} limit ${limit}`,
    after ?? []
  )
}

/** The key of the last row that a table has. */
export const lastKey = (end: End, { key, name }: Table) =>
  end.rows(
    `select ${key.join(", ")} from ${name} order by ${key.map((column) => `${column} desc`).join(", ")} limit 1`,
    []
  )
