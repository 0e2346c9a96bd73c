import { statSync } from "node:fs"
import { join } from "node:path"
import BetterSqlite from "better-sqlite3"
import { Effect, Layer, Redacted } from "effect"
import { type Compared, copy } from "../../adapters/sql/copy/Copy.ts"
import { layout } from "../../adapters/sql/copy/SqliteEnd.ts"
import * as Ends from "../../apps/cli/migrate/Ends.ts"
import { binaries, freshDatabase, makeServer } from "../adapters/sql/PostgresServer.ts"
import { onFile } from "../adapters/sql/TemporaryFile.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const wanted = 1_000_000
/** Calls that are made by the use cases; the others are their copies. */
const made = 200

/**
 * A million rows as a customer has them: calls, each with its attempts, events, deliveries and ledger entries, some
 * made by the platform, all others theirs again under ids of their own.
 */
const multiply = (filename: string) => {
  const db = new BetterSqlite(filename)
  db.pragma("synchronous = off")
  const tables = ["calls", "attempts", "recordings", "events", "deliveries", "ledger"] as const
  const rows = tables.reduce(
    (sum, table) => sum + Number(db.prepare(`select count(*) from ${table}`).pluck().get()),
    0
  )
  const times = Math.ceil(wanted / rows)
  for (const table of tables) {
    const columns = db.prepare("select name from pragma_table_info(?)").pluck().all(table).map(String)
    const isKey = (name: string) => name === "id" || (table === "calls" && name === "call_id")
    const copied = columns.map((name) => (isKey(name) ? `${name} || '_' || value` : name)).join(", ")
    db.exec(
      `insert into ${table} (${columns.join(", ")})
       select ${table === "recordings" ? copied.replace("session_id", "session_id || '_' || value") : copied}
       from ${table} join (with recursive n(value) as (select 1 union all select value + 1 from n
         where value < ${times - 1}) select value from n)`
    )
  }
  db.close()
}

const silent = { counted: () => Effect.void, copied: () => Effect.void, compared: () => Effect.void }

/** Copies a store and answers what was compared, with the seconds that it took. */
const migrate = (from: Ends.Place, to: Ends.Place) =>
  Effect.gen(function* () {
    yield* Ends.layOut(to)
    const tables = yield* layout
    const start = performance.now()
    const [source, target] = [yield* Ends.open(from, false), yield* Ends.open(to, true)]
    const compared = yield* copy(source, target, { tables, batch: 1_000, resume: false, progress: silent })
    return { compared, seconds: (performance.now() - start) / 1_000 }
  }).pipe(Effect.scoped)

const sumsOf = (compared: ReadonlyArray<Compared>) => compared.map(({ from, table }) => [table, from])

/** The most resident memory in the first fifth of some work, and in all of it. */
const memoryOf = <A, E, R>(work: Effect.Effect<A, E, R>) => {
  const samples: Array<number> = []
  const timer = setInterval(() => samples.push(process.memoryUsage.rss()), 100)
  return Effect.map(
    Effect.ensuring(
      work,
      Effect.sync(() => clearInterval(timer))
    ),
    (value) => {
      const early = Math.max(...samples.slice(0, Math.ceil(samples.length / 5)))
      return [value, `${Report.megabytes(early)}, ${Report.megabytes(Math.max(...samples))}`] as const
    }
  )
}

/** A million rows from SQLite to PostgreSQL and back, copied and compared. */
export const run = Effect.gen(function* () {
  Report.heading(`${wanted.toLocaleString("en-US")} rows from SQLite to PostgreSQL and back`)
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  const folder = yield* Platform.folder
  const [filename, back] = [join(folder, "from.db"), join(folder, "back.db")]
  yield* Platform.seed(filename, made, { max_concurrency: 1_000, calls_per_second: 100_000 })
  yield* Effect.flatMap(Platform.Received, ({ awaitCount }) => awaitCount(3 * made)).pipe(
    Effect.provide(Platform.running(Platform.onFile(filename))),
    Effect.orDie
  )
  yield* Effect.scoped(Layer.build(onFile(filename)))
  multiply(filename)
  const postgres = yield* makeServer({ durable: true })
  const database = yield* freshDatabase(postgres)
  const there = { _tag: "Postgres", url: Redacted.make(database.url) } as const
  const first = { _tag: "Sqlite", filename } as const
  const last = { _tag: "Sqlite", filename: back } as const
  const [out, outMemory] = yield* memoryOf(migrate(first, there))
  const [home, homeMemory] = yield* memoryOf(migrate(there, last))
  const rows = out.compared.reduce((sum, { from }) => sum + from.rows, 0)
  const same = [...out.compared, ...home.compared].every(({ identical }) => identical)
  const equal = JSON.stringify(sumsOf(out.compared)) === JSON.stringify(sumsOf(home.compared))
  if (!same || !equal || rows < wanted) return yield* Effect.dieMessage("the round trip changed something")
  const calls = out.compared.find(({ table }) => table === "calls")!.from.rows
  const { name } = database
  const [size] = yield* postgres.sql<{ readonly bytes: string }>(
    `select pg_database_size('${name}') as bytes`,
    name
  )
  const bytesOf = (bytes: number) => `${Math.round(bytes / calls)} bytes`
  Report.line("a call on SQLite, its rows and their indexes", bytesOf(statSync(filename).size))
  Report.line("a call on PostgreSQL", bytesOf(Number(size!.bytes)))
  Report.line("rows", rows.toLocaleString("en-US"))
  Report.line("to PostgreSQL, copied and compared", Report.perSecond(rows, out.seconds))
  Report.line("back to SQLite, copied and compared", Report.perSecond(rows, home.seconds))
  Report.line("memory to PostgreSQL: a fifth of the way, at most", outMemory)
  Report.line("memory back to SQLite: a fifth of the way, at most", homeMemory)
}).pipe(Effect.scoped)
