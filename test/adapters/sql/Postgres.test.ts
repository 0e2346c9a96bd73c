import { Cause, Context, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { assert, it } from "@effect/vitest"
import { inspect } from "node:util"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { UnitWaited } from "../../../adapters/shared/UnitOfWork.ts"
import { Database } from "../../../adapters/sql/Database.ts"
import { newest } from "../../../adapters/sql/Migrations.ts"
import { keyOf, lockFor } from "../../../adapters/sql/postgres/Locks.ts"
import type { PostgresConfig } from "../../../adapters/sql/postgres/Postgres.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import {
  makeAgent,
  makeCall,
  makeEntry,
  makeNumber,
  makeWebhook,
  other,
  page,
  ws
} from "../../contracts/repository/Fixtures.ts"
import { makeRole, freshDatabase, onUrl, password } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

const defectOf = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined

const assertUnavailable = (exit: Exit.Exit<unknown, unknown>) =>
  assert.instanceOf(defectOf(exit), StoreUnavailable)

const open = (url: string, config?: Partial<PostgresConfig>) =>
  Effect.map(Layer.build(onUrl(url, config)), (context) => ({
    ...Context.get(context, Repository),
    database: Context.get(context, Database)
  }))

onServer("Postgres", (running) => {
  const fresh = Effect.suspend(() => freshDatabase(running()))
  const opened = (config?: Partial<PostgresConfig>) => Effect.flatMap(fresh, ({ url }) => open(url, config))

  it.scoped("keeps what was committed when the database is opened again", () =>
    Effect.gen(function* () {
      const { url } = yield* fresh
      yield* Effect.scoped(
        Effect.flatMap(open(url), ({ calls, credits }) =>
          Effect.zipRight(calls.insert(makeCall(1)), credits.append(ws, [makeEntry(1, 7)]))
        )
      )
      const { calls, credits } = yield* open(url)
      assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
      assert.strictEqual(yield* credits.balance(ws), 7)
    })
  )

  it.scoped("lays out an empty database once, however many begin at the same time", () =>
    Effect.gen(function* () {
      const { name, url } = yield* fresh
      yield* Effect.all(
        Array.from({ length: 6 }, () => open(url, { connections: 3 })),
        { concurrency: "unbounded" }
      )
      const rows = yield* running().sql<{ readonly migration_id: number }>(
        "select migration_id from outdial_migrations order by migration_id",
        name
      )
      assert.deepStrictEqual(
        rows.map(({ migration_id }) => migration_id),
        rows.map((_, n) => n + 1)
      )
      assert.isAbove(rows.length, 0)
    })
  )

  it.scoped(
    "refuses a database of a later version that needs more than it knows, and uses one that does not",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* fresh
        yield* Effect.scoped(open(url))
        const later = "insert into outdial_migrations (migration_id, name, oldest_reader)"
        yield* running().sql(`${later} values (9998, 'added', null), (9999, 'taken', ${newest})`, name)
        yield* Effect.scoped(open(url))
        yield* running().sql(
          `update outdial_migrations set oldest_reader = 9998 where migration_id = 9999`,
          name
        )
        const error = yield* Effect.flip(Effect.scoped(open(url)))
        assert.instanceOf(error, StoreUnavailable)
        assert.match(String(error.cause), /9999/)
      })
  )

  it.scoped("refuses a database that is not in UTF-8", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        running().sql(
          "create database latin template template0 encoding 'LATIN1' locale_provider libc locale 'C'"
        ),
        () => running().sql("drop database latin")
      )
      const error = yield* Effect.flip(Effect.scoped(open(running().url("latin"))))
      assert.match(String(error.cause), /LATIN1/)
    })
  )

  it.scoped("tells that there is no database, without its password", () =>
    Effect.gen(function* () {
      yield* makeRole(running(), "guarded", "login password 'another'")
      const logged: Array<string> = []
      const logger = Logger.make(({ annotations, cause, message, spans }) => {
        logged.push(inspect([message, Cause.pretty(cause), annotations, spans], { depth: 9 }))
      })
      const places = [
        running().url("none"),
        running().url("postgres", "guarded"),
        `postgres://outdial:${password}@127.0.0.1:1/outdial`,
        `postgres://outdial:${password}@nowhere.invalid/outdial`,
        `postgres://outdial:${password}@127.0.0.1:port/outdial`,
        `postgres://outdial:${password}@[/outdial`,
        `mysql://outdial:${password}@127.0.0.1/outdial`,
        password
      ]
      for (const place of places) {
        const exit = yield* Effect.scoped(open(place)).pipe(
          Effect.tapErrorCause((cause) => Effect.logError("no database", cause)),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
          Effect.exit
        )
        assertUnavailable(exit)
        const shown = [inspect(exit, { depth: 9 }), JSON.stringify(exit), String(exit)]
        if (Exit.isFailure(exit)) shown.push(Cause.pretty(exit.cause, { renderErrorCause: true }))
        for (const text of [...shown, ...logged]) assert.notInclude(text, password)
      }
      assert.lengthOf(logged, places.length)
    })
  )

  it.scoped("tells of a broken constraint by its name alone", () =>
    Effect.gen(function* () {
      const { phoneNumbers } = yield* opened()
      yield* phoneNumbers.insert(makeNumber(1))
      const exit = yield* Effect.exit(phoneNumbers.insert(makeNumber(1, { number: "+14155550199" })))
      const defect = defectOf(exit)
      assert.notInstanceOf(defect, StoreUnavailable)
      assert.strictEqual(
        String(defect),
        "StatementRefused: the store refused a statement (23505, phone_numbers_pkey)"
      )
      assert.notInclude(inspect(exit, { depth: 9 }), "0199")
    })
  )

  it.scoped("orders texts by their bytes, whatever the language of the database", () =>
    Effect.gen(function* () {
      const { agents } = yield* opened()
      const ids = [
        "agent_b",
        "agent_B",
        "agent_é",
        "agent__",
        "agent_0",
        "agent_a",
        "agent_😀",
        "agent_\uFFFD"
      ]
      for (const id of ids) yield* agents.insert(makeAgent(1, { id }))
      const listed = (yield* agents.list(ws, {}, page)).data.map(({ id }) => id)
      const byBytes = ids.toSorted((left, right) => Buffer.compare(Buffer.from(right), Buffer.from(left)))
      assert.deepStrictEqual(listed, byBytes)
    })
  )

  it.scoped("needs no more rights than its own tables", () =>
    Effect.gen(function* () {
      const { name } = yield* fresh
      yield* makeRole(running(), "plain", "login")
      yield* running().sql(`alter database ${name} owner to plain`)
      const { calls } = yield* open(running().url(name, "plain"))
      yield* calls.insert(makeCall(1))
      assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
    })
  )

  it.scoped("ends a unit that waits for something at once", () =>
    Effect.gen(function* () {
      const { calls, transaction } = yield* opened()
      for (const waiting of [
        Effect.never,
        Effect.sleep("1 millis"),
        Effect.promise(() => Promise.resolve())
      ]) {
        const first = yield* Effect.exit(transaction(ws, waiting))
        assert.instanceOf(defectOf(first), UnitWaited)
        const later = yield* Effect.exit(transaction(ws, Effect.zipRight(calls.insert(makeCall(1)), waiting)))
        assert.instanceOf(defectOf(later), UnitWaited)
      }
      assert.strictEqual((yield* calls.list(ws, {}, page)).total, 0)
    })
  )

  it.scoped("runs what fibers of one unit do side by side", () =>
    Effect.gen(function* () {
      const { calls, transaction } = yield* opened()
      const numbers = Array.from({ length: 50 }, (_, n) => n)
      const found = yield* transaction(
        ws,
        Effect.forEach(
          numbers,
          (n) => Effect.zipRight(calls.insert(makeCall(n)), calls.get(ws, makeCall(n).call_id)),
          { concurrency: "unbounded" }
        )
      )
      found.forEach((call, n) => assertSome(call, makeCall(n)))
    })
  )

  it.scoped("undoes a unit whose write failed unasked, and tells of that write", () =>
    Effect.gen(function* () {
      const { agents, attempts, calls, transaction } = yield* opened()
      yield* agents.insert(makeAgent(1))
      const unit = transaction(
        ws,
        Effect.gen(function* () {
          yield* calls.insert(makeCall(1))
          yield* transaction(ws, Effect.ignore(Effect.sandbox(agents.insert(makeAgent(1)))))
          return yield* attempts.ofCall(ws, "call_000001")
        })
      )
      assert.match(String(defectOf(yield* Effect.exit(unit))), /23505, agents_pkey/)
      assertNone(yield* calls.get(ws, "call_000001"))
    })
  )

  it.scoped("has the locks of all its workspaces from its first statement to its end", () =>
    Effect.gen(function* () {
      const { calls, database, transaction } = yield* opened()
      const locks = database.all<{ readonly key: number }>(
        ws,
        "select objid as key from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()",
        []
      )
      const held = yield* transaction(
        [other, ws],
        Effect.gen(function* () {
          const first = yield* locks
          yield* Effect.ignore(
            transaction(other, Effect.zipRight(calls.live(other, "", 1), Effect.fail("undone")))
          )
          return [first, yield* locks]
        })
      )
      for (const rows of held) {
        assert.sameMembers(
          rows.map(({ key }) => key),
          [ws, other].map((id) => keyOf(id) >>> 0)
        )
      }
      assert.isEmpty(yield* locks)
    })
  )

  it.scoped("gives up on a unit when another process keeps its workspace locked, and goes on after", () =>
    Effect.gen(function* () {
      const { name, url } = yield* fresh
      const { calls } = yield* open(url, { lockTimeout: 50 })
      yield* calls.insert(makeCall(1))
      const stranger = yield* running().connect(name)
      yield* Effect.promise(() => stranger.query(`begin; ${lockFor(keyOf(ws))}`))
      assertUnavailable(yield* Effect.exit(calls.insert(makeCall(2))))
      assertSome(yield* calls.get(ws, "call_000001"), makeCall(1))
      yield* calls.insert(makeCall(3, { customer_id: other }))
      yield* Effect.promise(() => stranger.query("rollback"))
      yield* calls.insert(makeCall(4))
      assert.deepStrictEqual((yield* calls.list(ws, {}, page)).data, [makeCall(4), makeCall(1)])
    })
  )

  it.scoped("gives up on a statement that takes too long, and goes on", () =>
    Effect.gen(function* () {
      const { calls, database, transaction } = yield* opened({ statementTimeout: 100 })
      const slow = database.all(ws, "select pg_sleep(30)", [])
      assertUnavailable(yield* Effect.exit(slow))
      assertUnavailable(yield* Effect.exit(transaction(ws, Effect.zipRight(calls.insert(makeCall(1)), slow))))
      yield* calls.insert(makeCall(2))
      assert.deepStrictEqual((yield* calls.list(ws, {}, page)).data, [makeCall(2)])
    })
  )

  it.scoped("gives up on a server that has stopped answering", () =>
    Effect.gen(function* () {
      const { calls, database, transaction } = yield* opened({ statementTimeout: 100 })
      const exit = yield* Effect.exit(
        transaction(
          ws,
          Effect.gen(function* () {
            yield* calls.insert(makeCall(1))
            const [row] = yield* database.all<{ readonly pid: number }>(
              ws,
              "select pg_backend_pid() as pid",
              []
            )
            process.kill(row!.pid, "SIGSTOP")
            yield* Effect.addFinalizer(() => Effect.sync(() => process.kill(row!.pid, "SIGCONT")))
            return yield* calls.get(ws, "call_000001")
          })
        )
      )
      assertUnavailable(exit)
      assertNone(yield* calls.get(ws, "call_000001"))
    })
  )

  it.scoped("undoes a unit whose connection is lost, and opens another", () =>
    Effect.gen(function* () {
      const { calls, database, transaction } = yield* opened()
      const cut = database.all(ws, "select pg_terminate_backend(pg_backend_pid())", [])
      const exit = yield* Effect.exit(
        transaction(
          ws,
          Effect.zipRight(calls.insert(makeCall(1)), Effect.zipRight(cut, calls.insert(makeCall(2))))
        )
      )
      assertUnavailable(exit)
      const others = yield* Effect.forEach([3, 4], (n) => Effect.fork(calls.insert(makeCall(n))))
      yield* Effect.forEach(others, Fiber.join)
      const stored = (yield* calls.list(ws, {}, page)).data.map(({ call_id }) => call_id)
      assert.deepStrictEqual(stored, ["call_000004", "call_000003"])
    })
  )

  it.scoped("goes on when another process has changed the layout", () =>
    Effect.gen(function* () {
      const { name, url } = yield* fresh
      const { database, webhooks } = yield* open(url)
      yield* webhooks.insert(makeWebhook(1))
      const read = webhooks.get(ws, "whk_000001")
      yield* Effect.replicateEffect(read, 9)
      yield* database.unit(ws, read)
      yield* running().sql("alter table webhooks add column later text", name)
      assertSome(yield* read, makeWebhook(1))
      assertSome(yield* database.unit(ws, read), makeWebhook(1))
      yield* running().sql("alter table webhooks alter column url type varchar(4000)", name)
      assertSome(yield* read, makeWebhook(1))
      assertSome(yield* database.unit(ws, read), makeWebhook(1))
    })
  )

  it.scoped("finishes what waits when it is closed, and is unavailable after", () =>
    Effect.gen(function* () {
      const { url } = yield* fresh
      const scope = yield* Scope.make()
      const { calls } = yield* Scope.extend(open(url), scope)
      const fibers = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => Effect.fork(calls.insert(makeCall(n)))
      )
      yield* Effect.yieldNow()
      yield* Scope.close(scope, Exit.void)
      for (const fiber of fibers) assert.isTrue(Exit.isSuccess(yield* Fiber.await(fiber)))
      assertUnavailable(yield* Effect.exit(calls.insert(makeCall(99))))
      assertUnavailable(yield* Effect.exit(calls.get(ws, "call_000001")))
      const again = yield* open(url)
      assert.strictEqual((yield* again.calls.list(ws, {}, page)).total, 20)
    })
  )

  it.scoped("opens no more connections than it is told", () =>
    Effect.gen(function* () {
      const { name, url } = yield* fresh
      const { calls } = yield* open(url, { connections: 3 })
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, n) => n),
        (n) =>
          Effect.zip(calls.insert(makeCall(n, { customer_id: `ws_${n % 40}` })), calls.get(ws, `call_${n}`)),
        { concurrency: "unbounded", discard: true }
      )
      const [connected] = yield* running().sql<{ readonly count: string }>(
        `select count(*) from pg_stat_activity where datname = '${name}' and application_name = 'outdial'`
      )
      assert.isAtMost(Number(connected!.count), 3)
      for (let owner = 0; owner < 40; owner++) {
        assert.strictEqual((yield* calls.list(`ws_${owner}`, {}, page)).total, 5)
      }
    })
  )
})
