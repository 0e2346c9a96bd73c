import { Effect, Redacted, type Scope } from "effect"
import { join } from "node:path"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import type { Entry } from "../../adapters/simulated/LedgerEntry.ts"
import { administration } from "../../apps/platform/Administration.ts"
import * as Store from "../../apps/platform/Store.ts"
import { allScopes } from "../../core/model/workspaces/Principal.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import { freshDatabase, makeServer, password } from "../adapters/sql/PostgresServer.ts"
import * as Processes from "../programs/Processes.ts"
import * as Programs from "../programs/Programs.ts"
import * as TcpProxy from "../TcpProxy.ts"
import { linesOf, type Received } from "./Evidence.ts"
import * as Naps from "./Naps.ts"

export interface Options {
  readonly store: "sqlite" | "postgres"
  readonly processes: number
  readonly workspaces: number
  /** What the carrier divides the durations of calls by. */
  readonly speed: number
  readonly price_per_minute: number
  readonly calls_per_second: number
  /** Of so many webhooks in a hundred the first try is refused. */
  readonly refused: number
  readonly patches: ReadonlyArray<Programs.Patch>
}

/** One server process, which may be down. */
export interface Member {
  readonly name: string
  readonly port: number
  readonly proxy: TcpProxy.TcpProxy | null
  /** Open while it is up. */
  readonly up: Effect.Latch
  running: Processes.Running | null
}

export interface Tenant {
  readonly workspace_id: string
  readonly key: string
  readonly granted: number
}

const granted = 1_000_000

/** A folder that goes with the scope, unless it is to be kept. */
const makeFolder = Effect.gen(function* () {
  const path = mkdtempSync(join(tmpdir(), "outdial-torture-"))
  let kept = false
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      if (!kept) rmSync(path, { recursive: true, force: true })
    })
  )
  return {
    path,
    keep: Effect.sync(() => {
      kept = true
    })
  }
})

interface Database {
  readonly restart: (mode: "fast" | "immediate") => Effect.Effect<void>
  /** A URL for one process. */
  readonly urlFor: Effect.Effect<
    { readonly url: string; readonly proxy: TcpProxy.TcpProxy | null },
    never,
    Scope.Scope
  >
  readonly direct: Store.Location
}

const sqlite = (folder: string): Database => ({
  restart: () => Effect.void,
  urlFor: Effect.succeed({ url: `sqlite:${join(folder, "outdial.db")}`, proxy: null }),
  direct: { _tag: "Sqlite", filename: join(folder, "outdial.db") }
})

/** Each process has a way of its own to the server, so that one can be cut off. */
const postgres = Effect.gen(function* () {
  const server = yield* makeServer({ durable: true })
  const { url } = yield* freshDatabase(server)
  return {
    restart: (mode) => Effect.zipRight(server.stop(mode), server.start),
    urlFor: Effect.map(TcpProxy.make(server.port), (proxy) => ({
      url: url.replace(`:${server.port}/`, `:${proxy.port}/`),
      proxy
    })),
    direct: { _tag: "Postgres", url: Redacted.make(url) }
  } satisfies Database
})

const makeTenants = (place: Store.Location, count: number, calls_per_second: number) =>
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const credits = yield* Credits
    return yield* Effect.forEach(
      Array.from({ length: count }, (_, n) => `Tenant ${n}`),
      Effect.fnUntraced(function* (name) {
        const { id } = yield* workspaces.create({ name, calls_per_second, max_concurrency: 1_000 })
        yield* credits.topUp(id, granted, null)
        const { key } = yield* workspaces.createKey(id, { name: "torture", scopes: allScopes })
        return { workspace_id: id, key, granted } satisfies Tenant
      })
    )
  }).pipe(Effect.provide(administration(Store.of(place, 3))), Effect.orDie)

/**
 * Server processes on one store, the carrier and the receiver of webhooks as processes of their own, each with a ledger
 * that is on the disk before it answers.
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const folder = yield* makeFolder
  const programs = yield* Programs.patched(options.patches)
  const ledgers = {
    carrier: join(folder.path, "carrier.ndjson"),
    receiver: join(folder.path, "receiver.ndjson")
  }
  const nap = join(folder.path, "nap")
  const receiver = yield* Processes.scoped(
    programs.receiver,
    [ledgers.receiver, String(options.refused)],
    {},
    /\/hook\n/
  )
  const hook = /http\S+/.exec(receiver.output())![0]

  const carrierPort = yield* Processes.freePort
  const carrierArgs = ["--port", carrierPort, "--ledger", ledgers.carrier, "--speed", options.speed]
  const startCarrier = Processes.start(
    programs.cli,
    ["carrier", ...carrierArgs.map(String)],
    {},
    /listens on/
  )
  let carrier = yield* startCarrier
  yield* Effect.addFinalizer(() => Processes.kill(carrier))
  /** Kills the carrier and starts it again on its ledger; calls under way go on meanwhile. */
  const restartCarrier = (millis: number) =>
    Effect.gen(function* () {
      yield* Processes.kill(carrier)
      yield* Effect.sleep(millis)
      carrier = yield* startCarrier
    })

  const database = options.store === "sqlite" ? sqlite(folder.path) : yield* postgres
  const tenants = yield* makeTenants(database.direct, options.workspaces, options.calls_per_second)

  let hung = 0
  let leaks = 0
  /** What a process has printed may hold neither a key nor a number. */
  const check = (running: Processes.Running) => {
    const output = running.output()
    const secrets = [...tenants.map(({ key }) => key), password]
    if (/\+1\d{10}/.test(output) || secrets.some((secret) => output.includes(secret))) leaks += 1
  }

  const members = yield* Effect.forEach(
    Array.from({ length: options.processes }, (_, n) => `server ${n}`),
    Effect.fnUntraced(function* (name) {
      const { proxy, url } = yield* database.urlFor
      const port = yield* Processes.freePort
      const settings = {
        PORT: String(port),
        OUTDIAL_DATABASE_URL: url,
        OUTDIAL_SIMULATED_URL: `http://127.0.0.1:${carrierPort}`,
        OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
        OUTDIAL_PRICE_PER_MINUTE: String(options.price_per_minute),
        OUTDIAL_LOG_LEVEL: "DEBUG",
        [Naps.setting]: nap
      }
      const member: Member = { name, port, proxy, up: Effect.unsafeMakeLatch(false), running: null }
      const start = Processes.start(programs.server, [], settings, /Listening on/)
      const over = (running: Processes.Running) =>
        Effect.suspend(() => {
          member.running = null
          check(running)
          return Effect.zipRight(member.up.close, Processes.kill(running))
        })
      /** A process that ends for any reason is started again, as a supervisor would. */
      yield* Effect.uninterruptibleMask((restore) =>
        restore(Effect.timeout(start, "1 minute")).pipe(
          Effect.tap((running) => {
            member.running = running
            return member.up.open
          }),
          Effect.flatMap((running) =>
            Effect.ensuring(restore(Effect.promise(() => running.exited)), over(running))
          )
        )
      ).pipe(
        Effect.catchTags({
          ProgramEnded: () => Effect.sleep("200 millis"),
          TimeoutException: () => Effect.sync(() => void (hung += 1))
        }),
        Effect.forever,
        Effect.forkScoped
      )
      return member
    })
  )
  yield* Effect.forEach(members, ({ up }) => up.await, { concurrency: "unbounded", discard: true }).pipe(
    Effect.timeoutFail({ duration: "2 minutes", onTimeout: () => new Error("the servers do not start") }),
    Effect.orDie
  )

  /** What stands in both ledgers, in bytes: their lines are about as long as each other. */
  const written = Effect.sync(() => {
    const sizes = Object.values(ledgers).map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
    return sizes.reduce((sum, size) => sum + size, 0)
  })

  return {
    folder,
    ledgers,
    nap,
    hook,
    tenants,
    members,
    database,
    restartCarrier,
    written,
    /** Processes whose output had something secret in it. */
    leaks: () => leaks,
    /** Processes that were not up a minute after their start. */
    hung: () => hung,
    carrier: () => linesOf<Entry>(ledgers.carrier),
    received: () => linesOf<Received>(ledgers.receiver)
  }
})

export type Topology = Effect.Effect.Success<ReturnType<typeof make>>
