import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { explain } from "../../../apps/platform/Explain.ts"
import * as Store from "../../../apps/platform/Store.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { makeRole, freshDatabase, password } from "../../adapters/sql/PostgresServer.ts"
import { onServer } from "../../adapters/sql/PostgresSuite.ts"
import { makeWorkspace, ws } from "../../contracts/repository/Fixtures.ts"
import { commandLine, documentOf } from "../cli/commandLine.ts"

const under = (settings: Record<string, string>) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))

interface Report {
  readonly checks: ReadonlyArray<{
    readonly check: string
    readonly status: string
    readonly message: string
  }>
}

onServer("a PostgreSQL database named by OUTDIAL_DATABASE_URL", (running) => {
  it.scoped("keeps what is stored", () =>
    Effect.gen(function* () {
      const { url } = yield* freshDatabase(running())
      const inStore = <A>(work: Effect.Effect<A, never, Repository>) =>
        work.pipe(Effect.provide(Store.layer), under({ OUTDIAL_DATABASE_URL: url }))
      yield* inStore(Effect.flatMap(Repository, ({ workspaces }) => workspaces.insert(makeWorkspace())))
      const found = yield* inStore(Effect.flatMap(Repository, ({ workspaces }) => workspaces.get(ws)))
      assert.strictEqual(found._tag, "Some")
    })
  )

  it.scoped("that cannot be used is told in one line, without its password", () =>
    Effect.gen(function* () {
      const { name, url } = yield* freshDatabase(running())
      const sql = running().sql
      yield* makeRole(running(), "guarded", "login password 'another'")
      yield* makeRole(running(), "bare", "login")
      yield* sql("create database full_house connection limit 0")
      const rest = `${password}@127.0.0.1`
      const lines = {
        [running().url("none")]: /no database of that name \(3D000\)/,
        [running().url("postgres", "guarded")]: /refuses the user or the password \(28P01\)/,
        [running().url("full_house", "bare")]:
          /no connection left; see OUTDIAL_DATABASE_CONNECTIONS \(53300\)/,
        [running().url(name, "bare")]:
          /its user may not do that; make it the owner of the database \(42501\)/,
        [`postgres://me:${rest}:1/outdial`]: /no PostgreSQL server listens there \(ECONNREFUSED\)/,
        [`postgres://me:${password}@nowhere.invalid/outdial`]:
          /its host is not known \((ENOTFOUND|EAI_AGAIN)\)/,
        [`postgres://me:${rest}:port/outdial`]: /^OUTDIAL_DATABASE_URL is no URL such as postgres:\/\/user:/,
        [`${url}?sslmode=no-verify`]: /does not support SSL/,
        [`mysql://me:${rest}/outdial`]:
          /^OUTDIAL_DATABASE_URL must be sqlite:<path>, postgres:\/\/… or memory:$/
      }
      for (const [place, line] of Object.entries(lines)) {
        const opened = Effect.asVoid(Effect.provide(Repository, Store.layer))
        const cause = yield* Effect.flip(Effect.sandbox(under({ OUTDIAL_DATABASE_URL: place })(opened)))
        const said = explain(cause)
        assert.match(said, line)
        assert.notInclude(said, "\n")
        assert.notInclude(said, password)
      }
    })
  )

  it.scopedLive("is looked over by the doctor, who lays nothing out", () =>
    Effect.gen(function* () {
      const { name, url } = yield* freshDatabase(running())
      const run = commandLine({ OUTDIAL_DATABASE_URL: url })
      const found = Effect.map(run("doctor", "--json"), (ran) =>
        documentOf<Report>(ran)
          .checks.filter(({ check }) => ["database", "journal", "workspaces"].includes(check))
          .map(({ message, status }) => `${status}: ${message}`)
      )
      const [empty, journal] = yield* found
      assert.match(empty!, /^warning: PostgreSQL \d+.* answers; the database is laid out when/)
      assert.match(journal!, /^broken: fsync and full_page_writes off at the server/)
      const tables = yield* running().sql("select 1 from pg_tables where schemaname = 'public'", name)
      assert.deepStrictEqual(tables, [])

      assert.strictEqual((yield* run("workspace", "create", "--name", "Acme")).code, 0)
      const [database, , workspaces] = yield* found
      assert.match(database!, /^ok: PostgreSQL \d+.* can be read and written: layout \d+, \d+\.\d MB$/)
      assert.match(workspaces!, /^warning: 1 workspace with no/)

      const closed = commandLine({ OUTDIAL_DATABASE_URL: running().url("none") })
      const ran = yield* closed("doctor", "--json")
      assert.strictEqual(ran.code, 1)
      assert.include(ran.out, "its server has no database of that name (3D000)")
    })
  )
})
