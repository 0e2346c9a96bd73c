import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import type { Attempt } from "../../../../core/model/calls/Attempt.ts"
import type { Call } from "../../../../core/model/calls/Call.ts"
import type { CampaignState } from "../../../../core/model/campaigns/Campaign.ts"
import type { Recording } from "../../../../core/model/recordings/Recording.ts"
import type { Suite } from "../../../../core/model/suites/Suite.ts"
import { temporaryFile } from "../TemporaryFile.ts"

const here = fileURLToPath(new URL(".", import.meta.url))

/** The versions whose layout is kept in a file, in order. */
export const versions: ReadonlyArray<number> = readdirSync(here)
  .filter((name) => name.endsWith(".sql"))
  .map((name) => Number.parseInt(name, 10))
  .toSorted((a, b) => a - b)

interface Item {
  readonly name: string
  readonly type: string
  readonly sql: string
}

const columnsOf = (database: Sqlite.Database, table: string) =>
  database
    .prepare<[], unknown>(
      `select name, type, "notnull", dflt_value, pk from pragma_table_info('${table}') order by name`
    )
    .all()

/** A database file of a version's layout, with rows. */
export const fileOf = (version: number) =>
  Effect.tap(temporaryFile, (filename) =>
    Effect.sync(() => {
      const database = new Sqlite(filename)
      database.exec(readFileSync(`${here}${String(version).padStart(4, "0")}.sql`, "utf8"))
      database.close()
    })
  )

/** The tables of a database file with their columns, and its indexes, in the order of their names. */
export const layoutOf = (filename: string) =>
  Effect.sync(() => {
    const database = new Sqlite(filename, { readonly: true })
    const items = database
      .prepare<[], Item>("select name, type, sql from sqlite_master where sql is not null order by name")
      .all()
    const layout = items.map(({ name, sql, type }) => ({
      name,
      // Columns that came later stand at the end.
      is: type === "table" ? columnsOf(database, name) : sql.replaceAll(/\s+/g, " ").toLowerCase()
    }))
    database.close()
    return layout
  })

/** The records of these rows, with the fields that there were. */
export const records = JSON.parse(readFileSync(`${here}records.json`, "utf8")) as {
  readonly calls: ReadonlyArray<Call>
  readonly attempts: ReadonlyArray<Attempt>
  readonly campaign: CampaignState
  readonly suite: Suite
  readonly recording: Recording
}

/** What a record has of another's fields; a field that came later is left out. */
export const fieldsOf = (actual: unknown, kept: unknown): unknown =>
  typeof kept !== "object" || kept === null || typeof actual !== "object" || actual === null
    ? actual
    : Array.isArray(actual) && Array.isArray(kept)
      ? actual.map((each, i) => fieldsOf(each, kept[i]))
      : Object.fromEntries(
          Object.entries(kept).map(([name, value]) => [
            name,
            fieldsOf((actual as Record<string, unknown>)[name], value)
          ])
        )
