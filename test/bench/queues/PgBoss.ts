import { Pool } from "pg"
import PgBoss from "pg-boss"
import { counter } from "./Count.ts"
import * as Job from "./Job.ts"

/** Jobs that are fetched and completed at a time, by each of the loops. */
const batch = 100
const loops = 2
const connections = 10
/** A queue that is empty is asked again soon, as pg-boss's own workers would after half a second. */
const rest = 50

const { url, work } = Job.settings()
const boss = new PgBoss({ connectionString: url, max: 4, supervise: false, schedule: false })
boss.on("error", (error) => process.stderr.write(`${error.message}\n`))
await boss.start()
const pool = new Pool({ connectionString: url, max: connections })
const done = counter()

// fetch and complete, as its documentation has it for batches: without its workers' pauses.
const loop = async (): Promise<void> => {
  for (;;) {
    const jobs = await boss.fetch<Job.Payload>("bench", { batchSize: batch })
    if (jobs.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, rest))
      continue
    }
    await Promise.all(jobs.map(({ data }) => Job.work(pool, data, work)))
    await boss.complete(
      "bench",
      jobs.map(({ id }) => id)
    )
    for (const _ of jobs) done()
  }
}
process.stdout.write("ready\n")
await Promise.all(Array.from({ length: loops }, loop))
