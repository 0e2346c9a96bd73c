import { Logger, run } from "graphile-worker"
import { Pool } from "pg"
import { counter } from "./Count.ts"
import * as Job from "./Job.ts"

/** Jobs at a time, and connections: as its own benchmark has them, but for a pool as large as the others have. */
const concurrency = 24
const connections = 10

process.env["NO_LOG_SUCCESS"] = "1"
const { url, work } = Job.settings()
const pool = new Pool({ connectionString: url, max: connections })
const own = new Pool({ connectionString: url, max: connections })
const done = counter()
const runner = await run({
  pgPool: own,
  concurrency,
  noHandleSignals: true,
  pollInterval: 50,
  noPreparedStatements: false,
  logger: new Logger(() => () => undefined),
  taskList: { bench: (payload) => Job.work(pool, payload as Job.Payload, work) }
})
runner.events.on("job:complete", done)
process.stdout.write("ready\n")
await runner.promise
