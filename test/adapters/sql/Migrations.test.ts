import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { SqlClient } from "@effect/sql/SqlClient"
import Sqlite from "better-sqlite3"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { lastWhole, migrations, newest, takesAway } from "../../../adapters/sql/Migrations.ts"
import type { Call } from "../../../core/model/calls/Call.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import {
  makeHold,
  makePlay,
  makeRecipient,
  makeRun,
  makeState,
  makeSuite,
  makeTemplate,
  page,
  start,
  ws
} from "../../contracts/repository/Fixtures.ts"
import { earlierImportsEnd } from "./ImportsSuite.ts"
import { fieldsOf, fileOf, layoutOf, records, versions } from "./layouts/Layouts.ts"
import { onFile, onFreshFile, temporaryFile } from "./TemporaryFile.ts"

const { attempts, calls, campaign, recording, suite } = records
const [waiting, live, , marked] = calls as [Call, Call, Call, Call]

/** Every field that was kept is as it was. */
const assertKept = (actual: unknown, kept: unknown) => assert.deepStrictEqual(fieldsOf(actual, kept), kept)

/** What leaves a process of the version before as it was. */
const additive = new RegExp(
  [
    "^create table ",
    "^alter table \\w+ add column \\w+ \\w+( not null default ('[^']*'|\\d+))?$",
    "^(create|drop) index ",
    "^create (or replace )?(function|trigger) ",
    "^(insert|update|select) "
  ].join("|")
)

/** The texts of each migration, run on a database without rows. */
const textsOf = (dialect: "sqlite" | "pg") =>
  migrations.slice(lastWhole).map(({ id, run }) => {
    const statements: Array<string> = []
    const client = {
      unsafe: (text: string) => {
        statements.push(text.replaceAll(/\s+/g, " ").trim())
        return Effect.succeed([])
      },
      onDialectOrElse: (options: { readonly orElse: () => unknown; readonly pg?: () => unknown }) =>
        dialect === "pg" && options.pg !== undefined ? options.pg() : options.orElse()
    }
    Effect.runSync(Effect.provideService(run, SqlClient, client as unknown as SqlClient))
    return { id, statements }
  })

describe("Migrations", () => {
  it.scoped("keep the calls and attempts of the first layout, and find them by the new indexes", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(1)
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        for (const call of calls) {
          assertKept(yield* Effect.flatten(repository.calls.get(ws, call.call_id)), call)
        }
        assertKept(yield* repository.calls.list(ws, {}, page), {
          data: calls.toReversed(),
          total: calls.length
        })
        assertKept(yield* repository.calls.dialable(ws, null, Infinity, 9), [waiting])
        assertKept(yield* repository.calls.dialable(ws, "camp_1", Infinity, 9), [marked])
        assertKept(yield* repository.calls.overdue(ws, Infinity, 9), [live])
        assertKept(yield* repository.calls.live(ws, "", 9), [live])
        assert.strictEqual(yield* repository.calls.countLive(ws), 1)
        assertSome(yield* repository.calls.nextWaiting(ws, null), waiting.due_at)
        assertSome(yield* repository.calls.nextWaiting(ws, "camp_1"), marked.due_at)
        assertSome(yield* repository.calls.nextOverdue(ws), live.due_at)
        for (const attempt of attempts) {
          assertKept(yield* Effect.flatten(repository.attempts.get(ws, attempt.id)), attempt)
          assertKept(yield* repository.attempts.ofCall(ws, attempt.call_id), [attempt])
        }
        assert.deepStrictEqual(yield* repository.attempts.startedSince(ws, null, start + 1), [
          start + 2,
          start + 3
        ])
        assert.deepStrictEqual(yield* repository.attempts.startedSince(ws, "camp_1", 0), [start + 3])
        assertKept(
          yield* repository.attempts.ofCampaign(ws, "camp_1", { status: "failed" }, page),
          attempts.slice(2)
        )
        assert.deepStrictEqual(yield* repository.workspaces.withWork, [ws])
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("let the calls of the first layout go on, and campaigns begin beside them", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(1)
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        const [first, second] = yield* Effect.all([
          Effect.flatten(repository.calls.get(ws, waiting.call_id)),
          Effect.flatten(repository.calls.get(ws, live.call_id))
        ])
        const dialled = { ...first, phase: "live" as const, due_at: start + 10, version: 1 }
        assert.isTrue(yield* repository.calls.update(dialled))
        assert.isTrue(
          yield* repository.calls.update({
            ...second,
            phase: "done",
            due_at: null,
            version: live.version + 1
          })
        )
        yield* repository.campaigns.insert(makeState(1))
        assert.deepStrictEqual(yield* repository.recipients.insert([makeRecipient(1)]), [null])
      }).pipe(Effect.provide(onFile(file)))
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        assertNone(yield* repository.calls.nextWaiting(ws, null))
        assertSome(yield* repository.calls.nextOverdue(ws), start + 10)
        assertSome(yield* repository.campaigns.get(ws, "camp_000001"), makeState(1))
        assertSome(yield* repository.recipients.get(ws, "camp_000001", "rcpt_000001"), makeRecipient(1))
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.effect("let the imports of a process of an earlier version end when it died", () =>
    Effect.provide(earlierImportsEnd, onFreshFile)
  )

  it.scoped("keep the campaigns of the second layout, and let test suites begin beside them", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(2)
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        for (const call of calls) {
          assertKept(yield* Effect.flatten(repository.calls.get(ws, call.call_id)), call)
        }
        assertKept(yield* repository.campaigns.due(ws, "tend", start, 9), [campaign])
        assert.deepStrictEqual(yield* repository.runs.overdue(ws, Infinity), [])
        assertNone(yield* repository.plays.nextDue(ws, 0))
        assertNone(yield* repository.holds.nextExpiry(ws))
        assert.isTrue(yield* repository.suites.insert(makeSuite(1)))
        yield* repository.runs.insert(makeRun(1))
        yield* repository.plays.insert([makePlay(1), makePlay(2)])
        yield* repository.holds.insert(makeHold(1))
      }).pipe(Effect.provide(onFile(file)))
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        assertKept(yield* Effect.flatten(repository.campaigns.get(ws, "camp_000001")), campaign)
        assertSome(yield* repository.suites.get(ws, "suite_000001"), makeSuite(1))
        assert.deepStrictEqual(yield* repository.runs.overdue(ws, Infinity), [makeRun(1)])
        assert.deepStrictEqual(yield* repository.plays.ofRun(ws, "run_000001"), [makePlay(1), makePlay(2)])
        assert.deepStrictEqual(yield* repository.holds.expired(ws, Infinity), [makeHold(1)])
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("keep the suites of the third layout, and let message templates begin beside them", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(3)
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        assertKept(yield* Effect.flatten(repository.suites.get(ws, "suite_000001")), suite)
        assert.deepStrictEqual(yield* repository.templates.list(ws, {}, page), { data: [], total: 0 })
        assert.isTrue(yield* repository.templates.insert(makeTemplate(1)))
      }).pipe(Effect.provide(onFile(file)))
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        assertSome(yield* repository.templates.get(ws, "tmpl_000001"), makeTemplate(1))
        assertKept(yield* Effect.flatten(repository.suites.get(ws, "suite_000001")), suite)
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("keep the recordings of the fourth layout, and find them by their age", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(4)
      yield* Effect.gen(function* () {
        const { recordings } = yield* Repository
        assertKept(yield* Effect.flatten(recordings.get(ws, "rec_000001")), recording)
        assertKept(yield* recordings.kept(Infinity, null, 9), [recording])
        assert.strictEqual(yield* recordings.secret("first"), "first")
      }).pipe(Effect.provide(onFile(file)))
      const again = Effect.flatMap(Repository, ({ recordings }) => recordings.secret("second"))
      assert.strictEqual(yield* Effect.provide(again, onFile(file)), "first")
    })
  )

  it.scoped("put an index of waiting calls and one of live ones in the place of the one of both", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(1)
      const calling = /^calls_(due|w|live|under_way)/
      const before = (yield* layoutOf(file)).flatMap(({ name }) => (calling.test(name) ? [name] : []))
      assert.deepStrictEqual(before, ["calls_due"])
      yield* Effect.scoped(Layer.build(onFile(file)))
      const after = (yield* layoutOf(file)).flatMap(({ name }) => (calling.test(name) ? [name] : []))
      assert.deepStrictEqual(after, ["calls_under_way", "calls_waiting"])
    })
  )

  it.scoped("mark messages as such", () =>
    Effect.gen(function* () {
      const file = yield* fileOf(11)
      const insert = (id: string) => {
        const database = new Sqlite(file)
        database.exec("create temp table copied as select * from calls limit 1")
        const columns = database
          .prepare<[], { readonly name: string }>("select name from pragma_table_info('copied')")
          .all()
          .map(({ name }) => name)
          .filter((name) => name !== "channel" && name !== "call_id")
          .join(", ")
        database.exec(`insert into calls (call_id, ${columns}) select '${id}', ${columns} from copied`)
        database.close()
      }
      for (let n = 0; n < 2_500; n++) if (n < 3 || n > 2_495) insert(`msg_${n}`)
      const channels = Effect.gen(function* () {
        const repository = yield* Repository
        const found = yield* Effect.forEach(["msg_0", "msg_2499", "call_000001"], (id) =>
          repository.calls.get(ws, id)
        )
        return found.flatMap((call) =>
          call._tag === "Some" ? [`${call.value.call_id} ${call.value.channel}`] : []
        )
      }).pipe(Effect.provide(onFile(file)))
      assert.deepStrictEqual(yield* channels, ["msg_0 msg", "msg_2499 msg", "call_000001 voice"])
    })
  )

  it.scoped.each(versions)("bring layout %i to what a new database has, with its rows", (version) =>
    Effect.gen(function* () {
      const [file, other] = [yield* fileOf(version), yield* temporaryFile]
      yield* Effect.scoped(Layer.build(onFile(other)))
      const found = Effect.flatMap(Repository, ({ calls }) => calls.list(ws, {}, page))
      const { data } = yield* Effect.provide(found, onFile(file))
      assertKept(data, calls.toReversed())
      assert.deepStrictEqual(yield* layoutOf(file), yield* layoutOf(other))
    })
  )

  it("add and take nothing away, from the one on that has to leave the version before running", () => {
    for (const dialect of ["sqlite", "pg"] as const) {
      for (const { id, statements } of textsOf(dialect)) {
        const needed = takesAway[id]
        if (needed !== undefined) assert.isBelow(needed, id, "the version before goes on")
        else for (const statement of statements) assert.match(statement, additive)
      }
    }
  })

  it.each([
    "drop table calls",
    "alter table calls drop column due_at",
    "alter table calls rename column due_at to due",
    "alter table calls rename to dials",
    "alter table calls add column flag integer not null",
    "alter table calls alter column due_at set not null",
    "alter table calls alter column due_at type text",
    "create unique index calls_once on calls (customer_id, to_number)"
  ])("would not be additive with: %s", (statement) => assert.notMatch(statement, additive))

  it("have a layout in a file for each version before the newest", () => {
    assert.deepStrictEqual(
      versions.slice(0, newest - 1),
      Array.from({ length: newest - 1 }, (_, i) => i + 1)
    )
  })
})
