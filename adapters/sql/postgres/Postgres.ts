import { Client, Pool as PgPool } from "pg"
import { Cause, type Context, Duration, Effect, Exit, Layer, Redacted } from "effect"
import { layer as reactivity } from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql/SqlClient"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { CurrentUnit } from "../../shared/UnitOfWork.ts"
import { Database, type Param } from "../Database.ts"
import { layoutClient } from "./Client.ts"
import { type ConnectionLanes, makeConnectionLanes, type WaitingUnit } from "./ConnectionLanes.ts"
import type { Driver, Pool, Query } from "./Driver.ts"
import { type Fault, faultOf, unavailable } from "./Faults.ts"
import { makeFlushes } from "../Flushes.ts"
import { layOut } from "./Layout.ts"
import { layoutLock, makePools, type Settings } from "./Pools.ts"
import { type Answer, sessionOf } from "./Session.ts"
import { prepare } from "./StatementCache.ts"
import { makeTransactions } from "./Transactions.ts"
import {
  countIn,
  counting,
  each,
  nested,
  type PostgresUnit,
  queryOf,
  rowsIn,
  rowsOf,
  telling
} from "./Unit.ts"

export interface PostgresConfig {
  /** `postgres://user:password@host:port/database?sslmode=…` */
  readonly url: Redacted.Redacted
  /** How many connections are open at most. 10, unless told. */
  readonly connections?: number
  /** How long a connection may take to be opened; waiting for one that is in use counts for nothing. 5 seconds, unless told. */
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
  pool: (config) => new PgPool(config)
}

const lanesOn = (pool: Pool, most: number) =>
  makeConnectionLanes(most, (connected) =>
    pool.connect((error, client) => connected(client === undefined ? faultOf(error) : sessionOf(client)))
  )

/**
 * Sends a query that is part of no unit once a connection is free. Answers what calls it off for as long as it waits.
 */
const ask = (lanes: ConnectionLanes, query: Query, answer: Answer): (() => void) => {
  let left = tries
  const waiting: WaitingUnit = {
    begin: (session, ended) => {
      session.send(query, (fault, result) => {
        if (fault?.again !== true || left === 0) return answer(fault, result)
        left -= 1
        lanes.join(waiting, waiting)
      })
      ended()
    },
    lose: (fault) => answer(fault, undefined)
  }
  lanes.join(waiting, waiting)
  return () => lanes.leave(waiting, waiting)
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
  const { flushing, reading, readers, writers, writing } = yield* makePools(driver, settings)
  const readLanes = lanesOn(reading, readers)
  const lanes = lanesOn(writing, writers)
  const flush = makeFlushes<Fault>((flushed) =>
    flushing.query("select pg_logical_emit_message(true, 'outdial', '')", (error) =>
      flushed(error ? faultOf(error) : undefined)
    )
  )
  const { close, transaction } = makeTransactions(lanes, flush)
  yield* Effect.addFinalizer(() => close)

  const select = (sql: string, params: ReadonlyArray<Param>): Effect.Effect<ReadonlyArray<never>> =>
    Effect.async((resume) => {
      const leave = ask(readLanes, queryOf(prepare(sql), params), (fault, result) =>
        resume(
          fault === undefined ? Exit.succeed(result!.rows as ReadonlyArray<never>) : Exit.die(fault.defect)
        )
      )
      return Effect.sync(leave)
    })

  /** Commits by itself. When it fails with its connection, it may have happened nevertheless. */
  const execute = (sql: string, params: ReadonlyArray<Param>): Effect.Effect<number> =>
    Effect.async((resume) => {
      const leave = ask(lanes, queryOf(prepare(sql), params), (fault, result) => {
        if (fault !== undefined) return resume(Exit.die(fault.defect))
        flush((fault) =>
          resume(fault === undefined ? Exit.succeed(result!.rowCount ?? 0) : Exit.die(fault.defect))
        )
      })
      return Effect.sync(leave)
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

  /** One statement for each of many rows, in the unit under way, or else in one of their own. */
  const runEach: Database["Type"]["runEach"] = (workspace_id, sql, rows, counted = true) =>
    withUnit(
      (unit) =>
        counted
          ? each(unit, workspace_id, sql, rows, countIn)
          : Effect.forEach(rows, (params) => telling(unit, workspace_id, sql, params)),
      () =>
        transaction(
          workspace_id,
          Effect.suspend(() => runEach(workspace_id, sql, rows, counted))
        )
    )

  const allEach: Database["Type"]["allEach"] = (workspace_id, sql, rows) =>
    withUnit(
      (unit) => each(unit, workspace_id, sql, rows, rowsIn),
      () =>
        transaction(
          workspace_id,
          Effect.suspend(() => allEach(workspace_id, sql, rows))
        )
    )

  const all = (workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
    withUnit(
      (unit) => rowsOf(unit, workspace_id, sql, params),
      () => select(sql, params)
    )

  return Database.of({
    all,
    read: (workspace_id, sql, params, made) => Effect.map(all(workspace_id, sql, params), made),
    aside: all,
    allEach,
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
 *
 * What waits for a connection that is in use waits for as long as what came before it takes, each statement at most its
 * timeout, or until its caller is interrupted. It dies with StoreUnavailable when none is open and none can be opened.
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
