import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Effect, Layer, Schedule } from "effect"
import * as Secrets from "../../../adapters/crypto/Secrets.ts"
import * as CarrierServer from "../../../adapters/simulated/CarrierServer.ts"
import { Ids } from "../../../core/Ids.ts"
import { Credits } from "../../../core/workspaces/Credits.ts"
import { allScopes } from "../../../core/workspaces/Principal.ts"
import { Workspaces } from "../../../core/workspaces/Workspaces.ts"
import * as Processes from "../../crash/Processes.ts"
import type { Dial } from "../../crash/Rig.ts"
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

const administration = (url: string) =>
  Layer.mergeAll(Workspaces.layer, Credits.layer).pipe(
    Layer.provide([onUrl(url, { connections: 3 }), Ids.layer, Secrets.layer])
  )

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
  }).pipe(Effect.provide(administration(url)), Effect.orDie)

export interface Options {
  readonly postgres: Server
  readonly servers: number
  readonly tenants: number
}

/**
 * Server processes that start together on an empty PostgreSQL database and workspaces that use any of them, with a carrier that outlives the
 * servers and writes down every dial before it answers.
 */
export const make = Effect.fnUntraced(function* ({ postgres, servers, tenants: count }: Options) {
  const folder = mkdtempSync(join(tmpdir(), "outdial-cluster-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const ledger = join(folder, "carrier.ndjson")
  const { url: carrier } = yield* CarrierServer.serve({ ledgerFile: ledger, speed: 40 })
  const { url } = yield* freshDatabase(postgres)
  const start = (port: number) =>
    Processes.start(
      "apps/server/main.ts",
      [],
      { PORT: String(port), OUTDIAL_DATABASE_URL: url, OUTDIAL_SIMULATED_URL: carrier },
      /Listening on/
    )
  const members = yield* Effect.forEach(
    Array.from({ length: servers }, (_, n) => `server ${n}`),
    Effect.fnUntraced(function* (name) {
      const port = yield* Processes.freePort
      const member: Member = { name, port, running: yield* start(port) }
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

  const dials = () =>
    readFileSync(ledger, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Dial)
      .filter(({ _tag }) => _tag === "Dial")

  /** Keys that the carrier was asked to dial more than once. */
  const dialledTwice = () => {
    const keys = dials().map(({ key }) => key)
    return keys.filter((key, n) => keys.indexOf(key) !== n)
  }

  /** Waits until the carrier has dialled these calls; answers how many milliseconds that took. */
  const dialled = (calls: Iterable<string>) =>
    Effect.gen(function* () {
      const wanted = [...calls]
      const start = yield* Clock.currentTimeMillis
      yield* Effect.sync(() => new Set(dials().map(({ call_id }) => call_id))).pipe(
        Effect.repeat({
          until: (ids) => wanted.every((id) => ids.has(id)),
          schedule: Schedule.spaced("20 millis")
        })
      )
      return (yield* Clock.currentTimeMillis) - start
    })

  /** Starts a server again that has ended. */
  const restart = (member: Member) =>
    Effect.map(start(member.port), (running) => {
      member.running = running
    })

  return { members, tenants, place, dialledTwice, dialled, restart }
})
