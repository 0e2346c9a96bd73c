import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, type Redacted } from "effect"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { withDriver } from "../../platform/Packages.ts"
import * as Store from "../../platform/Store.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"
import type { Inside } from "./Storage.ts"

interface Server {
  readonly version: string
  readonly layout: string | null
  readonly megabytes: number
  /** When either is off, a power cut can lose or damage committed data. */
  readonly fsync: string
  readonly full_page_writes: string
  readonly standby: boolean
}

const inspect = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [server] = yield* sql<Server>`select current_setting('server_version') as version,
    to_regclass('outdial_migrations')::text as layout, pg_is_in_recovery() as standby,
    round(pg_database_size(current_database()) / 1048576.0, 1)::float8 as megabytes,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes`
  const applied =
    server!.layout === null
      ? []
      : yield* sql<{ readonly id: number }>`select max(migration_id) as id from outdial_migrations`
  return { ...server!, layout: applied[0]?.id ?? null }
})

const durability = ({ fsync, full_page_writes }: Pick<Server, "fsync" | "full_page_writes">): Finding => {
  const off = Object.entries({ fsync, full_page_writes }).flatMap(([name, value]) =>
    value === "on" ? [] : [name]
  )
  return off.length === 0
    ? ok("journal", "write-ahead log, flushed to the disk before a commit is answered (fsync on)")
    : broken(
        "journal",
        `${off.join(" and ")} off at the server: after a power cut a call could be dialled twice`
      )
}

/** Checks a PostgreSQL database. One that has no tables yet is left as it is. */
export const postgres = Effect.fnUntraced(function* (url: Redacted.Redacted, inside: Inside) {
  const { layer } = yield* withDriver("pg", () => import("../../../adapters/sql/postgres/Client.ts"))
  const server = yield* inspect.pipe(
    Effect.catchTag("SqlError", (cause) => new StoreUnavailable({ cause })),
    Effect.provide(layer(url))
  )
  if (server.standby) {
    return [broken("database", "its server is a standby, which takes no writes: name the primary")]
  }
  if (server.layout === null) {
    const empty = `PostgreSQL ${server.version} answers; the database is laid out when the server first starts`
    return [warning("database", empty), durability(server)]
  }
  const found = yield* Effect.provide(inside, Store.postgres(url, 3))
  const { layout, megabytes, version } = server
  const usable = `PostgreSQL ${version} can be read and written: layout ${layout}, ${megabytes.toFixed(1)} MB`
  return [ok("database", usable), durability(server), ...found]
})
