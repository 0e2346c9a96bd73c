import { join } from "node:path"
import { Effect, Schedule } from "effect"
import type { Scenario } from "../../core/model/suites/Suite.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { Runs } from "../../core/usecases/Runs.ts"
import { Suites } from "../../core/usecases/Suites.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const plays = 1_000
const turnsEach = 10

/** Personas that stay on the line: every play has all of its turns. */
const scenarios: ReadonlyArray<Scenario> = Array.from({ length: 10 }, (_, i) => ({
  label: `Persona ${i}`,
  instructions: "You want to know everything about the appointment and keep asking.",
  runs: plays / 10,
  max_turns: turnsEach
}))

/** A run of a thousand plays with the simulator of this process, on a file. */
export const run = Effect.gen(function* () {
  Report.heading(`${plays.toLocaleString("en-US")} plays of ${turnsEach} turns with the in-memory simulator`)
  // Enough at one time that a flush to disk is shared by many turns; no turn is waited for.
  process.env["OUTDIAL_TEST_CONCURRENCY"] = "256"
  const folder = yield* Platform.folder
  const filename = join(folder, "suites.db")
  const { agent_id, workspace_id } = yield* Platform.seed(filename, 0, {
    max_concurrency: 1,
    calls_per_second: 1
  })
  yield* Effect.gen(function* () {
    const suites = yield* Suites
    const runs = yield* Runs
    const repository = yield* Repository
    const request = { agent_id, count: 1, judges: ["safety"], hint: null, name: null }
    const { id } = yield* suites.generate(workspace_id, request, "bench")
    yield* suites.update(workspace_id, id, { scenarios })
    const rates: Array<number> = []
    const memory: Array<number> = []
    for (let round = 0; round < 4; round++) {
      const start = performance.now()
      const run = yield* runs.start(workspace_id, id)
      yield* repository.runs.get(workspace_id, run.id).pipe(
        Effect.map((found) => found._tag === "Some" && found.value.completed_at !== null),
        Effect.repeat({ until: (ended) => ended, schedule: Schedule.spaced("10 millis") })
      )
      const seconds = (performance.now() - start) / 1_000
      const { plays: played } = yield* runs.get(workspace_id, run.id)
      const turns = played.reduce((sum, { transcript }) => sum + transcript.length, 0)
      if (round > 0) rates.push(turns / seconds)
      memory.push(process.memoryUsage.rss())
      if (round === 0) Report.line("turns of a run", String(turns))
    }
    Report.line(
      "turns, stored and charged one by one",
      Report.rate(Report.median(rates)),
      Report.atLeast(20_000)
    )
    Report.line(
      "resident memory after each of four runs",
      memory.map((bytes) => Report.megabytes(bytes)).join(", "),
      "flat"
    )
  }).pipe(Effect.provide(Platform.running(Platform.onFile(filename))), Effect.orDie)
}).pipe(Effect.scoped)
