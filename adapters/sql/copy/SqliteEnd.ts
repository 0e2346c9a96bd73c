import { layer as reactivity } from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { SqlClient } from "@effect/sql/SqlClient"
import BetterSqlite from "better-sqlite3"
import { Array, Effect } from "effect"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { migrate } from "../Migrations.ts"
import { CopyRefused, type End, type Row, type Table } from "./End.ts"

const attempt = <A>(work: () => A) =>
  Effect.try({ try: work, catch: (cause) => new StoreUnavailable({ cause }) })

/** What has the store's own number of its layout. Each store keeps its own. */
const migrations = "outdial_migrations"

const columns = `select m.name as name, c.name as column, c.pk as place
  from sqlite_schema m, pragma_table_info(m.name) c
  where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\' and m.name <> '${migrations}'
  order by m.name, c.cid`

interface Column {
  readonly name: string
  readonly column: string
  readonly place: number
}

/** Workspaces come last: until all that they own is there, no process finds one to work for. */
const last = "workspaces"

/** All tables of the newest layout: those that its migrations make in a database that is made for this. */
export const layout: Effect.Effect<ReadonlyArray<Table>, StoreUnavailable> = Effect.gen(function* () {
  const client = yield* SqliteClient.make({ filename: ":memory:" })
  yield* Effect.provideService(migrate, SqlClient, client)
  const found = Array.groupBy(yield* client.unsafe<Column>(columns), ({ name }) => name)
  const tables = Object.entries(found).map(([name, listed]): Table => ({
    name,
    columns: listed.map(({ column }) => column),
    key: listed
      .filter(({ place }) => place > 0)
      .toSorted((left, right) => left.place - right.place)
      .map(({ column }) => column)
  }))
  return [...tables.filter(({ name }) => name !== last), ...tables.filter(({ name }) => name === last)]
}).pipe(
  Effect.scoped,
  Effect.provide(reactivity),
  Effect.mapError((cause) => new StoreUnavailable({ cause }))
)

const isBusy = (error: StoreUnavailable) =>
  String((error.cause as { readonly code?: unknown } | undefined)?.code).startsWith("SQLITE_BUSY")

/**
 * A SQLite file that this process alone has open. In this locking mode the first read takes the whole file, which
 * fails while another process has it open, and keeps others out until the scope ends.
 */
export const open = Effect.fnUntraced(function* (filename: string, writable: boolean) {
  const db = yield* Effect.acquireRelease(
    attempt(() => new BetterSqlite(filename, { fileMustExist: true, timeout: 1_000 })),
    (opened) => Effect.sync(() => opened.close())
  )
  yield* attempt(() => {
    db.defaultSafeIntegers(true)
    db.pragma("locking_mode = exclusive")
    db.pragma("synchronous = full")
    db.prepare("select count(*) from sqlite_schema").get()
    if (!writable) db.pragma("query_only = on")
  }).pipe(
    Effect.catchIf(
      isBusy,
      () =>
        new CopyRefused({
          message: `another process has ${filename} open: stop the server before, and try again`
        })
    )
  )

  const prepared = new Map<string, BetterSqlite.Statement<Array<unknown>, Row>>()
  const prepare = (sql: string) => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = db.prepare<Array<unknown>, Row>(sql)
      prepared.set(sql, statement)
    }
    return statement
  }

  const insert = ({ columns, name }: Table, rows: ReadonlyArray<Row>) => {
    const places = columns.map(() => "?").join(", ")
    const statement = prepare(`insert into ${name} (${columns.join(", ")}) values (${places})`)
    db.transaction(() => {
      for (const row of rows) statement.run(...row)
    })()
  }

  const has = (table: string) =>
    db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined

  return {
    rows: (sql, params) =>
      attempt(() =>
        db
          .prepare<Array<unknown>, Row>(sql)
          .raw()
          .all(...params)
      ),
    run: (sql) => attempt(() => void db.exec(sql)),
    insert: (table, rows) => attempt(() => insert(table, rows)),
    has: (table) => attempt(() => has(table)),
    settle: Effect.void
  } satisfies End
})
