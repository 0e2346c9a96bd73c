import { layer as reactivity } from "@effect/experimental/Reactivity"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { Cause, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import { Database, type Param } from "./Database.ts"
import { make as makeGroupCommit } from "./GroupCommit.ts"
import { migrate } from "./Migrations.ts"
import { CurrentUnit, inUnit, type Unit } from "./Unit.ts"

export interface SqliteConfig {
  /** Path of the database file; it is made when there is none, its folder is not. */
  readonly filename: string
}

/** Milliseconds that a statement waits, with all else, while another process writes to the same file. */
const busyTimeout = 5_000

/** A broken constraint is a mistake of the caller's; all else that a statement can die of is the store's. */
const defect = (error: SqlError): unknown =>
  String((error.cause as { readonly code?: unknown } | undefined)?.code).startsWith("SQLITE_CONSTRAINT")
    ? error
    : new StoreUnavailable({ cause: error })

const open = Effect.fnUntraced(function* (filename: string, readonly: boolean) {
  const client = yield* SqliteClient.make({
    filename,
    readonly,
    prepareCacheSize: 1_000,
    prepareCacheTTL: Duration.infinity
  })
  const connection = yield* client.reserve
  const pragma = (text: string) => connection.executeUnprepared(`pragma ${text}`, [], undefined)
  yield* pragma(`busy_timeout = ${busyTimeout}`)
  yield* pragma("synchronous = full")
  // Else the pages that a savepoint keeps go to a temporary file: most of a large group's time.
  yield* pragma("temp_store = memory")
  yield* pragma("cache_size = -32768")
  yield* pragma("wal_autocheckpoint = 4000")
  return { client, connection }
})

/**
 * One transaction around all migrations: of two processes that open a new file, one waits for the other. It
 * runs without a break, so that two that open it within one process do not wait for each other.
 */
const migrateOnce = (client: SqlClient, connection: Connection) =>
  Effect.suspend(() =>
    Effect.runSyncExit(
      Effect.acquireUseRelease(
        connection.executeRaw("begin immediate", []),
        () =>
          Effect.provide(
            migrate,
            Context.make(SqlClient, client).pipe(Context.add(TransactionConnection, [connection, 0]))
          ),
        (_, exit) => Effect.orDie(connection.executeRaw(Exit.isSuccess(exit) ? "commit" : "rollback", []))
      )
    )
  )

const make = Effect.fnUntraced(function* ({ filename }: SqliteConfig) {
  if (filename === "" || filename.startsWith(":memory:")) {
    const cause = new Error("the database needs a file, which its reader and its writer share")
    return yield* new StoreUnavailable({ cause })
  }
  const { client, connection: writer } = yield* open(filename, false)
  yield* migrateOnce(client, writer)
  const { connection: reader } = yield* open(filename, true)

  const commits = makeGroupCommit((sql) => {
    const exit = Effect.runSyncExit(writer.executeRaw(sql, []))
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  })
  yield* Effect.addFinalizer(() => {
    commits.close()
    return Effect.ignore(writer.execute("pragma wal_checkpoint(passive)", [], undefined))
  })

  const nested = <A, E, R>(unit: Unit, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const control = (sql: string) => inUnit(unit, writer.executeRaw(sql, []), defect)
    return Effect.uninterruptibleMask((restore) =>
      Effect.zipRight(
        control("savepoint inner_unit"),
        Effect.onExit(restore(work), (exit) => {
          if (!unit.open || unit.spoilt !== undefined) return Effect.void
          const release = control("release savepoint inner_unit")
          return Exit.isSuccess(exit)
            ? release
            : Effect.zipRight(control("rollback to savepoint inner_unit"), release)
        })
      )
    )
  }

  const withUnit = <A, E, R>(
    inside: (unit: Unit) => Effect.Effect<A, E, R>,
    outside: () => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const unit = Context.getOption(fiber.currentContext, CurrentUnit)
      return Option.isSome(unit) ? inside(unit.value) : outside()
    })

  const write = (unit: Unit, sql: string, params: ReadonlyArray<Param>) =>
    inUnit(
      unit,
      Effect.map(
        writer.executeRaw(sql, params),
        (result) => (result as { readonly changes: number }).changes
      ),
      defect
    )

  const currentUnit = Effect.withFiberRuntime<Unit>((fiber) =>
    Effect.succeed(Context.unsafeGet(fiber.currentContext, CurrentUnit))
  )

  const unit = <A>(work: Effect.Effect<A>) =>
    withUnit(
      () => work,
      () => commits.transaction(work)
    )

  return Database.of({
    all: (sql, params) =>
      withUnit(
        (own) => inUnit(own, writer.execute(sql, params, undefined), defect),
        () => Effect.catchAll(reader.execute(sql, params, undefined), (error) => Effect.die(defect(error)))
      ),
    run: (sql, params) =>
      withUnit(
        (own) => write(own, sql, params),
        () => commits.transaction(Effect.flatMap(currentUnit, (own) => write(own, sql, params)))
      ),
    transaction: (work) =>
      withUnit(
        (own) => nested(own, work),
        () => commits.transaction(work)
      ),
    unit
  })
})

/**
 * A SQLite file: one connection that writes, in groups (see GroupCommit), and one that reads what is committed.
 * A commit is on disk when it is answered (`synchronous = full`). Another process may open the same file: each
 * waits for the other's commits, at most five seconds, then its unit dies with StoreUnavailable.
 */
export const layer = (config: SqliteConfig): Layer.Layer<Database, StoreUnavailable> =>
  Layer.scoped(
    Database,
    make(config).pipe(
      Effect.catchAllCause((cause) => {
        const error = Cause.squash(cause)
        return Effect.fail(error instanceof StoreUnavailable ? error : new StoreUnavailable({ cause: error }))
      })
    )
  ).pipe(Layer.provide(reactivity))
