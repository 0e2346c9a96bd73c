import { layer as reactivity } from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { Pool } from "pg"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { closing } from "./Closing.ts"
import type { PoolConfig } from "./Driver.ts"
import { heardOf, silence } from "./Liveness.ts"
import { clientConfig, type Settings } from "./Pools.ts"

const applicationName = "outdial cluster"

/** How long an answer may take. The callers ask for little, and ask again. */
const answerTimeout = 5_000

const config = (url: Redacted.Redacted): Omit<PoolConfig, "types" | "idleTimeoutMillis"> => ({
  connectionString: Redacted.value(url),
  application_name: applicationName,
  max: 3,
  connectionTimeoutMillis: 5_000,
  query_timeout: answerTimeout,
  keepAlive: true,
  // Of the driver's two modes, this one closes a connection whose answer does not come; in the other the pool lends
  // it out again.
  pipeline: true,
  onConnect: (client) => client.query(`set synchronous_commit = off; ${heardOf}`)
})

/**
 * A client of @effect/sql on the same database, for a library that keeps tables of its own there: three connections,
 * whose commits do not wait for the disk.
 */
export const layer = (url: Redacted.Redacted): Layer.Layer<SqlClient, StoreUnavailable> =>
  PgClient.fromPool({ acquire: closing(() => new Pool(config(url))), applicationName }).pipe(
    // A fiber that is interrupted while a connection is opened would never give it back.
    Effect.map((client) => Object.assign(client, { reserve: Effect.uninterruptible(client.reserve) })),
    Effect.mapError((cause) => new StoreUnavailable({ cause })),
    Layer.scoped(SqlClient),
    Layer.provide(reactivity)
  )

/** How long a step of the layout may take. The connection that has the lock notices when the server is gone. */
const layoutTimeout = 3_600_000

/** A client of one connection, which lays out the database: for the process that has the lock of the layout. */
export const layoutClient = (settings: Settings) =>
  PgClient.fromPool({
    acquire: closing(
      () =>
        new Pool({
          ...clientConfig(settings, layoutTimeout),
          application_name: "outdial layout",
          max: 1,
          onConnect: (client) =>
            client.query(`set idle_in_transaction_session_timeout = ${silence}; ${heardOf}`)
        })
    )
  })
