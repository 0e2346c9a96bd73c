import * as PgClient from "@effect/sql-pg/PgClient"
import type { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { Pool } from "pg"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"

const acquire = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pool({
        connectionString: Redacted.value(url),
        application_name: "outdial cluster",
        max: 3,
        connectionTimeoutMillis: 5_000,
        query_timeout: 15_000,
        keepAlive: true,
        onConnect: (client) => client.query("set synchronous_commit = off")
      })
      // A connection that is lost while nobody uses it is replaced when it is needed.
      pool.on("error", () => undefined)
      return pool
    }),
    (pool) =>
      Effect.ignore(
        Effect.timeout(
          Effect.promise(() => pool.end()),
          "1 second"
        )
      )
  )

/**
 * A client of @effect/sql on the same database, for what keeps tables of its own there: three connections, whose
 * commits do not wait for the disk.
 */
export const layer = (url: Redacted.Redacted): Layer.Layer<SqlClient, StoreUnavailable> =>
  PgClient.layerFromPool({ acquire: acquire(url), applicationName: "outdial cluster" }).pipe(
    Layer.mapError((cause) => new StoreUnavailable({ cause }))
  )
