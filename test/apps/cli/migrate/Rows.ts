import BetterSqlite from "better-sqlite3"

interface Column {
  readonly name: string
  readonly type: string
  readonly notnull: 0 | 1
  readonly pk: number
}

/** Texts that a careless copy would change. */
const texts = [
  "",
  "NULL",
  "null",
  "\\N",
  '{"a",NULL}',
  'O\'Hara \\ "quoted"',
  "line\nbreak\r\n\ttab",
  "\u0001\u007f\u0085\ufeff",
  "Zoë, Москва, 東京, 👩‍👩‍👧, e\u0301",
  '{"order": 1.0, "big": 12345678901234567890, "big": 1e400}',
  " padded ",
  "1234"
]
const long = "x".repeat(20_000)

const most = 2n ** 63n - 1n
const integers = [0n, 1n, -1n, most, -most - 1n, 2n ** 53n + 1n, 1_700_000_000_123n]
const reals = [0, 0.1, 1 / 3, 1e300, 5e-324, 2 ** 53, 12]

/**
 * A value for the n-th row. Those of columns that may be empty are now and then; the others of one column are all
 * different and, as integers, never negative, since the layout may ask for either.
 */
const valueOf = ({ name, notnull, pk, type }: Column, n: number, salt: number) => {
  const choice = n + salt
  if (notnull === 0 && pk === 0 && choice % 3 === 0) return null
  const strict = notnull === 1 || pk > 0
  switch (type.toLowerCase()) {
    case "text":
      if (choice % 211 === 0) return `${name}_${n}_${long}`
      return strict ? `${name}_${n}_${texts[choice % texts.length]}` : texts[choice % texts.length]!
    case "integer":
    case "bigint":
      if (!strict) return integers[choice % integers.length]!
      return choice % 2 === 0 ? BigInt(n) : most - 1_000_000n + BigInt(n)
    case "double precision":
      return reals[choice % reals.length]!
    default:
      throw new Error(`no value of type ${type} is known: say what one looks like`)
  }
}

/** Puts so many rows into every table of a file, whatever tables and columns its layout has. */
export const fill = (filename: string, rows: number): void => {
  const db = new BetterSqlite(filename)
  db.defaultSafeIntegers(true)
  db.pragma("synchronous = off")
  const tables = db
    .prepare("select name from sqlite_schema where type = 'table' and name <> 'outdial_migrations'")
    .pluck()
    .all()
    .map(String)
  db.transaction(() => {
    for (const table of tables) {
      const columns = db
        .prepare(`select name, type, "notnull" + 0.0 as "notnull", pk + 0.0 as pk from pragma_table_info(?)`)
        .all(table) as ReadonlyArray<Column>
      const names = columns.map(({ name }) => name)
      const insert = db.prepare(
        `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`
      )
      for (let n = 0; n < rows; n++) insert.run(...columns.map((column, salt) => valueOf(column, n, salt)))
    }
  })()
  db.close()
}
