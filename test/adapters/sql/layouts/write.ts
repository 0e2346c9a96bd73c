/** Writes out the newest layout, with the rows of the one before it: `npx tsx test/adapters/sql/layouts/write.ts`. */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import Sqlite from "better-sqlite3"
import { Effect, Layer } from "effect"
import { newest } from "../../../../adapters/sql/Migrations.ts"
import { onFile } from "../TemporaryFile.ts"
import { fileOf } from "./Layouts.ts"

type Value = string | number | null

const literal = (value: Value) =>
  typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)

const insertOf = (table: string, row: Readonly<Record<string, Value>>) =>
  `insert into ${table} (${Object.keys(row).join(", ")})\n  values (${Object.values(row).map(literal).join(", ")});`

const write = Effect.gen(function* () {
  const file = yield* fileOf(newest - 1)
  yield* Layer.build(onFile(file))
  const database = new Sqlite(file, { readonly: true })
  const items = database
    .prepare<[], { readonly name: string; readonly type: string; readonly sql: string }>(
      "select name, type, sql from sqlite_master where sql is not null order by rowid"
    )
    .all()
  const rows = items.flatMap(({ name, type }) =>
    type === "table"
      ? database
          .prepare<[], Record<string, Value>>(`select * from ${name}`)
          .all()
          .map((row) => insertOf(name, row))
      : []
  )
  const head = `-- The layout of version ${newest}, with rows. Written out once: it does not change with the code.`
  const name = `${String(newest).padStart(4, "0")}.sql`
  const text = [head, ...items.map(({ sql }) => `${sql};`), ...rows].join("\n")
  writeFileSync(fileURLToPath(new URL(name, import.meta.url)), `${text}\n`)
})

await Effect.runPromise(Effect.scoped(write))
