import { Clock, Effect } from "effect"
import { sum, type Sum, keyOf } from "./Checksum.ts"
import { CopyRefused, type End, lastKey, page, type Row, type Table } from "./End.ts"

/** What a copy that is under way leaves in its target, and takes away when it has found it to be the same. */
const marker = "outdial_copy"

export interface Progress {
  /** How many rows there are to be copied. */
  readonly counted: (rows: number) => Effect.Effect<void>
  readonly copied: (table: string, rows: number) => Effect.Effect<void>
  /** Rows that were read again, of both stores. */
  readonly compared: (table: string, rows: number) => Effect.Effect<void>
}

export interface Compared {
  readonly table: string
  readonly from: Sum
  readonly to: Sum
  readonly identical: boolean
}

export interface Options {
  readonly tables: ReadonlyArray<Table>
  /** How many rows are read and written at a time. */
  readonly batch: number
  /** Goes on with a copy that was broken off, behind what is there. */
  readonly resume: boolean
  readonly progress: Progress
}

const isEmpty = (end: End, tables: ReadonlyArray<Table>) =>
  Effect.every(tables, ({ name }) =>
    Effect.map(end.rows(`select 1 from ${name} limit 1`, []), (rows) => rows.length === 0)
  )

/** Marks an empty target as the copy's own; anything else that has rows is left alone. */
const begin = Effect.fnUntraced(function* (to: End, { resume, tables }: Options) {
  if (yield* to.has(marker)) {
    if (resume) return
    return yield* new CopyRefused({
      message:
        "the target holds part of a copy that was broken off: go on with --resume, or begin again with an empty one"
    })
  }
  if (!(yield* isEmpty(to, tables))) {
    return yield* new CopyRefused({
      message: "the target is not empty, and nothing in it is overwritten: name one that no server has used"
    })
  }
  yield* to.run(`create table ${marker} (begun_at bigint not null)`)
  yield* to.run(`insert into ${marker} values (${yield* Clock.currentTimeMillis})`)
})

const copyTable = Effect.fnUntraced(function* (from: End, to: End, table: Table, options: Options) {
  const { batch, progress } = options
  let [after]: ReadonlyArray<Row> = yield* lastKey(to, table)
  for (;;) {
    const rows = yield* page(from, table, after, batch)
    if (rows.length > 0) {
      yield* Effect.catchTag(
        to.insert(table, rows),
        "StatementRefused",
        ({ code }) =>
          new CopyRefused({
            message: `a row of ${table.name} is none that the target's database takes (${code})`
          })
      )
    }
    yield* progress.copied(table.name, rows.length)
    if (rows.length < batch) return
    after = keyOf(table, rows.at(-1)!)
  }
})

/**
 * Copies all rows of one store to another that is empty, table by table in the order of their keys, some at a time,
 * and reads both again to compare them. A table of the target always holds the first rows of the source's: a copy
 * that was broken off goes on behind the last of them. The target counts as unfinished until it was found the same.
 */
export const copy = Effect.fn("Copy.copy")(function* (from: End, to: End, options: Options) {
  const { batch, progress, tables } = options
  if (yield* isEmpty(from, tables.slice(-1))) {
    return yield* new CopyRefused({ message: "the source has no workspaces: there is nothing to copy" })
  }
  yield* begin(to, options)
  const counts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(from.rows(`select count(*) from ${name}`, []), ([row]) => Number(row![0]))
  )
  yield* progress.counted(counts.reduce((total, rows) => total + rows, 0))
  for (const table of tables) yield* copyTable(from, to, table, options)
  yield* to.settle
  const compared: Array<Compared> = []
  for (const table of tables) {
    const read = (rows: number) => progress.compared(table.name, rows)
    const [source, target] = [yield* sum(from, table, batch, read), yield* sum(to, table, batch, read)]
    const identical = source.rows === target.rows && source.checksum === target.checksum
    compared.push({ table: table.name, from: source, to: target, identical })
  }
  if (compared.every(({ identical }) => identical)) yield* to.run(`drop table ${marker}`)
  return compared
})
