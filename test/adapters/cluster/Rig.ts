import { Clock, Effect, Schedule } from "effect"
import { join } from "node:path"
import { mkdtempSync, readFileSync, rmSync, watch } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import * as CarrierServer from "../../../adapters/simulated/CarrierServer.ts"
import { administration } from "../../../apps/platform/Administration.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import type { Dial } from "../../crash/Rig.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"
import * as TcpProxy from "../../TcpProxy.ts"
import { until } from "../../Until.ts"
import { freshDatabase, onUrl, type Server } from "../sql/PostgresServer.ts"

/** A workspace with its agent, as its customer has it. */
export interface Tenant {
  readonly workspace_id: string
  readonly key: string
  readonly agent_id: string
}

/** A server process. */
export interface Member {
  readonly name: string
  readonly port: number
  running: Processes.Running
  /** Nothing passes between it and the others, or the database, and no connection is closed. */
  readonly vanish: Effect.Effect<void>
  readonly reappear: Effect.Effect<void>
}

const request = (port: number, key: string, method: string, path: string, body?: object) =>
  Effect.tryPromise(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v0${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", connection: "close" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
  })

/** Workspaces with credits and a key. */
const makeWorkspaces = (url: string, count: number) =>
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const credits = yield* Credits
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, n) => `Tenant ${n}`),
      Effect.fnUntraced(function* (name) {
        const { id } = yield* workspaces.create({ name, calls_per_second: 1_000, max_concurrency: 1_000 })
        yield* credits.topUp(id, 1_000_000, null)
        const { key } = yield* workspaces.createKey(id, { name: "cluster", scopes: allScopes })
        return { workspace_id: id, key }
      })
    )
  }).pipe(Effect.provide(administration(onUrl(url, { connections: 3 }))), Effect.orDie)

export interface Options {
  readonly postgres: Server
  readonly servers: number
  readonly tenants: number
  /** Members can vanish: their ways to each other and to the database go through this process. */
  readonly vanishing?: boolean
}

/** Looks at a file now and whenever it has changed, until what is looked for holds. */
const untilChanged = (file: string, holds: () => boolean) =>
  Effect.acquireUseRelease(
    Effect.sync(() => watch(file)),
    (watcher) =>
      Effect.async<void>((resume) => {
        const look = () => holds() && resume(Effect.void)
        watcher.on("change", look)
        look()
      }),
    (watcher) => Effect.sync(() => watcher.close())
  )

const reroute = fileURLToPath(new URL("reroute.mjs", import.meta.url))

/** The ways of so many members to the database and to each other. */
const makeWays = Effect.fnUntraced(function* (store: number, servers: number) {
  const ports = yield* Effect.replicateEffect(Processes.freePort, servers)
  const each = yield* Effect.forEach(ports, () =>
    Effect.all({ store: TcpProxy.make(store), peers: Effect.forEach(ports, (port) => TcpProxy.make(port)) })
  )
  return (n: number, url: string) => {
    const own = each[n]!
    const all = [own.store, ...own.peers, ...each.map(({ peers }) => peers[n]!)]
    const env: Record<string, string> = {
      OUTDIAL_DATABASE_URL: url.replace(`:${store}/`, `:${own.store.port}/`),
      OUTDIAL_CLUSTER_PORT: String(ports[n]),
      NODE_OPTIONS: `--import=${reroute}`,
      TEST_WAYS: JSON.stringify(Object.fromEntries(ports.map((port, to) => [port, own.peers[to]!.port])))
    }
    return {
      env,
      vanish: Effect.forEach(all, ({ block }) => block, { discard: true }),
      reappear: Effect.forEach(all, ({ mend }) => mend, { discard: true })
    }
  }
})

const direct = (_: number, url: string) => ({
  env: { OUTDIAL_DATABASE_URL: url },
  vanish: Effect.void,
  reappear: Effect.void
})

/** Sessions that stand still within a transaction in which they have the lock of a workspace. */
const stuckInTransaction = `select count(*)::int as count from pg_stat_activity a join pg_locks l using (pid)
  where a.datname = current_database() and l.locktype = 'advisory' and l.classid = 1869968484 and l.objsubid = 2
  and l.granted and a.state = 'idle in transaction' and clock_timestamp() - a.state_change > interval '50 ms'`

/** Members that have shards, and shards that are had, by locks which were renewed in time. */
const shares = `select count(distinct address)::int as members, count(*)::int as shards from outdial_cluster_locks
  where acquired_at > now()::timestamp - interval '5 seconds'`

const allShards = 300

/**
 * Server processes that start together on an empty PostgreSQL database and workspaces that use any of them, with a carrier that outlives the
 * servers and writes down every dial before it answers.
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const { postgres, servers, tenants: count } = options
  const folder = mkdtempSync(join(tmpdir(), "outdial-cluster-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const ledger = join(folder, "carrier.ndjson")
  const { server } = yield* Programs.programs
  const { url: carrier } = yield* CarrierServer.serve({ ledgerFile: ledger, speed: 40 })
  const { name: database, url } = yield* freshDatabase(postgres)
  const ways = options.vanishing === true ? yield* makeWays(postgres.port, servers) : direct
  const start = (n: number, port: number) =>
    Processes.start(
      server,
      [],
      { PORT: String(port), OUTDIAL_SIMULATED_URL: carrier, ...ways(n, url).env },
      /Listening on/
    )
  const members = yield* Effect.forEach(
    Array.from({ length: servers }, (_, n) => n),
    Effect.fnUntraced(function* (n) {
      const port = yield* Processes.freePort
      const { reappear, vanish } = ways(n, url)
      const member: Member = { name: `server ${n}`, port, running: yield* start(n, port), reappear, vanish }
      yield* Effect.addFinalizer(() => Processes.kill(member.running))
      return member
    }),
    { concurrency: "unbounded" }
  )
  const workspaces = yield* makeWorkspaces(url, count)
  const [first] = members
  const tenants = yield* Effect.forEach(
    workspaces,
    Effect.fnUntraced(function* ({ key, workspace_id }) {
      yield* request(first!.port, key, "POST", "/phone-numbers", { number: "+14155550100" })
      const agent = yield* request(first!.port, key, "POST", "/agents", { name: "Agent", prompt: "Hello" })
      const agent_id = String(agent.body["id"])
      yield* request(first!.port, key, "POST", `/agents/${agent_id}/publish`)
      return { workspace_id, key, agent_id } satisfies Tenant
    }),
    { concurrency: 4 }
  )

  /** Places a call at a server, again where that is not available; its id. */
  const place = ({ port }: Member, { agent_id, key }: Tenant) =>
    request(port, key, "POST", "/calls", { agent_id, to_number: "+12125550123" }).pipe(
      Effect.filterOrFail(({ status }) => status !== 503),
      Effect.retry(Schedule.spaced("100 millis")),
      Effect.filterOrDieMessage(({ status }) => status === 200, "the call was refused"),
      Effect.map(({ body }) => String(body["call_id"]))
    )

  const known: Array<Dial> = []
  let read = 0
  /** The ledger's dials so far; what was read is not read again. */
  const dials = (): ReadonlyArray<Dial> => {
    const text = readFileSync(ledger).subarray(read)
    const whole = text.subarray(0, text.lastIndexOf("\n") + 1)
    read += whole.length
    for (const line of whole.toString().split("\n")) {
      if (line === "") continue
      const entry = JSON.parse(line) as Dial
      if (entry._tag === "Dial") known.push(entry)
    }
    return known
  }

  /** Keys that the carrier was asked to dial more than once. */
  const dialledTwice = () => {
    const once = new Set<string>()
    return dials().flatMap(({ key }) => (once.has(key) ? [key] : (once.add(key), [])))
  }

  /** Waits until the carrier has dialled these calls; answers how many milliseconds that took. */
  const dialled = (calls: Iterable<string>) =>
    Effect.gen(function* () {
      const left = new Set(calls)
      const start = yield* Clock.currentTimeMillis
      const areDialled = () => {
        for (const { call_id } of dials()) left.delete(call_id)
        return left.size === 0
      }
      yield* Effect.timeoutFail(untilChanged(ledger, areDialled), {
        duration: "50 seconds",
        onTimeout: () => new Error(`not dialled: ${[...left].join(", ")}`)
      }).pipe(Effect.orDie)
      return (yield* Clock.currentTimeMillis) - start
    })

  /** Starts a server again that has ended. */
  const restart = (member: Member) =>
    Effect.map(start(members.indexOf(member), member.port), (running) => {
      member.running = running
    })

  const watcher = yield* postgres.connect(database)
  const ask = <Row>(text: string) =>
    Effect.promise(async () => (await watcher.query(text)).rows[0] as Readonly<Row>)

  /** Completes once every member has its share of the shards. */
  const sharing = until(
    "every member has shards",
    Effect.map(
      ask<{ members: number; shards: number }>(shares),
      ({ members, shards }) => members === servers && shards === allShards
    )
  )

  /** How many members the table names, whether they live or not. */
  const named = Effect.map(
    ask<{ count: number }>("select count(*)::int as count from outdial_cluster_runners"),
    ({ count }) => count
  )

  /** Freezes a member that has work to do, until that happens within a transaction on a workspace. */
  const freezeInTransaction = ({ running: { process } }: Member) =>
    Effect.gen(function* () {
      process.kill("SIGSTOP")
      yield* ask(`select pg_sleep(0.1)`)
      const { count } = yield* ask<{ count: number }>(stuckInTransaction)
      if (count === 0) process.kill("SIGCONT")
      return count > 0
    }).pipe(
      Effect.repeat({
        until: (within) => within,
        // Long enough to keep its share meanwhile.
        schedule: Schedule.jittered(Schedule.spaced("300 millis"))
      }),
      Effect.asVoid
    )

  return { members, tenants, place, dialledTwice, dialled, restart, sharing, named, freezeInTransaction }
})
