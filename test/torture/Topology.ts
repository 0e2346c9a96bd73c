import { Effect } from "effect"
import { join } from "node:path"
import { appendFileSync, statSync } from "node:fs"
import type { Entry } from "../../adapters/simulated/LedgerEntry.ts"
import { password } from "../adapters/sql/PostgresServer.ts"
import * as Processes from "../programs/Processes.ts"
import * as Programs from "../programs/Programs.ts"
import { linesOf, type Received } from "./Evidence.ts"
import * as Members from "./Members.ts"
import * as Naps from "./Naps.ts"
import { makeFolder, makeTenants, postgres, sqlite } from "./Stores.ts"

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
  const log = join(folder.path, "servers.log")
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
    programs.outdial,
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
    appendFileSync(log, `process ${running.process.pid} ended at ${new Date().toISOString()}\n${output}\n`)
    const secrets = [...tenants.map(({ key }) => key), password]
    if (/\+1\d{10}/.test(output) || secrets.some((secret) => output.includes(secret))) leaks += 1
  }

  const members = yield* Effect.forEach(
    Array.from({ length: options.processes }, (_, n) => `server ${n}`),
    Effect.fnUntraced(function* (name) {
      const { proxy, url } = yield* database.urlFor
      const member = yield* Members.make(name, {
        program: programs.server,
        settings: {
          OUTDIAL_DATABASE_URL: url,
          OUTDIAL_SIMULATED_URL: `http://127.0.0.1:${carrierPort}`,
          OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
          OUTDIAL_PRICE_PER_MINUTE: String(options.price_per_minute),
          OUTDIAL_LOG_LEVEL: "DEBUG",
          [Naps.setting]: nap
        },
        over: check,
        hung: () => void (hung += 1)
      })
      return Object.assign(member, { proxy })
    })
  )
  yield* Members.started(members)

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
