import { Effect, Option } from "effect"
import type { Page, PageRequest } from "../../core/model/Page.ts"
import type { Database, Param } from "./Database.ts"

/** `insert into table (a, b) values (?, ?)` */
export const insertInto = (table: string, columns: ReadonlyArray<string>): string =>
  `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`

/** `a = ?, b = ?` */
export const assign = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${column} = ?`).join(", ")

/** The fields of an entity whose columns hold them as they are, in the order of `columns`. */
export const pick = <Column extends string>(
  entity: { readonly [key in Column]: Param },
  columns: ReadonlyArray<Column>
): Array<Param> => columns.map((column) => entity[column])

/** The columns of a row, by name and in order, with whatever else it carries left out. */
export const prefixed = (prefix: string, columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${prefix}.${column}`).join(", ")

/**
 * The texts that list a table newest first. The keys of a page are found in an index, its rows after, by their
 * key: the rows that are skipped are not read. `key` is the primary one, unless told that of `customer_id` and
 * `id`; `join` adds other tables to the rows.
 */
export const pageOf = (options: {
  readonly table: string
  readonly key?: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly where: string
  readonly order: string
  readonly join?: string
}): { readonly count: string; readonly rows: string } => {
  const { columns, join = "", key = ["customer_id", "id"], order, table, where } = options
  return {
    count: `select count(*) as total from ${table} where ${where}`,
    rows:
      `select ${columns.join(", ")} from ${table} ${join} where (${prefixed(table, key)}) in ` +
      `(select ${key.join(", ")} from ${table} where ${where} order by ${order} limit ? offset ?) ` +
      `order by ${order}`
  }
}

/** Runs the texts of a list, with the parameters of its condition. */
export const readPage = <Row extends object, A>(
  database: Database["Type"],
  workspace_id: string,
  texts: { readonly count: string; readonly rows: string },
  params: ReadonlyArray<Param>,
  page: PageRequest,
  fromRow: (row: Row) => A
): Effect.Effect<Page<A>> =>
  Effect.zipWith(
    database.all<{ readonly total: number }>(workspace_id, texts.count, params),
    database.all<Row>(workspace_id, texts.rows, [...params, page.limit, page.offset]),
    ([counted], rows) => ({ data: rows.map(fromRow), total: counted!.total })
  )

/** A write whose number of changed rows is not asked for. */
export const write = (
  database: Database["Type"],
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<void> => Effect.asVoid(database.run(workspace_id, sql, params, false))

/** The first row's entity. */
export const first =
  <Row, A>(fromRow: (row: Row) => A) =>
  (rows: ReadonlyArray<Row>): Option.Option<A> =>
    rows.length === 0 ? Option.none() : Option.some(fromRow(rows[0]!))

/** A row that is the entity already. */
export const asIs = <A>(row: A): A => row

/** The workspaces that rows are of. */
export const ownersOf = (rows: ReadonlyArray<{ readonly customer_id: string }>): ReadonlyArray<string> => [
  ...new Set(rows.map(({ customer_id }) => customer_id))
]
