import { Cause, Context, Effect, Exit, Layer, type Scope } from "effect"
import { layer as reactivity } from "@effect/experimental/Reactivity"
import { SqlClient, TransactionConnection } from "@effect/sql/SqlClient"
import type * as Reactivity from "@effect/experimental/Reactivity"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { CurrentUnit, inUnit, type Unit, type Workspaces } from "../../shared/UnitOfWork.ts"
import { Database, type Param } from "../Database.ts"
import { migrate } from "../Migrations.ts"
import type { AsideReader } from "./AsideReader.ts"
import { make as makeGroupCommit } from "./GroupCommit.ts"
import { make as makeLogFlushes } from "./LogFlushes.ts"
import { ownerOnly } from "./OwnerOnly.ts"
import { make as makeTurnReads } from "./TurnReads.ts"

export interface SqliteConfig {
  /** Path of the database file; it is made when there is none, its folder is not. Its owner alone may read it. */
  readonly filename: string
}

export interface SqliteStatement {
  /** Whether it answers rows. */
  readonly reader: boolean
  readonly all: (params: ReadonlyArray<Param>) => ReadonlyArray<unknown>
  /** The number of rows changed. */
  readonly run: (params: ReadonlyArray<Param>) => number
}

/** What a driver for SQLite supplies. It throws errors whose `code` is SQLite's own name: `SQLITE_BUSY`. */
export interface SqliteDriver {
  /** The connection of @effect/sql that migrations run on; it makes the file if there is none, in WAL mode. */
  readonly client: (filename: string) => Effect.Effect<SqlClient, never, Scope.Scope | Reactivity.Reactivity>
  readonly open: (
    filename: string,
    readonly: boolean
  ) => {
    readonly prepare: (sql: string) => SqliteStatement
    readonly exec: (sql: string) => void
    readonly close: () => void
  }
  /** What reads aside; a driver without it has no thread to spare, and reads all in its own. */
  readonly aside?: (filename: string, busyTimeout: number) => Effect.Effect<AsideReader, never, Scope.Scope>
}

/** Milliseconds that a statement waits, with all else, while another process writes to the same file. */
const busyTimeout = 5_000

/** A broken constraint is a mistake of the caller's; all else that a statement can die of is the store's. */
const defect = (error: unknown): unknown =>
  String((error as { readonly code?: unknown }).code).startsWith("SQLITE_CONSTRAINT")
    ? error
    : new StoreUnavailable({ cause: error })

/**
 * One transaction around all migrations: of two processes that open a new file, one waits for the other. It
 * runs without a break, so that two that open it within one process do not wait for each other.
 */
const migrateFile = Effect.fnUntraced(function* (driver: SqliteDriver, filename: string) {
  const client = yield* driver.client(filename)
  const connection = yield* client.reserve
  yield* connection.executeUnprepared(`pragma busy_timeout = ${busyTimeout}`, [], undefined)
  return yield* Effect.runSyncExit(
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
}, Effect.scoped)

/**
 * SQLite compiles a text anew whenever the bare parameter of a LIMIT is bound, as its plan could depend on the number. For a
 * text of many columns that takes 20 to 100 µs; to find no row takes less than one.
 */
const compiledOnce = (sql: string): string => sql.replaceAll("limit ?", "limit cast(? as integer)")

/**
 * A connection with its prepared statements. The driver itself, not @effect/sql's connection around it: that
 * costs as much again as the statement, and a call is driven to its end by some thirty statements.
 */
const connect = (driver: SqliteDriver, filename: string, readonly: boolean) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => driver.open(filename, readonly)),
      (db) => Effect.sync(() => db.close())
    ),
    (db) => {
      db.exec(`pragma busy_timeout = ${busyTimeout}`)
      // A commit is flushed by LogFlushes; SQLite flushes what it does not do with each: checkpoints.
      db.exec("pragma synchronous = normal")
      // Else the pages that a savepoint keeps go to a temporary file: most of a large group's time.
      db.exec("pragma temp_store = memory")
      db.exec("pragma cache_size = -6144")
      db.exec("pragma wal_autocheckpoint = 4000")
      const prepared = new Map<string, SqliteStatement>()
      const prepare = (sql: string) => {
        let statement = prepared.get(sql)
        if (statement === undefined) {
          statement = db.prepare(compiledOnce(sql))
          prepared.set(sql, statement)
        }
        return statement
      }
      return {
        all: (sql: string, params: ReadonlyArray<Param>) => {
          const statement = prepare(sql)
          if (statement.reader) return statement.all(params)
          statement.run(params)
          return []
        },
        run: (sql: string, params: ReadonlyArray<Param>) => {
          const statement = prepare(sql)
          return statement.reader ? statement.all(params).length : statement.run(params)
        }
      }
    }
  )

const unitOf = (context: Context.Context<never>): Unit | undefined =>
  context.unsafeMap.get(CurrentUnit.key) as Unit | undefined

const make = Effect.fnUntraced(function* (driver: SqliteDriver, { filename }: SqliteConfig) {
  if (filename === "" || filename.startsWith(":memory:")) {
    const cause = new Error("the database needs a file: its reader and its writer share it")
    return yield* new StoreUnavailable({ cause })
  }
  ownerOnly(filename)
  yield* migrateFile(driver, filename)
  const writer = yield* connect(driver, filename, false)
  const [journal] = writer.all("pragma journal_mode", []) as ReadonlyArray<{ readonly journal_mode: string }>
  if (journal?.journal_mode !== "wal") {
    const cause = new Error(
      "the file system allows no write-ahead log: the database needs a disk of this machine"
    )
    return yield* new StoreUnavailable({ cause })
  }
  const reader = yield* connect(driver, filename, true)
  const aside = driver.aside === undefined ? undefined : yield* driver.aside(filename, busyTimeout)

  const committed = makeTurnReads((sql, params) => writer.all(sql, params) as Array<never>)
  const commits = makeGroupCommit(
    (sql) => {
      committed.forget()
      writer.run(sql, [])
    },
    yield* makeLogFlushes(`${filename}-wal`)
  )
  const checkpoint = Effect.try(() => writer.run("pragma wal_checkpoint(passive)", []))
  // What is not in the file then stays in the log, and is read from there.
  yield* Effect.addFinalizer(() => Effect.zipRight(commits.close, Effect.ignore(checkpoint)))

  const nested = <A, E, R>(
    unit: Unit,
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> => {
    const control = (sql: string) =>
      Effect.suspend(() => inUnit(unit, workspaces, () => writer.run(sql, []), defect))
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
      const unit = unitOf(fiber.currentContext)
      return unit === undefined ? outside() : inside(unit)
    })

  /**
   * What is committed. Between groups the writer sees just that, and has the pages at hand, which the reader loses with
   * each commit.
   */
  const committedRows = (sql: string, params: ReadonlyArray<Param>): Exit.Exit<ReadonlyArray<never>> => {
    try {
      const rows = commits.underWay() ? reader.all(sql, params) : committed.all(sql, params)
      return Exit.succeed(rows as Array<never>)
    } catch (error) {
      return Exit.die(defect(error))
    }
  }

  const writeIn = (unit: Unit, sql: string, params: ReadonlyArray<Param>) => {
    const changed = writer.run(sql, params)
    if (changed > 0) unit.wrote = true
    return changed
  }

  const write = (unit: Unit, workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
    inUnit(unit, workspace_id, () => writeIn(unit, sql, params), defect)

  /** What a unit sees. A text may change the rows that it answers. */
  const seeIn = (unit: Unit, sql: string, params: ReadonlyArray<Param>) => {
    if (!sql.startsWith("select")) unit.wrote = true
    return writer.all(sql, params) as Array<never>
  }

  const see = (unit: Unit, workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
    inUnit(unit, workspace_id, () => seeIn(unit, sql, params), defect)

  const all = (workspace_id: string, sql: string, params: ReadonlyArray<Param>) =>
    withUnit(
      (unit) => see(unit, workspace_id, sql, params),
      () => committedRows(sql, params)
    )

  const run: Database["Type"]["run"] = (workspace_id, sql, params) =>
    withUnit(
      (unit) => write(unit, workspace_id, sql, params),
      () => commits.statement(workspace_id, (unit) => write(unit, workspace_id, sql, params))
    )

  /** One statement for each of many rows, in the unit under way, or else in one of their own. */
  const forEach =
    <A>(statement: (unit: Unit, sql: string, params: ReadonlyArray<Param>) => A) =>
    (
      workspace_id: string,
      sql: string,
      rows: ReadonlyArray<ReadonlyArray<Param>>
    ): Effect.Effect<ReadonlyArray<A>> => {
      const inside = (unit: Unit) =>
        inUnit(unit, workspace_id, () => rows.map((params) => statement(unit, sql, params)), defect)
      const joined: Effect.Effect<ReadonlyArray<A>> = withUnit(inside, () =>
        commits.transaction(workspace_id, joined)
      )
      return joined
    }

  return Database.of({
    all,
    read: (workspace_id, sql, params, made) =>
      withUnit(
        (unit) => Exit.map(see(unit, workspace_id, sql, params), made),
        () => Exit.map(committedRows(sql, params), made)
      ),
    aside:
      aside === undefined
        ? all
        : (workspace_id, sql, params) =>
            withUnit(
              (unit) => see(unit, workspace_id, sql, params),
              () => Effect.catchAllDefect(aside(sql, params), (error) => Effect.die(defect(error)))
            ),
    allEach: forEach(seeIn),
    run,
    runEach: forEach(writeIn),
    alone: run,
    transaction: (workspaces, work) =>
      withUnit(
        (unit) => nested(unit, workspaces, work),
        () => commits.transaction(workspaces, work)
      ),
    unit: (workspaces, work) =>
      withUnit(
        () => work,
        () => commits.transaction(workspaces, work)
      )
  })
})

/**
 * A SQLite file: one connection that writes, in groups (see GroupCommit), and one that reads what is committed meanwhile.
 * A commit is on disk when it is answered. Another process may open the same file: each
 * waits for the other's commits, at most five seconds, then its unit dies with StoreUnavailable.
 */
export const layerOf =
  (driver: SqliteDriver) =>
  (config: SqliteConfig): Layer.Layer<Database, StoreUnavailable> =>
    Layer.scoped(
      Database,
      make(driver, config).pipe(
        Effect.catchAllCause((cause) => {
          const error = Cause.squash(cause)
          return Effect.fail(
            error instanceof StoreUnavailable ? error : new StoreUnavailable({ cause: error })
          )
        })
      )
    ).pipe(Layer.provide(reactivity))
