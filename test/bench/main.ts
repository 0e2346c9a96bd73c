import { spawnSync } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { Effect, Logger, LogLevel } from "effect"
import * as Batches from "./Batches.ts"
import * as Callbacks from "./Callbacks.ts"
import * as Campaign from "./Campaign.ts"
import * as Conversations from "./Conversations.ts"
import * as Drive from "./Drive.ts"
import * as Http from "./Http.ts"
import * as Import from "./Import.ts"
import * as Library from "./Library.ts"
import * as Migrate from "./Migrate.ts"
import * as Numbers from "./Numbers.ts"
import * as Place from "./Place.ts"
import * as Postgres from "./Postgres.ts"
import * as Queue from "./Queue.ts"
import * as Queues from "./Queues.ts"
import * as Simulation from "./Simulation.ts"
import * as Sorted from "./Sorted.ts"
import * as Suites from "./Suites.ts"
import * as Takeover from "./Takeover.ts"

const benchmarks: Record<string, Effect.Effect<void, unknown>> = {
  place: Place.run,
  batches: Batches.run,
  callbacks: Callbacks.run,
  drive: Drive.run,
  queue: Queue.run,
  latency: Queue.latency,
  campaign: Campaign.run,
  attempts: Campaign.listing,
  http: Http.run,
  conversations: Conversations.run,
  import: Import.run,
  suites: Suites.run,
  simulation: Simulation.run,
  sorted: Sorted.run,
  library: Library.run,
  numbers: Numbers.run,
  postgres: Postgres.run,
  queues: Queues.run,
  migrate: Migrate.run,
  takeover: Takeover.run
}

// Each in a process of its own: none inherits another's heap. `npm run bench -- drive` runs one.
const [only] = process.argv.slice(2)
if (only === undefined) {
  process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
  for (const name of Object.keys(benchmarks)) {
    const { status } = spawnSync(
      process.execPath,
      ["--max-semi-space-size=24", "--import", "tsx", fileURLToPath(import.meta.url), name],
      { stdio: "inherit" }
    )
    if (status !== 0) process.exitCode = 1
  }
} else {
  const benchmark = benchmarks[only]
  if (benchmark === undefined) {
    process.stderr.write(`no benchmark ${only}: ${Object.keys(benchmarks).join(", ")}\n`)
    process.exitCode = 2
  } else {
    await Effect.runPromise(Logger.withMinimumLogLevel(benchmark, LogLevel.Warning))
  }
}
