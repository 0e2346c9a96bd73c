import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { fromRecord, make } from "@effect/sql/Migrator"
import { layer as reactivity } from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { SqlClient } from "@effect/sql/SqlClient"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Database } from "../../../adapters/sql/Database.ts"
import initial from "../../../adapters/sql/migrations/0001_initial.ts"
import campaigns from "../../../adapters/sql/migrations/0002_campaigns.ts"
import suites from "../../../adapters/sql/migrations/0003_suites.ts"
import templates from "../../../adapters/sql/migrations/0004_templates.ts"
import type { Attempt } from "../../../core/model/calls/Attempt.ts"
import type { Call } from "../../../core/model/calls/Call.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { platformWide, Repository } from "../../../core/ports/Repository.ts"
import {
  makeAttempt,
  makeCall,
  makeHold,
  makePlay,
  makeRecipient,
  makeRecording,
  makeRun,
  makeState,
  makeSuite,
  makeTemplate,
  makeWorkspace,
  page,
  start,
  ws
} from "../../contracts/repository/Fixtures.ts"
import { onFile, temporaryFile } from "./TemporaryFile.ts"

const withClient = <A, E>(filename: string, work: Effect.Effect<A, E, SqlClient>) =>
  work.pipe(Effect.provide(Layer.provide(SqliteClient.layer({ filename }), reactivity)), Effect.scoped)

/** Rows as the first version stored them: spelled here, since its code is gone. */
const callRow = ({ error, ...call }: Call) => ({
  ...call,
  error_code: error === null ? null : error.code,
  error_message: error === null ? null : error.message,
  redial: Number(call.redial),
  cancel_requested: Number(call.cancel_requested)
})
const workspaceRow = {
  ...makeWorkspace(),
  allowed_countries: JSON.stringify(makeWorkspace().allowed_countries),
  allow_costly_destinations: 0
}

const waiting = makeCall(1, { due_at: start + 50, call_config: RawJson('{ "max_call_length":1.0}') })
const live = makeCall(2, { phase: "live", status: "in_progress", due_at: start + 60, version: 4 })
const done = makeCall(3, {
  phase: "done",
  status: "failed",
  due_at: null,
  error: { code: "x", message: "y" }
})
const marked = makeCall(4, { due_at: start + 40, campaign_id: "camp_1", recipient_id: "rcpt_1" })
const calls = [waiting, live, done, marked]
const attempts: ReadonlyArray<Attempt> = [
  makeAttempt(1, { call_id: done.call_id, started_at: start + 1, status: "failed" }),
  makeAttempt(2, { call_id: live.call_id, started_at: start + 2, status: "in_progress" }),
  makeAttempt(3, {
    call_id: marked.call_id,
    started_at: start + 3,
    status: "failed",
    campaign_id: "camp_1",
    recipient_id: "rcpt_1"
  })
]

/** A file of the first layout with these rows. */
const earlierFile = Effect.tap(temporaryFile, (filename) =>
  withClient(
    filename,
    Effect.gen(function* () {
      yield* make({})({ loader: fromRecord({ "0001_initial": initial }), table: "outdial_migrations" })
      const sql = yield* SqlClient
      yield* sql`insert into workspaces ${sql.insert(workspaceRow)}`
      for (const call of calls) yield* sql`insert into calls ${sql.insert(callRow(call))}`
      for (const attempt of attempts) yield* sql`insert into attempts ${sql.insert({ ...attempt })}`
    })
  )
)

const state = makeState(
  1,
  { status: "running", metadata: RawJson('{"a":1.0}') },
  { due_at: start, pending: 2 }
)

/** As the second layout has it: what a campaign sends came later. */
const { template: _, ...campaignRow } = state.campaign

/** A file of the second layout with these rows. */
const secondFile = Effect.tap(temporaryFile, (filename) =>
  withClient(
    filename,
    Effect.gen(function* () {
      const loader = fromRecord({ "0001_initial": initial, "0002_campaigns": campaigns })
      yield* make({})({ loader, table: "outdial_migrations" })
      const sql = yield* SqlClient
      yield* sql`insert into workspaces ${sql.insert(workspaceRow)}`
      for (const call of calls) yield* sql`insert into calls ${sql.insert(callRow(call))}`
      yield* sql`insert into campaigns ${sql.insert(campaignRow)}`
      yield* sql`insert into tallies ${sql.insert({ ...state.counters })}`
    })
  )
)

const suiteRow = {
  ...makeSuite(1),
  config: JSON.stringify(makeSuite(1).config),
  scenarios: JSON.stringify(makeSuite(1).scenarios)
}

/** A file of the third layout with a suite. */
const thirdFile = Effect.tap(temporaryFile, (filename) =>
  withClient(
    filename,
    Effect.gen(function* () {
      const record = { "0001_initial": initial, "0002_campaigns": campaigns, "0003_suites": suites }
      yield* make({})({ loader: fromRecord(record), table: "outdial_migrations" })
      const sql = yield* SqlClient
      yield* sql`insert into suites ${sql.insert(suiteRow)}`
    })
  )
)

/** A file of the fourth layout with recordings, one of them without audio. */
const fourthFile = Effect.tap(temporaryFile, (filename) =>
  withClient(
    filename,
    Effect.gen(function* () {
      const record = {
        "0001_initial": initial,
        "0002_campaigns": campaigns,
        "0003_suites": suites,
        "0004_templates": templates
      }
      yield* make({})({ loader: fromRecord(record), table: "outdial_migrations" })
      const sql = yield* SqlClient
      yield* sql`insert into recordings ${sql.insert({ ...makeRecording(1) })}`
      yield* sql`insert into recordings ${sql.insert({ ...makeRecording(2, { status: "failed" }) })}`
    })
  )
)

describe("Migrations", () => {
  it.scoped("keep the calls and attempts of the first layout, and find them by the new indexes", () =>
    Effect.gen(function* () {
      const file = yield* earlierFile
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        for (const call of calls) assertSome(yield* repository.calls.get(ws, call.call_id), call)
        assert.deepStrictEqual(yield* repository.calls.list(ws, {}, page), {
          data: calls.toReversed(),
          total: calls.length
        })
        assert.deepStrictEqual(yield* repository.calls.dialable(ws, null, Infinity, 9), [waiting])
        assert.deepStrictEqual(yield* repository.calls.dialable(ws, "camp_1", Infinity, 9), [marked])
        assert.deepStrictEqual(yield* repository.calls.overdue(ws, Infinity, 9), [live])
        assert.deepStrictEqual(yield* repository.calls.live(ws, "", 9), [live])
        assert.strictEqual(yield* repository.calls.countLive(ws), 1)
        assertSome(yield* repository.calls.nextWaiting(ws, null), waiting.due_at)
        assertSome(yield* repository.calls.nextWaiting(ws, "camp_1"), marked.due_at)
        assertSome(yield* repository.calls.nextOverdue(ws), live.due_at)
        for (const attempt of attempts) {
          assertSome(yield* repository.attempts.get(ws, attempt.id), attempt)
          assert.deepStrictEqual(yield* repository.attempts.ofCall(ws, attempt.call_id), [attempt])
        }
        assert.deepStrictEqual(yield* repository.attempts.startedSince(ws, null, start + 1), [
          start + 2,
          start + 3
        ])
        assert.deepStrictEqual(yield* repository.attempts.startedSince(ws, "camp_1", 0), [start + 3])
        assert.deepStrictEqual(
          yield* repository.attempts.ofCampaign(ws, "camp_1", { status: "failed" }, page),
          attempts.slice(2)
        )
        assert.deepStrictEqual(yield* repository.workspaces.withWork, [ws])
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("let the calls of the first layout go on, and campaigns begin beside them", () =>
    Effect.gen(function* () {
      const file = yield* earlierFile
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        const dialled = { ...waiting, phase: "live" as const, due_at: start + 10, version: 1 }
        assert.isTrue(yield* repository.calls.update(dialled))
        assert.isTrue(
          yield* repository.calls.update({ ...live, phase: "done", due_at: null, version: live.version + 1 })
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

  it.scoped("keep the campaigns of the second layout, and let test suites begin beside them", () =>
    Effect.gen(function* () {
      const file = yield* secondFile
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        for (const call of calls) assertSome(yield* repository.calls.get(ws, call.call_id), call)
        assert.deepStrictEqual(yield* repository.campaigns.due(ws, "tend", start, 9), [state])
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
        assertSome(yield* repository.campaigns.get(ws, "camp_000001"), state)
        assertSome(yield* repository.suites.get(ws, "suite_000001"), makeSuite(1))
        assert.deepStrictEqual(yield* repository.runs.overdue(ws, Infinity), [makeRun(1)])
        assert.deepStrictEqual(yield* repository.plays.ofRun(ws, "run_000001"), [makePlay(1), makePlay(2)])
        assert.deepStrictEqual(yield* repository.holds.expired(ws, Infinity), [makeHold(1)])
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("keep the suites of the third layout, and let message templates begin beside them", () =>
    Effect.gen(function* () {
      const file = yield* thirdFile
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        assertSome(yield* repository.suites.get(ws, "suite_000001"), makeSuite(1))
        assert.deepStrictEqual(yield* repository.templates.list(ws, {}, page), { data: [], total: 0 })
        assert.isTrue(yield* repository.templates.insert(makeTemplate(1)))
      }).pipe(Effect.provide(onFile(file)))
      yield* Effect.gen(function* () {
        const repository = yield* Repository
        assertSome(yield* repository.templates.get(ws, "tmpl_000001"), makeTemplate(1))
        assertSome(yield* repository.suites.get(ws, "suite_000001"), makeSuite(1))
      }).pipe(Effect.provide(onFile(file)))
    })
  )

  it.scoped("keep the recordings of the fourth layout, and find them by their age", () =>
    Effect.gen(function* () {
      const file = yield* fourthFile
      yield* Effect.gen(function* () {
        const { recordings } = yield* Repository
        assertSome(yield* recordings.get(ws, "rec_000001"), makeRecording(1))
        assert.deepStrictEqual(yield* recordings.kept(Infinity, null, 9), [makeRecording(1)])
        assert.strictEqual(yield* recordings.secret("first"), "first")
      }).pipe(Effect.provide(onFile(file)))
      const again = Effect.flatMap(Repository, ({ recordings }) => recordings.secret("second"))
      assert.strictEqual(yield* Effect.provide(again, onFile(file)), "first")
    })
  )

  it.scoped("put an index of waiting calls and one of live ones in the place of the one of both", () =>
    Effect.gen(function* () {
      const file = yield* earlierFile
      const indexes = (names: Effect.Effect<ReadonlyArray<{ readonly name: string }>, unknown>) =>
        Effect.map(names, (rows) =>
          rows.map(({ name }) => name).filter((name) => /^calls_(due|w|live)/.test(name))
        )
      const text = "select name from sqlite_master where type = 'index' order by name"
      const before = withClient(
        file,
        Effect.flatMap(SqlClient, (sql) => sql.unsafe<{ readonly name: string }>(text))
      )
      assert.deepStrictEqual(yield* indexes(before), ["calls_due"])
      const after = Effect.flatMap(Database, (database) =>
        database.all<{ readonly name: string }>(platformWide, text, [])
      ).pipe(Effect.provide(onFile(file)))
      assert.deepStrictEqual(yield* indexes(after), ["calls_live", "calls_waiting"])
    })
  )
})
