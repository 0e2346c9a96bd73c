import { Client, Pool } from "pg"
import { Cause, type Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import { layer as reactivity } from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql/SqlClient"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { CurrentUnit } from "../../shared/UnitOfWork.ts"
import { Database, type Param } from "../Database.ts"
import { layoutClient } from "./Client.ts"
import { makeConnectionLanes } from "./ConnectionLanes.ts"
import type { Driver } from "./Driver.ts"
import { faultOf, unavailable } from "./Faults.ts"
import { makeFlushes } from "./Flushes.ts"
import { layOut } from "./Layout.ts"
import { layoutLock, makePools, type Settings } from "./Pools.ts"
import { makeSession } from "./Session.ts"
import { prepare } from "./StatementCache.ts"
import { makeTransactions } from "./Transactions.ts"
import { counting, countingEach, nested, type PostgresUnit, queryOf, rowsOf, telling } from "./Unit.ts"

export interface PostgresConfig {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: Redacted.Redacted
  /** How many connections are open at most. 10, unless told. */
  readonly connections?: number
  /** 5 seconds, unless told. */
  readonly connectTimeout?: Duration.DurationInput
  /** How long a statement may take before its unit dies with StoreUnavailable. 10 seconds, unless told. */
  readonly statementTimeout?: Duration.DurationInput
  /** How long a unit waits for another process's unit on the same workspace. 5 seconds, unless told. */
  readonly lockTimeout?: Duration.DurationInput
}

/** How often a query outside of units is tried at most: each connection may have prepared it for an old layout. */
const tries = 5

const unitOf = (context: Context.Context<never>): PostgresUnit | undefined =>
  context.unsafeMap.get(CurrentUnit.key) as PostgresUnit | undefined

const withUnit = <A, E, R>(
  inside: (unit: PostgresUnit) => Effect.Effect<A, E, R>,
  outside: () => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) => {
    const unit = unitOf(fiber.currentContext)
    return unit === undefined ? outside() : inside(unit)
  })

/** node-postgres itself, since @effect/sql's connection around it waits for each answer before it sends on. */
const driver: Driver = {
  client: (config) => new Client(config),
  pool: (config) => new Pool(config)
}

/** Brings the database to the newest layout, one process after the other. */
const prepareDatabase = (settings: Settings) =>
  Effect.gen(function* () {
    const { lost } = yield* layoutLock(driver, settings)
    const client = yield* layoutClient(settings)
    // A migration that does not end although the lock is lost fails with its connection, when the scope closes.
    yield* Effect.raceFirst(Effect.disconnect(Effect.provideService(layOut, SqlClient, client)), lost)
  }).pipe(Effect.scoped, Effect.provide(reactivity))

const make = Effect.fnUntraced(function* (config: PostgresConfig) {
  const settings: Settings = {
    url: Redacted.value(config.url),
    connections: config.connections ?? 10,
    connectTimeout: Duration.toMillis(config.connectTimeout ?? "5 seconds"),
    statementTimeout: Duration.toMillis(config.statementTimeout ?? "10 seconds"),
    lockTimeout: Duration.toMillis(config.lockTimeout ?? "5 seconds")
  }
  if (!/^postgres(ql)?:/.test(settings.url)) {
    return yield* unavailable("its URL is none of PostgreSQL")
  }
  yield* prepareDatabase(settings)
  const { flushing, reading, writers, writing } = yield* makePools(driver, settings)

  const lanes = makeConnectionLanes(writers, (answered, connected) =>
    writing.connect((error, client) =>
      connected(client === undefined ? faultOf(error) : makeSession(client, answered))
    )
  )
  const flush = makeFlushes((flushed) =>
    flushing.query("select pg_logical_emit_message(true, 'outdial', '')", (error) =>
      flushed(error ? faultOf(error) : undefined)
    )
  )
  const { close, transaction } = makeTransactions(lanes, flush)
  yield* Effect.addFinalizer(() => close)

  const select = (sql: string, params: ReadonlyArray<Param>): Effect.Effect<ReadonlyArray<never>> =>
    Effect.async((resume) => {
      const query = queryOf(prepare(sql), params)
      const go = (left: number) =>
        reading.query(query, (error, result) => {
          if (!error) return resume(Exit.succeed(result.rows as ReadonlyArray<never>))
          const { again, defect } = faultOf(error)
          return again && left > 0 ? go(left - 1) : resume(Exit.die(defect))
        })
      go(tries)
    })

  /** Commits by itself. When it fails with its connection, it may have happened nevertheless. */
  const execute = (sql: string, params: ReadonlyArray<Param>): Effect.Effect<number> =>
    Effect.async((resume) => {
      const query = queryOf(prepare(sql), params)
      const go = (left: number) =>
        writing.query(query, (error, result) => {
          if (!error) {
            return flush((fault) =>
              resume(fault === undefined ? Exit.succeed(result.rowCount ?? 0) : Exit.die(fault.defect))
            )
          }
          const { again, defect } = faultOf(error)
          return again && left > 0 ? go(left - 1) : resume(Exit.die(defect))
        })
      go(tries)
    })

  const run: Database["Type"]["run"] = (workspace_id, sql, params, counted = true) =>
    withUnit(
      (unit) => (counted ? counting : telling)(unit, workspace_id, sql, params),
      () =>
        transaction(
          workspace_id,
          Effect.suspend(() => run(workspace_id, sql, params, counted))
        )
    )

  const runEach: Database["Type"]["runEach"] = (workspace_id, sql, rows) =>
    withUnit(
      (unit) => countingEach(unit, workspace_id, sql, rows),
      () =>
        transaction(
          workspace_id,
          Effect.suspend(() => runEach(workspace_id, sql, rows))
        )
    )

  const all = (workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
    withUnit(
      (unit) => rowsOf(unit, workspace_id, sql, params),
      () => select(sql, params)
    )

  return Database.of({
    all,
    aside: all,
    run,
    runEach,
    alone: (workspace_id, sql, params) =>
      withUnit(
        (unit) => counting(unit, workspace_id, sql, params),
        () => execute(sql, params)
      ),
    transaction: (workspaces, work) =>
      withUnit(
        (unit) => nested(unit, workspaces, work),
        () => transaction(workspaces, work)
      ),
    unit: (workspaces, work) =>
      withUnit(
        () => work,
        () => transaction(workspaces, work)
      )
  })
})

/**
 * A PostgreSQL database, which other processes may use at the same time. Units of one workspace go one after the
 * other, in all processes (see UnitRun). What a unit answers is on disk by then; other processes may have read it a
 * moment before. A unit that the server could not end, or not in time, dies with StoreUnavailable; when the connection is
 * lost while it is being committed, that may have happened nevertheless.
 */
export const layer = (config: PostgresConfig): Layer.Layer<Database, StoreUnavailable> =>
  Layer.scoped(
    Database,
    make(config).pipe(
      Effect.catchAllCause((cause) => {
        const error = Cause.squash(cause)
        return Effect.fail(error instanceof StoreUnavailable ? error : new StoreUnavailable({ cause: error }))
      })
    )
  )
