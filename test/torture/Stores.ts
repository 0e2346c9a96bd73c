import { Effect, Redacted, type Scope } from "effect"
import { join } from "node:path"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { administration } from "../../apps/platform/Administration.ts"
import * as Store from "../../apps/platform/Store.ts"
import { allScopes } from "../../core/model/workspaces/Principal.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import { freshDatabase, makeServer } from "../adapters/sql/PostgresServer.ts"
import * as TcpProxy from "../TcpProxy.ts"

export interface Tenant {
  readonly workspace_id: string
  readonly key: string
  readonly granted: number
}

const granted = 1_000_000

/** A folder that goes with the scope, unless it is to be kept. */
export const makeFolder = Effect.gen(function* () {
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

export interface Database {
  readonly restart: (mode: "fast" | "immediate") => Effect.Effect<void>
  /** A URL for one process. */
  readonly urlFor: Effect.Effect<
    { readonly url: string; readonly proxy: TcpProxy.TcpProxy | null },
    never,
    Scope.Scope
  >
  readonly direct: Store.Location
}

export const sqlite = (folder: string): Database => ({
  restart: () => Effect.void,
  urlFor: Effect.succeed({ url: `sqlite:${join(folder, "outdial.db")}`, proxy: null }),
  direct: { _tag: "Sqlite", filename: join(folder, "outdial.db") }
})

/** Each process has a way of its own to the server, so that one can be cut off. */
export const postgres = Effect.gen(function* () {
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

/** Workspaces with a key and more credits than they will need. */
export const makeTenants = (place: Store.Location, count: number, calls_per_second: number) =>
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
