import type { Effect } from "effect"
import * as Batches from "./Batches.ts"
import * as Callbacks from "./Callbacks.ts"
import * as Campaign from "./Campaign.ts"
import * as Conversations from "./Conversations.ts"
import * as Drive from "./Drive.ts"
import * as Http from "./Http.ts"
import * as Import from "./Import.ts"
import * as Library from "./Library.ts"
import * as Lists from "./Lists.ts"
import * as Migrate from "./Migrate.ts"
import * as Numbers from "./Numbers.ts"
import * as Place from "./Place.ts"
import * as Postgres from "./Postgres.ts"
import * as Queue from "./Queue.ts"
import * as Queues from "./Queues.ts"
import * as Simulation from "./Simulation.ts"
import * as Sorted from "./Sorted.ts"
import * as Start from "./Start.ts"
import * as Suites from "./Suites.ts"
import * as Takeover from "./Takeover.ts"
import * as Uploads from "./Uploads.ts"

/** All of them, in the order in which they run. */
export const benchmarks: Record<string, Effect.Effect<void, unknown>> = {
  start: Start.run,
  place: Place.run,
  batches: Batches.run,
  callbacks: Callbacks.run,
  drive: Drive.run,
  queue: Queue.run,
  latency: Queue.latency,
  campaign: Campaign.run,
  attempts: Campaign.listing,
  lists: Lists.run,
  http: Http.run,
  conversations: Conversations.run,
  import: Import.run,
  uploads: Uploads.run,
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
