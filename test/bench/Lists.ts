import { join } from "node:path"
import { Effect, Layer } from "effect"
import type { Database } from "../../adapters/sql/Database.ts"
import { day } from "../../core/model/Codecs.ts"
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
/** A record in the middle of the list. */
const middle = `_${1_000_000_000 + count / 2}`

/** Milliseconds: the median of some rounds, after one that warms up. */
const timed = Effect.fnUntraced(function* <A, E>(work: Effect.Effect<A, E>) {
  const times: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const began = performance.now()
    yield* work
    if (round > 0) times.push(performance.now() - began)
  }
  return Report.millis(Report.median(times))
})

/** Each filter's first page, and one by cursor from the middle on, with the total that the interface tells beside them. */
const measure = Effect.gen(function* () {
  const { attempts, calls } = yield* Repository
  for (const [name, filter] of Object.entries(Rows.callFilters)) {
    const list = (page: object) => calls.list(ws, filter, { limit, offset: 0, ...page })
    Report.line(`calls by ${name}: first page`, yield* timed(list({})), goal)
    Report.line(`calls by ${name}: by cursor`, yield* timed(list({ after: `call${middle}` })), goal)
  }
  // What a campaign has of attempts without a filter, its counters tell.
  for (const [name, filter] of Object.entries(Rows.attemptFilters)) {
    const rows = (page: object) => attempts.ofCampaign(ws, "camp_1", filter, { limit, offset: 0, ...page })
    const list = (page: object) =>
      name === "none"
        ? rows(page)
        : Effect.zip(attempts.countOfCampaign(ws, "camp_1", filter), rows(page), { concurrent: true })
    Report.line(`attempts by ${name}: first page`, yield* timed<unknown, never>(list({})), goal)
    Report.line(
      `attempts by ${name}: by cursor`,
      yield* timed<unknown, never>(list({ after: `att${middle}` })),
      goal
    )
  }
  const { report } = yield* UsageReports
  const month = report(ws, { by: "campaign", from: start, until: start + 30 * day })
  const began = performance.now()
  yield* month
  Report.line(
    "usage of a month, counted for the first time",
    Report.seconds((performance.now() - began) / 1_000)
  )
  Report.line("usage of a month", yield* timed(month), Report.atMost(200))
})

const on = (store: "SQLite" | "PostgreSQL", layer: Layer.Layer<Repository | Database, unknown>) =>
  Effect.gen(function* () {
    Report.heading(`lists of ${count.toLocaleString("en-US")} calls and attempts on ${store}`)
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
  yield* on("PostgreSQL", onUrl(url))
}).pipe(Effect.scoped)
