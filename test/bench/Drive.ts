import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import * as Heap from "../../apps/platform/Heap.ts"
import { Repository } from "../../core/ports/Repository.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"
import * as Statements from "./Statements.ts"

const count = 20_000
const rounds = 7

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

/**
 * Queued calls driven to their end, beside raw prepared statements that write the same rows in the same groups, turn and
 * turn about. The run in which the statements are recorded comes first: what is measured is a process that works already.
 */
export const run = Effect.gen(function* () {
  Report.heading(
    `${count.toLocaleString("en-US")} queued calls driven to their end, three webhook events each, ${rounds} rounds, turn and turn about`
  )
  // As the server does.
  Heap.settle()
  const folder = yield* Platform.folder
  const queued = join(folder, "queued.db")
  const seed = yield* Platform.seed(queued, count, { max_concurrency: 1_000, calls_per_second: 100_000 })
  const copy = (name: string) => {
    const filename = join(folder, name)
    copyFileSync(queued, filename)
    return filename
  }
  const stop = Statements.trace()
  yield* drive(copy("traced.db"), seed)
  const recorded = stop(join(folder, "statements"))
  const driven: Array<number> = []
  const raw: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    raw.push(Statements.replay(copy(`raw-${round}.db`), recorded))
    driven.push(yield* drive(copy(`driven-${round}.db`), seed))
  }
  const [ours, bare] = [Report.median(driven), Report.median(raw)]
  Report.line("raw prepared statements, same rows, same groups", Report.perSecond(count, bare))
  Report.line(
    "statements a call, calls a commit",
    `${(recorded.statements / count).toFixed(1)}, ${(count / recorded.commits).toFixed(1)}`
  )
  Report.line("Outdial", Report.perSecond(count, ours), Report.atLeast(2_000))
  // Of each round by itself: the machine is as fast in both its halves.
  const parts = driven.map((seconds, round) => raw[round]! / seconds)
  Report.line("as a part of the raw rate", Report.ratio(Report.median(parts)), Report.atLeast(0.45))
}).pipe(Effect.scoped)
