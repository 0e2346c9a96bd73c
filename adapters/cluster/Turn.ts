import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Scope } from "effect"

/** The lock of what processes do one after the other; the first half keeps it apart from others' locks. */
const lock = "1870029924, 2"

/**
 * Runs work while no other process on the same PostgreSQL database runs such work. The lock goes with the
 * connection, so that it is free again when the process dies.
 */
export const inTurn = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R | SqlClient> =>
  Effect.flatMap(SqlClient, ({ reserve }) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) =>
        Effect.flatMap(Scope.extend(reserve, scope), (connection) =>
          Effect.acquireUseRelease(
            Effect.interruptible(
              connection.executeUnprepared(`select pg_advisory_lock(${lock})`, [], undefined)
            ),
            () => work,
            () =>
              Effect.ignore(connection.executeUnprepared(`select pg_advisory_unlock(${lock})`, [], undefined))
          )
        ),
      Scope.close
    )
  )
