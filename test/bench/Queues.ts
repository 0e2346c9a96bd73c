import { readFile } from "node:fs/promises"
import { join } from "node:path"
import PgBoss from "pg-boss"
import { runMigrations } from "graphile-worker"
import { Cause, Effect, Schedule } from "effect"
import { binaries, freshDatabase, makeServer, onUrl, type Server } from "../adapters/sql/PostgresServer.ts"
import * as Processes from "../programs/Processes.ts"
import { countedOf } from "./queues/Count.ts"
import { familySecondsOf, secondsOf } from "./queues/Cpu.ts"
import { type Payload, tables, type Work } from "./queues/Job.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const count = 3_000
/** What each process does before is warming up: code is compiled and pages are read. */
const warm = 1_000
const traced = 1_600
/** Each workspace's loop is in one process: enough of them that all processes have some. */
const workspaces = 32
const processes = [1, 2, 4]
const events = 3

const timeout = "2 minutes"

/** What is done on a database: how it is filled, which program does it, how it is shared out, what lets it begin. */
interface Contender {
  readonly name: string
  readonly program: string
  readonly env: (url: string) => Record<string, string>
  readonly fill: (url: string, database: string, jobs: number) => Effect.Effect<void>
  /** Which process has which part of the work, as text. */
  readonly shares: (database: string) => Effect.Effect<string>
  readonly release: (database: string) => Effect.Effect<void>
  /** How often the processes count for one job. */
  readonly perJob: number
}

interface Measured {
  readonly rate: number
  /** Jobs for a second of processor time, of the processes and of PostgreSQL together. */
  readonly perCore: number
  /** PostgreSQL's part of that time. */
  readonly share: number
  /** A process told of an error: on a machine that is too busy work fails, and waits for minutes until it is due again. */
  readonly failed: boolean
  readonly output: string
}

/** Places calls, in the workspaces in turn, that no process dials yet. */
const seed = (url: string, jobs: number) =>
  Platform.seedMany(onUrl(url), workspaces, jobs, { max_concurrency: 1_000, calls_per_second: 100_000 })

const makeOutdial = (postgres: Server): Contender => ({
  name: "Outdial",
  program: "test/bench/queues/Outdial.ts",
  env: (url) => ({ OUTDIAL_DATABASE_URL: url }),
  // Calls of a phase that there is not are no process's work, until all processes have their share of the workspaces.
  fill: (url, database, jobs) =>
    Effect.zipRight(
      seed(url, jobs),
      Effect.asVoid(postgres.sql("update calls set phase = 'held ' || phase; analyze", database))
    ).pipe(Effect.orDie),
  shares: (database) =>
    postgres
      .sql("select shard_id, address from outdial_cluster_locks order by shard_id", database)
      .pipe(Effect.map(JSON.stringify)),
  release: (database) =>
    Effect.asVoid(
      postgres.sql("update calls set phase = substr(phase, 6) where phase like 'held %'", database)
    ),
  perJob: events
})

const makePgBoss = (postgres: Server, work: Work): Contender => ({
  name: "pg-boss",
  program: "test/bench/queues/PgBoss.ts",
  env: (url) => ({ BENCH_URL: url, BENCH_WORK: JSON.stringify(work) }),
  fill: (url, database, jobs) =>
    Effect.gen(function* () {
      yield* seed(url, jobs)
      yield* postgres.sql(tables, database)
      const payloads = yield* postgres.sql<Payload>("select customer_id, call_id from calls", database)
      yield* Effect.promise(async () => {
        const later = new Date(Date.now() + 3_600_000).toISOString()
        const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false })
        await boss.start()
        await boss.createQueue("bench")
        await boss.insert(payloads.map((data) => ({ name: "bench", data, startAfter: later })))
        await boss.stop({ graceful: false })
      })
      yield* postgres.sql("analyze", database)
    }),
  shares: () => Effect.succeed("each process takes the next job"),
  release: (database) =>
    Effect.asVoid(postgres.sql("update pgboss.job set start_after = now() - interval '1 second'", database)),
  perJob: 1
})

const makeGraphile = (postgres: Server, work: Work): Contender => ({
  name: "graphile-worker",
  program: "test/bench/queues/Graphile.ts",
  env: (url) => ({ BENCH_URL: url, BENCH_WORK: JSON.stringify(work) }),
  fill: (url, database, jobs) =>
    Effect.gen(function* () {
      yield* seed(url, jobs)
      yield* postgres.sql(tables, database)
      yield* Effect.promise(() => runMigrations({ connectionString: url }))
      yield* postgres.sql(
        `select graphile_worker.add_job('bench', json_build_object('customer_id', customer_id, 'call_id', call_id), run_at => now() + interval '1 hour')
         from calls; analyze`,
        database
      )
    }),
  shares: () => Effect.succeed("each process takes the next job"),
  release: (database) =>
    Effect.asVoid(
      postgres.sql("update graphile_worker._private_jobs set run_at = now() - interval '1 second'", database)
    ),
  perJob: 1
})

/** The process of the server, of which all its others are children. */
const pidOf = (postgres: Server) =>
  Effect.gen(function* () {
    const [row] = yield* postgres.sql<{ readonly folder: string }>(
      "select current_setting('data_directory') as folder"
    )
    const text = yield* Effect.promise(() => readFile(join(row!.folder, "postmaster.pid"), "utf8"))
    return Number(text.split("\n")[0])
  })

/** Waits until no work has gone from one process to another for four seconds. */
const settled = Effect.fnUntraced(function* ({ shares }: Contender, database: string) {
  let last = yield* shares(database)
  let same = 0
  while (same < 4) {
    yield* Effect.sleep("1 second")
    const now = yield* shares(database)
    same = now === last ? same + 1 : 0
    last = now
  }
})

/** Runs so many processes of a contender over so many jobs. Time counts from the job on at which they are warm. */
const contend = (
  postgres: Server,
  contender: Contender,
  size: number,
  warmed: number,
  jobs: number,
  env: Record<string, string> = {}
) =>
  Effect.gen(function* () {
    const { name, url } = yield* freshDatabase(postgres)
    yield* contender.fill(url, name, jobs)
    const members = yield* Effect.forEach(
      Array.from({ length: size }),
      () => Processes.scoped(contender.program, [], { ...contender.env(url), ...env }, /^ready$/m),
      { concurrency: "unbounded" }
    )
    yield* settled(contender, name)
    const pid = yield* pidOf(postgres)
    yield* contender.release(name)
    yield* postgres.sql("checkpoint")
    const used = () => ({
      clients: members.reduce((sum, { process }) => sum + secondsOf(process.pid!), 0),
      server: familySecondsOf(pid)
    })
    const doneOf = () => members.reduce((sum, { output }) => sum + countedOf(output()), 0) / contender.perJob
    const reached = (wanted: number) =>
      Effect.sync(doneOf).pipe(
        Effect.repeat({ until: (done) => done >= wanted, schedule: Schedule.spaced("20 millis") }),
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => new Cause.TimeoutException(`${contender.name} did not end`)
        })
      )
    yield* reached(warmed)
    const [before, begun, begunAt] = [used(), doneOf(), performance.now()]
    yield* reached(jobs)
    const after = used()
    const done = jobs - begun
    const clients = after.clients - before.clients
    const server = after.server - before.server
    return {
      rate: (done * 1_000) / (performance.now() - begunAt),
      perCore: done / (clients + server),
      share: server / (clients + server),
      failed: members.some(({ output }) => output().includes("level=ERROR")),
      output: members[0]!.output()
    } satisfies Measured
  }).pipe(Effect.scoped)

/** What one call is on PostgreSQL: the statements of its own, and the transactions that they are in. */
const traceCall = Effect.fnUntraced(function* (postgres: Server) {
  const { output } = yield* contend(postgres, makeOutdial(postgres), 1, warm, traced, { BENCH_TRACE: "1" })
  const traces = [...output.matchAll(/^trace (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Counts)
  const kinds = ["select", "insert", "update", "delete", "commit"] as const
  const each = kinds.map((kind) => (traces.at(-1)?.[kind] ?? 0) / traced)
  const [selects, inserts, updates, deletes, commits] = each as [number, number, number, number, number]
  return { selects, inserts, updates: updates + deletes, transactions: commits }
})

type Counts = Readonly<Record<string, number>>

const one = (value: number) => value.toFixed(1)

/**
 * Calls driven to their end by 1, 2 and 4 processes, beside the two job queues that keep their jobs in PostgreSQL:
 * each job runs as many statements, rounded down, in as many transactions, on the same server. What counts is jobs
 * for a second of processor time, of the processes and the server together: the machine's other work is not in it.
 */
export const run = Effect.gen(function* () {
  Report.heading(
    `${count.toLocaleString("en-US")} calls on PostgreSQL, beside jobs of as many statements in job queues`
  )
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  const postgres = yield* makeServer({ durable: true })
  const call = yield* traceCall(postgres)
  const work: Work = {
    selects: Math.floor(call.selects),
    inserts: Math.floor(call.inserts),
    updates: Math.floor(call.updates),
    transactions: Math.max(1, Math.floor(call.transactions))
  }
  Report.line(
    "a call: selects, inserts, updates",
    `${one(call.selects)}, ${one(call.inserts)}, ${one(call.updates)}`
  )
  Report.line("a call: transactions", one(call.transactions))
  for (const size of processes) {
    const of = `${size} ${size === 1 ? "process" : "processes"}`
    const warmed = size * warm
    const ours = yield* contend(postgres, makeOutdial(postgres), size, warmed, warmed + count)
    const others = [makePgBoss(postgres, work), makeGraphile(postgres, work)]
    const tell = (name: string, { failed, perCore, rate, share }: Measured) =>
      Report.line(
        `${name}, ${of}: a second, a second of a core`,
        `${rate.toFixed(0)}, ${perCore.toFixed(0)}`,
        `PostgreSQL ${(share * 100).toFixed(0)} %${failed ? "; not valid: work failed" : ""}`
      )
    tell("Outdial", ours)
    for (const other of others) {
      const theirs = yield* contend(postgres, other, size, warmed, warmed + count)
      tell(other.name, theirs)
      Report.line(
        `Outdial as a multiple of ${other.name}, ${of}, per core`,
        Report.ratio(ours.perCore / theirs.perCore),
        Report.atLeast(1.5)
      )
    }
  }
}).pipe(Effect.scoped)
