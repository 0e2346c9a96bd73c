import type { Connection } from "@effect/sql/SqlConnection"
import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Duration, Effect, Schedule, Scope } from "effect"

/** The lock of what processes do one after the other; the first half keeps it apart from others' locks. */
const lock = "1870029924, 2"

/** How long a process waits for its turn. */
const patience = Duration.seconds(30)
/** How often it asks whether its turn has come. */
const spacing = "50 millis"
/** A process that is silent for so long has lost the lock: it is frozen, cut off, or its machine is gone. */
const silence = Duration.seconds(10)
/** How often the process that has the lock says that it lives. */
const beat = Duration.times(silence, 0.25)

/** Not to be interrupted: the driver would cancel whatever runs on the connection a moment later. */
const ask = (connection: Connection, statement: string) =>
  Effect.uninterruptible(connection.executeUnprepared(statement, [], undefined))

const take = (connection: Connection) =>
  ask(connection, `set idle_session_timeout = ${Duration.toMillis(silence)}`).pipe(
    Effect.zipRight(
      Effect.repeat(ask(connection, `select pg_try_advisory_lock(${lock}) as taken`), {
        until: ([row]) => row?.taken === true,
        schedule: Schedule.spaced(spacing)
      })
    ),
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () => {
        const waited = `another process has been starting on it for ${Duration.toSeconds(patience)} seconds`
        return new SqlError({ cause: new Error(waited) })
      }
    })
  )

const give = (connection: Connection) =>
  Effect.ignore(ask(connection, "select pg_advisory_unlock_all(); reset idle_session_timeout"))

/**
 * Runs work while no other process on the same PostgreSQL database runs such work, and stops it when that can no more
 * be said. The lock goes with the connection: it is free again once the process has died, or is not heard of for ten
 * seconds. Fails when the turn does not come within half a minute.
 */
export const whileLocked = <A, E, R>(
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R | SqlClient> =>
  Effect.flatMap(SqlClient, ({ reserve }) =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) =>
        Effect.flatMap(Scope.extend(reserve, scope), (connection) => {
          const lives = Effect.forever(Effect.delay(ask(connection, "select 1"), beat))
          return Effect.ensuring(
            Effect.zipRight(take(connection), Effect.raceFirst(work, lives)),
            give(connection)
          )
        }),
      Scope.close
    )
  )
