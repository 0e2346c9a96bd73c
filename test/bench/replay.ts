import { readFileSync } from "node:fs"
import { deserialize } from "node:v8"
import Database from "better-sqlite3"
import type { Runs } from "./Statements.ts"

// Runs the statements of a file, its second argument, on the database that its first names, and prints the seconds.

const [filename, path] = process.argv.slice(2)
const { of, params, texts } = deserialize(readFileSync(path!)) as Runs
const database = new Database(filename)
database.pragma("journal_mode = WAL")
database.pragma("synchronous = FULL")
// As the store sets its own connection: statements alone are compared.
database.pragma("temp_store = memory")
database.pragma("cache_size = -6144")
database.pragma("wal_autocheckpoint = 4000")
const prepared = texts.map((sql) => database.prepare<Array<unknown>>(sql))
const start = performance.now()
for (const [i, place] of of.entries()) {
  const statement = prepared[place]!
  if (statement.reader) statement.all(...params[i]!)
  else statement.run(...params[i]!)
}
const seconds = (performance.now() - start) / 1_000
database.close()
process.stdout.write(String(seconds))
