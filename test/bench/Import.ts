import { join } from "node:path"
import BetterSqlite from "better-sqlite3"
import { parse } from "csv-parse/sync"
import { Effect, Fiber } from "effect"
import { unzipSync, zipSync } from "fflate"
import { csvFile, xlsxFile } from "../adapters/tables/Fixtures.ts"
import * as Processes from "../programs/Processes.ts"
import * as Memory from "./Memory.ts"
import * as Platform from "./Platform.ts"
import { recipients } from "./Recipients.ts"
import * as Report from "./Report.ts"

const rows = 150_000
const rounds = 5

const table = recipients(rows)

/** The rows parsed by the library and inserted by a prepared statement, a commit for every 500: what no import can beat. */
const raw = (filename: string, file: Uint8Array): number => {
  const db = new BetterSqlite(filename)
  db.pragma("journal_mode = wal")
  db.pragma("synchronous = full")
  // As the store sets its own connection.
  db.pragma("temp_store = memory")
  db.pragma("cache_size = -6144")
  db.pragma("wal_autocheckpoint = 4000")
  db.exec(
    "create table recipients (id text not null, phone_number text not null, status text not null, variables text not null, primary key (id), unique (phone_number))"
  )
  const insert = db.prepare("insert into recipients values (?, ?, 'pending', ?) on conflict do nothing")
  const start = performance.now()
  const parsed = parse(Buffer.from(file)) as ReadonlyArray<ReadonlyArray<string>>
  for (let at = 1; at < parsed.length; at += 500) {
    db.transaction(() => {
      for (let i = at; i < Math.min(parsed.length, at + 500); i++) {
        const [phone, name, order] = parsed[i]!
        insert.run(`rcpt_${String(i).padStart(26, "0")}`, phone, JSON.stringify({ name, order }))
      }
    })()
  }
  const seconds = (performance.now() - start) / 1_000
  db.close()
  return seconds
}

interface Server {
  readonly base: string
  readonly pid: number
}

const headers = { "x-api-key": Platform.key }

const campaign = ({ base }: Server, agent_id: string) =>
  Effect.promise(async () => {
    const response = await fetch(`${base}/campaigns`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ name: "Bench", agent_id })
    })
    return ((await response.json()) as { readonly id: string }).id
  })

/** Seconds from the request to the end of the answer, which is read and forgotten. */
const upload = ({ base }: Server, id: string, file: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const form = new FormData()
    form.set("file", new Blob([file]), "people")
    const start = performance.now()
    const response = await fetch(`${base}/campaigns/${id}/recipients/import`, {
      method: "POST",
      headers,
      body: form
    })
    let tail = ""
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-2_000)
    }
    const accepted = /"accepted_rows":(\d+)/.exec(tail)?.[1]
    if (Number(accepted) !== rows) throw new Error(`${accepted} of ${rows} rows accepted`)
    return (performance.now() - start) / 1_000
  })

/** Latencies of another request, one after the other. */
const probe = ({ base }: Server, waits: Array<number>) =>
  Effect.forever(
    Effect.zipRight(
      Effect.promise(async () => {
        const start = performance.now()
        await (await fetch(`${base}/calls?limit=1`, { headers })).text()
        waits.push(performance.now() - start)
      }),
      Effect.sleep("2 millis")
    )
  )

const p99 = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

/** The seconds of an upload into a campaign of its own. */
const uploaded = (server: Server, agent_id: string, file: Uint8Array<ArrayBuffer>) =>
  Effect.flatMap(campaign(server, agent_id), (id) => upload(server, id, file))

/** By how much an upload makes the server grow. */
const grownBy = Effect.fnUntraced(function* ({ pid }: Server, uploading: Effect.Effect<number>) {
  const before = yield* Memory.of(pid)
  const { most } = yield* Memory.sampled(pid)
  yield* uploading
  const peak = yield* most
  return { server: peak.server - before.server, all: peak.all - before.all }
})

/** What other requests wait while uploads go on. */
const waited = Effect.fnUntraced(function* (server: Server, uploading: Effect.Effect<unknown>) {
  const waits: Array<number> = []
  const probing = yield* Effect.fork(probe(server, waits))
  yield* uploading
  yield* Fiber.interrupt(probing)
  return p99(waits)
})

/**
 * A spreadsheet imported over HTTP into SQLite, its answer read to the end. What watches the server takes processor time of
 * its own: the uploads that are timed go unwatched, as the bare insert does.
 */
export const run = Effect.gen(function* () {
  const csv = csvFile(table) as Uint8Array<ArrayBuffer>
  // As Excel writes it: strings once, and well compressed, so that it is no larger than an upload may be.
  const loose = xlsxFile(table, { bookSST: true })
  const xlsx = zipSync(unzipSync(loose), { level: 9 }) as Uint8Array<ArrayBuffer>
  const size = (bytes: Uint8Array) => `${(bytes.length / 2 ** 20).toFixed(1)} MB`
  Report.heading(
    `import of ${rows.toLocaleString("en-US")} recipients with two variables (CSV ${size(csv)}, XLSX ${size(xlsx)}), ` +
      `${rounds} rounds, turn and turn about`
  )
  const folder = yield* Platform.folder
  const filename = join(folder, "import.db")
  const { agent_id } = yield* Platform.seed(filename, 0, { max_concurrency: 1, calls_per_second: 1 })
  const port = yield* Processes.freePort
  const running = yield* Processes.scoped(
    Processes.server,
    [],
    { PORT: String(port), OUTDIAL_DATABASE_URL: `sqlite:${filename}`, OUTDIAL_LOG_REQUESTS: "false" },
    /Listening/
  )
  const server = { base: `http://127.0.0.1:${port}/v0`, pid: running.process.pid! }
  const csvImport = uploaded(server, agent_id, csv)
  const grown = yield* grownBy(server, csvImport)
  const [bares, imports] = [new Array<number>(), new Array<number>()]
  for (let round = 0; round < rounds; round++) {
    imports.push(yield* csvImport)
    bares.push(raw(join(folder, `raw-${round}.db`), csv))
  }
  const [seconds, bare] = [Report.median(imports), Report.median(bares)]
  Report.line("csv-parse and a prepared insert, nothing else", Report.perSecond(rows, bare))
  Report.line("CSV over HTTP", Report.perSecond(rows, seconds), Report.atLeast(40_000))
  Report.line("as a part of the bare rate", Report.ratio(bare / seconds), Report.atLeast(0.5))
  Report.line(
    "growth of the server's memory, the first time",
    Report.megabytes(grown.server),
    Report.atMost(200)
  )
  Report.line("the same, with the process that reads tables", Report.megabytes(grown.all))
  const waits = yield* waited(server, Effect.repeatN(csvImport, 2))
  Report.line("p99 of other requests meanwhile, three imports", Report.millis(waits), Report.atMost(50))
  if (xlsx.length <= 5 * 2 ** 20) {
    const sheet = uploaded(server, agent_id, xlsx)
    const sheetSeconds = yield* sheet
    Report.line("XLSX over HTTP", Report.perSecond(rows, sheetSeconds))
    Report.line("its time as a multiple of the CSV's", Report.ratio(sheetSeconds / seconds), Report.atMost(3))
    const sheetWaits = yield* waited(server, sheet)
    Report.line("p99 of other requests during XLSX", Report.millis(sheetWaits), Report.atMost(50))
  }
}).pipe(Effect.scoped)
