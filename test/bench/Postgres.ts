import { Effect } from "effect"
import { Repository } from "../../core/ports/Repository.ts"
import { binaries, freshDatabase, makeServer, onUrl } from "../adapters/sql/PostgresServer.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const count = 10_000
const caps = { max_concurrency: 1_000, calls_per_second: 100_000 }

/** Drives the calls to their end, with three events of each; answers the seconds that it took. */
const drive = (url: string, seeds: ReadonlyArray<Platform.Seed>) =>
  Effect.gen(function* () {
    const start = performance.now()
    yield* (yield* Platform.Received).awaitCount(3 * count)
    const seconds = (performance.now() - start) / 1_000
    const { calls } = yield* Repository
    const totals = yield* Effect.forEach(seeds, ({ workspace_id }) =>
      calls.list(workspace_id, { status: "completed" }, { limit: 1, offset: 0 })
    )
    const completed = totals.reduce((sum, { total }) => sum + total, 0)
    if (completed !== count) return yield* Effect.dieMessage(`${completed} of ${count} calls completed`)
    return seconds
  }).pipe(Effect.provide(Platform.running(onUrl(url))), Effect.orDie)

/** Calls placed and driven to their end on PostgreSQL, in one workspace and in several at once. */
export const run = Effect.gen(function* () {
  Report.heading(`${count.toLocaleString("en-US")} calls on PostgreSQL, three webhook events each`)
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  const postgres = yield* makeServer({ durable: true })
  for (const workspaces of [1, 8]) {
    const { url } = yield* freshDatabase(postgres)
    const { seconds, seeds } = yield* Platform.seedMany(onUrl(url), workspaces, count, caps)
    const of = workspaces === 1 ? "one workspace" : `${workspaces} workspaces`
    Report.line(`placed, ${of}`, Report.perSecond(count, seconds))
    const driven = yield* drive(url, seeds)
    Report.line(`driven to their end, ${of}`, Report.perSecond(count, driven))
  }
}).pipe(Effect.scoped)
