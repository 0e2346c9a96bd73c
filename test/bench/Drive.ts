import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Repository } from "../../core/ports/Repository.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"
import * as Statements from "./Statements.ts"

const count = 20_000

/** Starts the platform on a database with queued calls, and waits for the last webhook event. */
const drive = (filename: string, { workspace_id }: Platform.Seed) =>
  Effect.gen(function* () {
    const start = performance.now()
    yield* (yield* Platform.Received).awaitCount(3 * count)
    const seconds = (performance.now() - start) / 1_000
    const { calls } = yield* Repository
    const { total } = yield* calls.list(workspace_id, { status: "completed" }, { limit: 1, offset: 0 })
    if (total !== count) return yield* Effect.dieMessage(`${total} of ${count} calls completed`)
    return seconds
  }).pipe(Effect.provide(Platform.running(Platform.onFile(filename))), Effect.orDie)

/** Queued calls driven to their end, beside raw prepared statements that write the same rows in the same groups. */
export const run = Effect.gen(function* () {
  Report.heading(
    `${count.toLocaleString("en-US")} queued calls driven to their end, three webhook events each`
  )
  const folder = yield* Platform.folder
  const queued = join(folder, "queued.db")
  const seed = yield* Platform.seed(queued, count, { max_concurrency: 1_000, calls_per_second: 100_000 })
  const copy = (name: string) => {
    const filename = join(folder, name)
    copyFileSync(queued, filename)
    return filename
  }
  const driven = yield* drive(copy("driven.db"), seed)
  const tracing = Statements.trace()
  const traced = copy("traced.db")
  yield* drive(traced, seed).pipe(Effect.ensuring(Effect.sync(tracing.stop)))
  const raw = Statements.replay(copy("raw.db"), tracing.runs)
  const commits = tracing.runs.filter(({ sql }) => /^\s*commit/i.test(sql)).length
  Report.line("raw prepared statements, same rows, same groups", Report.perSecond(count, raw))
  Report.line(
    "statements a call, calls a commit",
    `${(tracing.runs.length / count).toFixed(1)}, ${(count / commits).toFixed(1)}`
  )
  Report.line("Outdial", Report.perSecond(count, driven), Report.atLeast(2_000))
  Report.line("as a part of the raw rate", Report.ratio(raw / driven), Report.atLeast(0.45))
}).pipe(Effect.scoped)
