import { Array as Arr, Effect, Option } from "effect"
import type { Page, PageRequest } from "../../core/model/Page.ts"
import { type IdPrefix, idsFrom } from "../../core/ports/Ids.ts"
import type { Database, Param } from "./Database.ts"
import type { KeptTotals } from "./KeptTotals.ts"
import { type ValuesMaker, valuesMaker } from "./RowMaker.ts"
import type { Changing } from "./StepCounts.ts"

/** `insert into table (a, b) values (?, ?)` */
export const insertInto = (table: string, columns: ReadonlyArray<string>): string =>
  `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`

/** `a = ?, b = ?` */
export const assign = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${column} = ?`).join(", ")

/** Made once for each of the lists of columns, which are constants. */
const makers = new Map<ReadonlyArray<string>, ValuesMaker>()

const makerOf = (columns: ReadonlyArray<string>): ValuesMaker => {
  const known = makers.get(columns)
  if (known !== undefined) return known
  const made = valuesMaker(columns)
  makers.set(columns, made)
  return made
}

/** The fields of an entity whose columns hold them as they are, in the order of `columns`, which has to be a constant. */
export const pick = <Column extends string>(
  entity: { readonly [key in Column]: Param },
  columns: ReadonlyArray<Column>
): Array<Param> => makerOf(columns)(entity) as Array<Param>

/** The columns of a row, by name and in order, with whatever else it carries left out. */
export const prefixed = (prefix: string, columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${prefix}.${column}`).join(", ")

/** The texts of a list. Their parameters are those of its condition, then those of the place, if any, then the slice. */
export interface ListTexts {
  /** How many there are, but not more than `near` and one. */
  readonly near: string
  readonly count: string
  readonly rows: string
  /** From behind a record on, and before one. */
  readonly after: string
  readonly before: string
  /** The parameters of a place, which a record's id names. `first` is the first parameter of the condition. */
  readonly place: (side: "after" | "before", id: string, first: Param) => ReadonlyArray<Param>
  /** Where any of several values is looked for: each is found in the index's order, and they are merged. */
  readonly anyOf?: ReadonlyArray<Param> | undefined
  /** The range of times that is asked for: parameters that follow those of the condition. */
  readonly within: ReadonlyArray<Param>
  /** How so many rows are counted that it is done step by step; none of a list that has few. */
  readonly steps?: StepTexts | undefined
  /** No index finds the rows of the condition alone: all of the list are read, while other requests are answered. */
  readonly scans: boolean
}

/** A place in a list's order, oldest first: the values of the columns that it is ordered by. */
export type Place = ReadonlyArray<string | number>

/**
 * The parameters of both texts are those of the condition, and two places. Where rows are told apart by a column,
 * `between` counts those of one value, its parameter behind those of the condition.
 */
export interface StepTexts {
  /** The condition, as far as it says nothing of times. */
  readonly where: string
  /** Counts what lies behind a place, up to another one, inclusive. */
  readonly between: string
  /** Where so many rows, and one, end behind a place, if that is not behind another one. */
  readonly end: string
  /** That a row lies between two places. */
  readonly inside: string
  readonly first: Place
  readonly last: Place
  /** Before all rows of that time. */
  readonly at: (millis: number) => Place
  /** The range of times that is asked for. */
  readonly from: Place
  readonly until: Place
}

/** Rows that are counted, or skipped, where others wait for it: less than a millisecond's work. */
export const near = 2_000

const columnsOf = (order: string): ReadonlyArray<string> =>
  order.split(", ").map((column) => column.replace(/ desc$/, ""))

/**
 * The texts that list a table newest first. The keys of a page are found in an index, its rows after, by their
 * key: the rows that are skipped are not read. `key` is the primary one, unless told that of `customer_id` and
 * `id`, and its last column is what an id names; `join` adds other tables to the rows. Where `order` has a column before
 * that one, the record of an id tells its place. `found` is where keys are looked for, if not in the table itself;
 * `anyOf` is a column of which any of several values will do; `repeats` says that a key may be found by more than one.
 * `scans` says that no index finds the rows of the condition alone.
 */
export const pageOf = (options: {
  readonly table: string
  readonly key?: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly where: string
  readonly order: string
  readonly join?: string
  readonly found?: string
  /** The first and the first later value of the leading column of the order that are listed. */
  readonly since?: string | number | undefined
  readonly until?: string | number | undefined
  /** Where a list is ordered by its ids alone, and may have very many rows: what they begin with. */
  readonly prefix?: IdPrefix
  readonly scans?: boolean
  readonly anyOf?:
    | { readonly column: string; readonly values: ReadonlyArray<Param>; readonly repeats?: boolean }
    | undefined
}): ListTexts => {
  const {
    anyOf,
    columns,
    join = "",
    key = ["customer_id", "id"],
    order,
    scans = false,
    since,
    table,
    until,
    where
  } = options
  const found = options.found ?? table
  const keys = key.join(", ")
  const by = columnsOf(order)
  /** Joined to nothing, a time serves no index: of two bounds of one side, a store may take the wider one. */
  const joined = by[0] === "created_at" ? `${by[0]} + 0` : `${by[0]} || ''`
  const rangeOf = (lower: string, upper: string) =>
    `${since === undefined ? "" : ` and ${lower} >= ?`}${until === undefined ? "" : ` and ${upper} < ?`}`
  const range = rangeOf(by[0]!, by[0]!)
  const union = anyOf?.repeats === true ? " union " : " union all "
  const slice = (more: string, by: string): string => {
    if (anyOf === undefined) {
      return `select ${keys} from ${found} where ${where}${more} order by ${by} limit ? offset ?`
    }
    const sorted = [...new Set([...key, ...order.replaceAll(" desc", "").split(", ")])].join(", ")
    const one = `select ${sorted} from ${found} where ${where} and ${anyOf.column} = ?${more} order by ${by} limit ?`
    const all = anyOf.values.map((_, i) => `select ${sorted} from (${one}) as one_${i}`).join(union)
    return `select ${keys} from (${all}) as merged order by ${by} limit ? offset ?`
  }
  const rows = (more: string, by: string) =>
    `select ${columns.join(", ")} from ${table} ${join} where (${prefixed(table, key)}) in ` +
    `(${slice(more, by)}) order by ${order}`
  const own = key.map((column) => `${column} = ?`).join(" and ")
  const isLone = by.length === 1
  /** Behind a place, or before it, as far as the range of times reaches there. */
  const than = (side: "after" | "before") => {
    const sign = side === "after" ? "<" : ">"
    const bound = side === "after" ? until : since
    if (isLone) return ` and ${by[0]} ${sign} ?`
    const time =
      bound === undefined
        ? by[0]
        : `case when ${by[0]} ${side === "after" ? "<" : ">="} ? then ${by[0]} else ? end`
    return ` and (${by.join(", ")}) ${sign} ((select ${time} from ${table} where ${own}), ?)`
  }
  const placeOf = (side: "after" | "before", id: string, first: Param): ReadonlyArray<Param> => {
    const bound = side === "after" ? until : since
    if (isLone) {
      const isIn = bound === undefined || (side === "after" ? id < bound : id > bound)
      return [isIn ? id : bound]
    }
    const limits = bound === undefined ? [] : [bound, side === "after" ? bound : Number(bound) - 1]
    return [...limits, first, id, id]
  }
  const condition = `${where}${anyOf === undefined ? "" : ` and ${anyOf.column} = ?`}${range}`
  const each = (limited: string) =>
    (anyOf?.values ?? [null])
      .map(
        (_, i) =>
          `select ${keys} from (select ${keys} from ${found} where ${condition}${limited}) as one_${i}`
      )
      .join(union)
  return {
    near: `select count(*) as total from (${each(` order by ${order} limit ${near + 1}`)}) as near`,
    count: `select count(*) as total from (${each("")}) as merged`,
    rows: rows(range, order),
    after: rows(rangeOf(by[0]!, joined) + than("after"), order),
    before: rows(rangeOf(joined, by[0]!) + than("before"), by.join(", ")),
    place: placeOf,
    anyOf: anyOf?.values,
    within: [since, until].filter((value) => value !== undefined),
    steps: scans || anyOf !== undefined ? undefined : stepsOf({ ...options, found }),
    scans
  }
}

/** How rows are counted step by step, where their order is that of time. `apart` is a column that tells them apart. */
export const stepsOf = ({
  apart,
  found,
  order,
  prefix,
  since,
  until,
  where
}: {
  readonly found: string
  readonly where: string
  readonly order: string
  readonly prefix?: IdPrefix
  readonly since?: string | number | undefined
  readonly until?: string | number | undefined
  readonly apart?: string
}): StepTexts | undefined => {
  const by = columnsOf(order)
  if (by[0] !== "created_at" && prefix === undefined) return undefined
  const isLone = by.length === 1
  const columns = isLone ? by[0]! : `(${by.join(", ")})`
  const place = isLone ? "?" : `(${by.map(() => "?").join(", ")})`
  const inside = `${columns} > ${place} and ${columns} <= ${place}`
  const from = `from ${found} where ${where}`
  const before = (value: string | number): Place => [value, ...by.slice(1).map(() => "")]
  const first = before(prefix === undefined ? -1 : "")
  const last = before(prefix === undefined ? Number.MAX_SAFE_INTEGER : "~")
  return {
    where,
    between: `select count(*) as total ${from}${apart === undefined ? "" : ` and ${apart} = ?`} and ${inside}`,
    end: `select ${by.join(", ")} ${from} and ${inside} order by ${by.join(", ")} limit 1 offset ?`,
    inside,
    first,
    last,
    at: (millis) => before(prefix === undefined ? millis : idsFrom(prefix, millis)),
    from: since === undefined ? first : before(since),
    until: until === undefined ? last : before(until)
  }
}

/** Reads rows of one shape as entities. The first parameter of every text is the workspace; `params` come after it. */
export const reader = <Row extends object, A>(
  database: Database["Type"],
  fromRow: (row: Row) => A,
  counting?: Counting
) => {
  const every = (rows: ReadonlyArray<Row>): ReadonlyArray<A> => rows.map(fromRow)
  const one = first(fromRow)
  const all = (
    workspace_id: string,
    sql: string,
    ...params: ReadonlyArray<Param>
  ): Effect.Effect<ReadonlyArray<A>> => database.read(workspace_id, sql, [workspace_id, ...params], every)
  return {
    all,
    /** The first of the rows. */
    one: (workspace_id: string, sql: string, ...params: ReadonlyArray<Param>) =>
      database.read(workspace_id, sql, [workspace_id, ...params], one),
    /** A page of a list, by the texts of `pageOf`. */
    page: (workspace_id: string, texts: ListTexts, page: PageRequest, ...params: ReadonlyArray<Param>) =>
      readPage(database, workspace_id, texts, [workspace_id, ...params], page, fromRow, counting)
  }
}

const together = 100

/** `(?, …)`: the values that one text looks for. */
export const placeholders = `(${Array.from({ length: together }, () => "?").join(", ")})`

/** The rows of a text that ends its parameters with `placeholders`, for values of any number. */
export const sought = <Row extends object>(
  database: Database["Type"],
  workspace_id: string,
  sql: string,
  values: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Row>> =>
  Effect.map(
    Effect.forEach(Arr.chunksOf(values, together), (slice) =>
      // The text has room for a full slice: the last value fills it.
      database.all<Row>(workspace_id, sql, [
        workspace_id,
        ...Array.from({ length: together }, (_, n) => slice[n] ?? slice.at(-1)!)
      ])
    ),
    Arr.flatten
  )

/** Rows of one statement: few texts serve any number, each is prepared once, and SQLite takes longer over more rows. */
const sizes = [10, 1]

/** Inserts rows, many with one statement, and answers how many were inserted. `more` stands behind the values. */
export const insertRows = (table: string, columns: ReadonlyArray<string>, more = "") => {
  const [head, row] = insertInto(table, columns).split(" values ") as [string, string]
  const texts = sizes.map(
    (size) => `${head} values ${Array.from({ length: size }, () => row).join(", ")}${more}`
  )
  const many = Effect.fnUntraced(function* (
    database: Database["Type"],
    workspace_id: string,
    rows: ReadonlyArray<ReadonlyArray<Param>>,
    counted: boolean
  ) {
    let inserted = 0
    for (let at = 0; at < rows.length;) {
      const which = sizes.findIndex((size) => size <= rows.length - at)
      const size = sizes[which]!
      // `flat` takes a fifth of the time that the statement takes.
      const params: Array<Param> = []
      for (let n = at; n < at + size; n++) for (const value of rows[n]!) params.push(value)
      inserted += yield* database.run(workspace_id, texts[which]!, params, counted)
      at += size
    }
    return inserted
  })
  return (
    database: Database["Type"],
    workspace_id: string,
    rows: ReadonlyArray<ReadonlyArray<Param>>,
    counted = true
  ): Effect.Effect<number> =>
    rows.length === 1
      ? database.run(workspace_id, texts.at(-1)!, rows[0]!, counted)
      : many(database, workspace_id, rows, counted)
}

/** Reads one column of the first row. */
export const column = <Value extends Param>(database: Database["Type"], name: string) =>
  reader(database, (row: Readonly<Record<string, Value>>) => row[name]!).one

/** Runs the texts of a list, with the parameters of its condition. */
export const readPage = <Row extends object, A>(
  database: Database["Type"],
  workspace_id: string,
  texts: ListTexts,
  params: ReadonlyArray<Param>,
  page: PageRequest,
  fromRow: (row: Row) => A,
  counting?: Counting
): Effect.Effect<Page<A>> =>
  Effect.zipWith(
    readTotal(database, workspace_id, texts, params, counting),
    readSlice<Row>(database, workspace_id, texts, params, page),
    (total, rows) => ({ data: rows.map(fromRow), total })
  )

/** How a list of very many rows is counted. */
export interface Counting extends Changing {
  readonly totals: KeptTotals
  /** The parameters of the steps' condition, where they are not those of the list's. */
  readonly params?: ReadonlyArray<Param> | undefined
}

/** How many rows a list has. Many are counted where no other request waits for it. */
export const readTotal = Effect.fnUntraced(function* (
  database: Database["Type"],
  workspace_id: string,
  texts: ListTexts,
  params: ReadonlyArray<Param>,
  counting?: Counting
) {
  const each = texts.anyOf?.map((value) => [...params, value]) ?? [params]
  const asked = each.flatMap((given) => [...given, ...texts.within])
  if (!texts.scans) {
    const [few] = yield* database.all<{ readonly total: number }>(workspace_id, texts.near, asked)
    if (few!.total <= near) return few!.total
  }
  const { steps } = texts
  if (counting !== undefined && steps !== undefined) {
    return yield* counting.totals(workspace_id, steps, counting.params ?? params, counting)
  }
  const [all] = yield* database.aside<{ readonly total: number }>(workspace_id, texts.count, asked)
  return all!.total
})

/** The rows of a slice. */
export const readSlice = <Row extends object>(
  database: Database["Type"],
  workspace_id: string,
  texts: ListTexts,
  params: ReadonlyArray<Param>,
  { after, before, limit, offset }: PageRequest
): Effect.Effect<ReadonlyArray<Row>> => {
  const read = texts.scans || offset > near ? database.aside : database.all
  const id = after ?? before
  const side = after === undefined ? "before" : "after"
  const place = [...texts.within, ...(id === undefined ? [] : texts.place(side, id, params[0] ?? null))]
  const text = id === undefined ? texts.rows : texts[side]
  const found = texts.anyOf?.flatMap((value) => [...params, value, ...place, limit + offset])
  return read<Row>(workspace_id, text, [...(found ?? [...params, ...place]), limit, offset])
}

/** Whether a statement changed its row. */
export const changes = (
  database: Database["Type"],
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<boolean> => Effect.map(database.run(workspace_id, sql, params), (changed) => changed === 1)

/** The condition of a list: what holds for all of it, and what its filter gives, with the parameters of the latter. */
export const filtered = <Name extends string>(
  always: ReadonlyArray<string>,
  conditions: Readonly<Record<Name, string>>,
  filter: { readonly [name in Name]?: Param | undefined }
) => {
  const given = (Object.keys(conditions) as Array<Name>).filter((name) => filter[name] !== undefined)
  return {
    where: [...always, ...given.map((name) => conditions[name])].join(" and "),
    params: given.map((name) => filter[name]!)
  }
}

/** A write whose number of changed rows is not asked for. */
export const write = (
  database: Database["Type"],
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<void> => Effect.asVoid(database.run(workspace_id, sql, params, false))

/** The same of one statement for each of many rows. */
export const writeEach = (
  database: Database["Type"],
  workspace_id: string,
  sql: string,
  rows: ReadonlyArray<ReadonlyArray<Param>>
): Effect.Effect<void> =>
  rows.length === 0 ? Effect.void : Effect.asVoid(database.runEach(workspace_id, sql, rows, false))

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
