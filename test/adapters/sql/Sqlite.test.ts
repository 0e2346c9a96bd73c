import { Cause, Context, Effect, Exit, Fiber, Layer, Option, Runtime, Scope } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { dirname, join } from "node:path"
import { chmod, rename, stat, writeFile } from "node:fs/promises"
import { setImmediate as nextTurn } from "node:timers/promises"
import BetterSqlite from "better-sqlite3"
import { layer as reactivity } from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { assertSome } from "@effect/vitest/utils"
import { Database, type Param } from "../../../adapters/sql/Database.ts"
import { newest } from "../../../adapters/sql/Migrations.ts"
import { layer as sqlite } from "../../../adapters/sql/sqlite/Sqlite.ts"
import { layerOf, type SqliteDriver } from "../../../adapters/sql/sqlite/SqliteFile.ts"
import { platformWide, Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { makeCall, makeEntry, makeKey, page, ws } from "../../contracts/repository/Fixtures.ts"
import { onFile, onFreshFile, temporaryFile } from "./TemporaryFile.ts"

const assertUnavailable = (exit: Exit.Exit<unknown, unknown>) => {
  assert.isTrue(Exit.isFailure(exit))
  if (Exit.isFailure(exit)) assert.instanceOf(Cause.squash(exit.cause), StoreUnavailable)
}

/** A connection to the file that is none of the repository's. */
const stranger = (filename: string) =>
  Effect.flatMap(SqliteClient.make({ filename }), (client) => client.reserve).pipe(Effect.provide(reactivity))

/** Sets a pragma of the connection that writes. */
const pragma = (text: string) =>
  Effect.flatMap(Database, (database) =>
    database.transaction(platformWide, database.all(platformWide, `pragma ${text}`, []))
  )

const total = Effect.flatMap(Repository, ({ calls }) =>
  Effect.map(calls.list(ws, {}, page), (list) => list.total)
)

describe("Sqlite", () => {
  it.scoped("keeps what was committed when the file is opened again", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { calls, credits } = yield* Repository
        yield* calls.insert(makeCall(1))
        yield* credits.append(ws, [makeEntry(1, 7)])
      }).pipe(Effect.provide(onFile(file)))
      yield* Effect.gen(function* () {
        const { calls, credits } = yield* Repository
        assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
        assert.strictEqual(yield* credits.balance(ws), 7)
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("sees at once what it changed itself, and in the next turn what another process changed", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { apiKeys } = yield* Repository
        const key = makeKey(1)
        yield* apiKeys.insert(key)
        assertSome(yield* apiKeys.get(key.id), key)
        yield* apiKeys.revoke(ws, key.id, 7)
        assertSome(yield* apiKeys.get(key.id), { ...key, revoked_at: 7 })
        const connection = yield* stranger(file)
        yield* connection.execute("update api_keys set name = 'renamed'", [], undefined)
        yield* Effect.promise(() => nextTurn())
        assertSome(yield* apiKeys.get(key.id), { ...key, name: "renamed", revoked_at: 7 })
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("has on disk what it has answered, before it is closed", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { calls } = yield* Repository
        yield* calls.insert(makeCall(1))
        const connection = yield* stranger(file)
        assert.lengthOf(yield* connection.execute("select * from calls", [], undefined), 1)
        assert.deepStrictEqual(yield* pragma("journal_mode"), [{ journal_mode: "wal" }])
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("answers nothing that could not be flushed", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { calls } = yield* Repository
        // The connections keep the file that has lost its name; a flush looks for the name.
        yield* Effect.promise(() => rename(`${file}-wal`, `${file}-lost`))
        assertUnavailable(yield* Effect.exit(calls.insert(makeCall(1))))
        yield* Effect.promise(() => rename(`${file}-lost`, `${file}-wal`))
        yield* calls.insert(makeCall(2))
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("is not opened where it cannot have a write-ahead log", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const driver: SqliteDriver = {
        client: () => SqliteClient.make({ filename, disableWAL: true }),
        open: (name, readonly) => {
          const db = new BetterSqlite(name, { readonly })
          const prepare = (sql: string) => db.prepare<Array<Param>>(sql)
          return {
            prepare: (sql) => ({
              reader: prepare(sql).reader,
              all: (params) => prepare(sql).all(...params),
              run: (params) => prepare(sql).run(...params).changes
            }),
            exec: (sql) => void db.exec(sql),
            close: () => void db.close()
          }
        }
      }
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layerOf(driver)({ filename }))))
      assert.match(String(error.cause), /write-ahead log/)
    })
  )

  it.scoped("lays out an empty file, and once only", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.promise(() => writeFile(file, ""))
      const migrations = Effect.flatMap(Database, (database) =>
        database.all<{ readonly created_at: string }>(platformWide, "select * from outdial_migrations", [])
      ).pipe(Effect.provide(onFile(file)))
      const first = yield* migrations
      assert.isAbove(first.length, 0)
      assert.deepStrictEqual(yield* migrations, first)
    })
  )

  for (const [what, before] of [
    ["makes files", undefined],
    ["finds files that all users may read, and makes them ones", 0o644]
  ] as const) {
    it.scoped(`${what} that their owner alone may read: the database, its log and its shared memory`, () =>
      Effect.gen(function* () {
        const file = yield* temporaryFile
        const files = ["", "-wal", "-shm"].map((end) => file + end)
        if (before !== undefined) {
          const scope = yield* Effect.scope
          yield* Layer.buildWithScope(onFile(file), scope)
          for (const path of files) yield* Effect.promise(() => chmod(path, before))
        }
        yield* Effect.gen(function* () {
          yield* (yield* Repository).calls.insert(makeCall(1))
          for (const path of files) {
            const { mode } = yield* Effect.promise(() => stat(path))
            assert.strictEqual(mode & 0o777, 0o600, path)
          }
        }).pipe(Effect.provide(onFile(file)))
      })
    )
  }

  it.scoped(
    "refuses a file of a later version that needs more than it knows, and uses one that does not",
    () =>
      Effect.gen(function* () {
        const file = yield* temporaryFile
        yield* Effect.scoped(Layer.build(sqlite({ filename: file })))
        const connection = yield* stranger(file)
        const later = (oldest_reader: number) =>
          connection.execute(
            "insert or replace into outdial_migrations (migration_id, name, oldest_reader) values (9999, 'later', ?)",
            [oldest_reader],
            undefined
          )
        yield* later(newest)
        yield* Effect.scoped(Layer.build(sqlite({ filename: file })))
        yield* later(9998)
        const exit = yield* Effect.exit(Effect.scoped(Layer.build(sqlite({ filename: file }))))
        assert.isTrue(Exit.isFailure(exit))
        if (Exit.isFailure(exit))
          assert.match(String((Cause.squash(exit.cause) as StoreUnavailable).cause), /9999/)
      })
  )

  it.scoped("tells that a file cannot be opened", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const text = join(dirname(file), "notes.txt")
      yield* Effect.promise(() => writeFile(text, "no database ".repeat(1_000)))
      const places = [join(dirname(file), "none", "outdial.db"), dirname(file), text, ":memory:", ""]
      for (const filename of places) {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(sqlite({ filename }))))
        assert.instanceOf(error, StoreUnavailable)
      }
    })
  )

  it.scoped("shows readers nothing of a unit that is under way", () =>
    Effect.gen(function* () {
      const { calls, transaction } = yield* Repository
      const runtime = yield* Effect.runtime<Repository>()
      yield* transaction(
        ws,
        Effect.gen(function* () {
          yield* calls.insert(makeCall(1))
          assert.strictEqual(yield* total, 1)
          assert.strictEqual(Runtime.runSync(runtime)(total), 0)
        })
      )
      assert.strictEqual(Runtime.runSync(runtime)(total), 1)
    }).pipe(Effect.provide(onFreshFile))
  )

  it.scoped("counts many rows, and skips many, while other requests are answered", () =>
    Effect.gen(function* () {
      const many = 5_000
      const numbers = Array.from({ length: many }, (_, n) => `+1${n}`)
      const { doNotCall } = yield* Repository
      yield* doNotCall.add(ws, numbers, 1)
      const database = yield* Database
      const counting = yield* Effect.fork(
        database.aside<{ readonly n: number }>(
          platformWide,
          "with recursive k(n) as (select 1 union all select n + 1 from k where n < ?) select count(*) as n from k",
          [1_000_000]
        )
      )
      let answered = 0
      for (; Option.isNone(yield* Fiber.poll(counting)); answered++) {
        yield* doNotCall.contains(ws, "+10")
        yield* Effect.promise(() => new Promise(setImmediate))
      }
      assert.deepStrictEqual(yield* Fiber.join(counting), [{ n: 1_000_000 }])
      assert.isAbove(answered, 10)
      const far = yield* doNotCall.list(ws, { limit: 2, offset: many - 3 })
      assert.strictEqual(far.total, many)
      assert.deepStrictEqual(
        far.data.map(({ number }) => number),
        numbers.toSorted().toReversed().slice(-3, -1)
      )
      yield* doNotCall.remove(ws, "+10")
      assert.strictEqual((yield* doNotCall.list(ws, page)).total, many - 1)
      const wrong = yield* Effect.exit(database.aside(platformWide, "select nothing from nowhere", []))
      assertUnavailable(wrong)
    }).pipe(Effect.provide(onFreshFile))
  )

  it.scoped("lets two processes' worth of connections write to one file", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const [first, second] = yield* Effect.all([Layer.build(onFile(file)), Layer.build(onFile(file))], {
        concurrency: 2
      })
      const append = (context: Context.Context<Repository>, n: number) =>
        Context.get(context, Repository).credits.append(ws, [makeEntry(n, 1)])
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => append(n % 2 === 0 ? first : second, n),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(yield* Context.get(first, Repository).credits.balance(ws), 100)
    })
  )

  it.scoped("gives up on a unit when another process keeps the file locked, and goes on after", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { calls } = yield* Repository
        yield* pragma("busy_timeout = 20")
        const connection = yield* stranger(file)
        yield* connection.execute("begin immediate", [], undefined)
        assertUnavailable(yield* Effect.exit(calls.insert(makeCall(1))))
        assert.strictEqual(yield* total, 0)
        yield* connection.execute("rollback", [], undefined)
        yield* calls.insert(makeCall(2))
        assert.strictEqual(yield* total, 1)
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("writes nothing of a unit, nor of its group, when the disk is full", () =>
    Effect.gen(function* () {
      const { calls, transaction } = yield* Repository
      yield* calls.insert(makeCall(0))
      const [pages] = yield* Effect.flatMap(Database, (database) =>
        database.all<{ readonly page_count: number }>(platformWide, "pragma page_count", [])
      )
      yield* pragma(`max_page_count = ${pages!.page_count + 20}`)
      const unit = (from: number) =>
        transaction(
          ws,
          Effect.forEach(
            Array.from({ length: 2_000 }, (_, n) => from + n),
            (n) => calls.insert(makeCall(n, { callee_name: "x".repeat(200) })),
            { discard: true }
          )
        )
      const exits = yield* Effect.forEach(
        [Effect.asVoid(calls.insert(makeCall(1))), unit(10), Effect.asVoid(calls.insert(makeCall(2)))],
        Effect.exit,
        {
          concurrency: "unbounded"
        }
      )
      assertUnavailable(exits[1]!)
      const stored = exits.filter(Exit.isSuccess).length
      assert.strictEqual(yield* total, 1 + stored)
      // Work that carries on after the failure can do no harm.
      const stubborn = transaction(
        ws,
        Effect.zipRight(
          Effect.catchAllDefect(unit(10_000), () => Effect.void),
          calls.insert(makeCall(3))
        )
      )
      assertUnavailable(yield* Effect.exit(stubborn))
      assert.strictEqual(yield* total, 1 + stored)
      yield* pragma("max_page_count = 1000000")
      yield* unit(20_000)
      assert.strictEqual(yield* total, 2_001 + stored)
    }).pipe(Effect.provide(onFreshFile))
  )

  it.scoped("dies with StoreUnavailable while the file is read-only, and reads on", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      yield* Effect.gen(function* () {
        const { calls, transaction } = yield* Repository
        yield* calls.insert(makeCall(1))
        yield* pragma("query_only = on")
        const insert = calls.insert(makeCall(2))
        assertUnavailable(yield* Effect.exit(insert))
        assertUnavailable(
          yield* Effect.exit(transaction(ws, Effect.zipRight(calls.get(ws, "call_000001"), insert)))
        )
        assert.strictEqual(yield* total, 1)
      }).pipe(Effect.provide(onFile(file)))
      assert.strictEqual(yield* Effect.provide(total, onFile(file)), 1)
    })
  )

  it.scoped("finishes what waits when it is closed, and is unavailable after", () =>
    Effect.gen(function* () {
      const file = yield* temporaryFile
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(onFile(file), scope)
      const { calls } = Context.get(context, Repository)
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => Effect.fork(calls.insert(makeCall(n)))
      )
      yield* Effect.yieldNow()
      yield* Scope.close(scope, Exit.void)
      for (const fiber of fibers) assert.isTrue(Exit.isSuccess(yield* Fiber.await(fiber)))
      assertUnavailable(yield* Effect.exit(calls.insert(makeCall(99))))
      assertUnavailable(yield* Effect.exit(calls.get(ws, "call_000001")))
      assert.strictEqual(yield* Effect.provide(total, onFile(file)), 20)
    })
  )

  it.scoped("refuses what a unit's fibers do after its end", () =>
    Effect.gen(function* () {
      const { calls, transaction } = yield* Repository
      const late = yield* transaction(
        ws,
        Effect.forkDaemon(
          Effect.zipRight(
            Effect.async<void>((resume) => {
              setImmediate(() => resume(Effect.void))
            }),
            calls.insert(makeCall(1))
          )
        )
      )
      const exit = yield* Fiber.await(late)
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
      assert.strictEqual(yield* total, 0)
    }).pipe(Effect.provide(onFreshFile))
  )
})
