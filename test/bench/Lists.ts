import { join } from "node:path"
import { Effect, Layer } from "effect"
import type { Database } from "../../adapters/sql/Database.ts"
import { day } from "../../core/model/Codecs.ts"
import type { PageRequest } from "../../core/model/Page.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { UsageReports } from "../../core/usecases/UsageReports.ts"
import { binaries, freshDatabase, makeServer, onUrl } from "../adapters/sql/PostgresServer.ts"
import { onFile } from "../adapters/sql/TemporaryFile.ts"
import { start, ws } from "../contracts/repository/Fixtures.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"
import * as Rows from "./Rows.ts"

const count = 1_000_000
const rounds = 7
const limit = 100
const goal = Report.atMost(30)
const half = count / 2
/** The id of a record in the middle of the list. */
const middle = (prefix: string) => `${prefix}_${1_000_000_000 + half}`

type List = (page: PageRequest) => Effect.Effect<unknown>

const timed = Effect.fnUntraced(function* <A>(work: Effect.Effect<A>) {
  const began = performance.now()
  yield* work
  return performance.now() - began
})

/**
 * A list's pages, with the total that the interface tells beside them, in turns: the first, and those behind and before
 * a record in the middle. What the very first took, which counts the list, stands beside.
 */
const pages = Effect.fnUntraced(function* (name: string, id: string, list: List) {
  const slices = [{}, { after: id }, { before: id }].map((place) => ({ limit, offset: 0, ...place }))
  const first = yield* timed(list(slices[0]!))
  const times: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    for (const slice of slices) {
      const time = yield* timed(list(slice))
      if (round > 0) times.push(time)
    }
  }
  Report.line(`${name}: median`, Report.millis(Report.median(times)), goal)
  Report.line(`${name}: slowest`, Report.millis(Math.max(...times)), goal)
  if (first > 30) Report.line(`${name}: the first, which counts`, Report.millis(first))
})

const measureAll = <Filter>(
  what: string,
  id: string,
  filters: Readonly<Record<string, Filter>>,
  list: (filter: Filter, name: string) => List
) =>
  Effect.forEach(Object.entries(filters), ([name, filter]) =>
    pages(`${what} by ${name}`, id, list(filter, name))
  )

const measure = Effect.gen(function* () {
  const { attempts, audit, calls, credits, deliveries, doNotCall, recipients } = yield* Repository
  yield* measureAll(
    "calls",
    middle("call"),
    Rows.callFilters,
    (filter) => (page) => calls.list(ws, filter, page)
  )
  // What a campaign has of attempts, and of recipients of a status, its counters tell.
  yield* measureAll("attempts", middle("att"), Rows.attemptFilters, (filter, name) => (page) => {
    const rows = attempts.ofCampaign(ws, "camp_1", filter, page)
    return name === "none" ? rows : Effect.zip(attempts.countOfCampaign(ws, "camp_1", filter), rows)
  })
  const counted = { none: count, status: count / 10 }
  yield* measureAll(
    "recipients",
    Rows.nth("rcpt", half),
    Rows.recipientFilters,
    (filter, name) => (page) =>
      recipients.list(ws, "camp_000001", filter, page, counted[name as keyof typeof counted])
  )
  yield* measureAll(
    "ledger",
    Rows.nth("led", half),
    Rows.ledgerFilters,
    (filter) => (page) => credits.list(ws, filter, page)
  )
  yield* measureAll(
    "deliveries",
    Rows.nth("dlv", half),
    Rows.deliveryFilters,
    (filter) => (page) => deliveries.list(ws, filter, page)
  )
  yield* measureAll(
    "audit log",
    Rows.nth("aud", half),
    Rows.auditFilters,
    (filter) => (page) => audit.list(ws, filter, page)
  )
  yield* pages("do-not-call list", `+1415${1_000_000 + half}`, (page) => doNotCall.list(ws, page))
  const { report } = yield* UsageReports
  const month = report(ws, { by: "campaign", from: start, until: start + 30 * day })
  Report.line(
    "usage of a month, counted for the first time",
    Report.seconds((yield* Effect.orDie(timed(Effect.orDie(month)))) / 1_000)
  )
  const times = yield* Effect.replicateEffect(timed(Effect.orDie(month)), rounds)
  Report.line("usage of a month", Report.millis(Report.median(times)), Report.atMost(200))
})

const on = (store: "SQLite" | "PostgreSQL", layer: Layer.Layer<Repository | Database, unknown>) =>
  Effect.gen(function* () {
    Report.heading(`lists of ${count.toLocaleString("en-US")} records on ${store}`)
    const began = performance.now()
    yield* Rows.fill(store, count)
    Report.line("seeded", Report.seconds((performance.now() - began) / 1_000))
    yield* measure
  }).pipe(Effect.provide(Layer.provideMerge(UsageReports.layer, layer)), Effect.orDie)

/** Lists of a million records and the usage of a month, beside their goals, on both stores. */
export const run = Effect.gen(function* () {
  yield* on("SQLite", onFile(join(yield* Platform.folder, "lists.db")))
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  const { url } = yield* freshDatabase(yield* makeServer({ durable: false }))
  yield* on("PostgreSQL", onUrl(url, { statementTimeout: "10 minutes" }))
}).pipe(Effect.scoped)
