import { assert, describe, layer } from "@effect/vitest"
import BetterSqlite from "better-sqlite3"
import { assertSome } from "@effect/vitest/utils"
import { Context, Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { layout } from "../../../adapters/sql/copy/SqliteEnd.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { makeRecipient, makeWorkspace, page, ws } from "../../contracts/repository/Fixtures.ts"
import { onFile } from "../../adapters/sql/TemporaryFile.ts"
import { freshDatabase, onUrl, server, type Server } from "../../adapters/sql/PostgresServer.ts"
import { commandLine, documentOf, folder } from "./commandLine.ts"
import { fill } from "./migrate/Rows.ts"

class Postgres extends Context.Tag("outdial/test/Postgres")<Postgres, Server>() {}

const run = commandLine({})
const perTable = 1_000

interface Answer {
  readonly from: string
  readonly to: string
  readonly identical: boolean
  readonly rows: number
  readonly tables: ReadonlyArray<{ readonly table: string; readonly identical: boolean }>
}

/** A file with many rows of every table. */
const filled = Effect.fnUntraced(function* (rows = perTable) {
  const filename = join(yield* folder, "from.db")
  yield* Effect.scoped(Layer.build(onFile(filename)))
  fill(filename, rows)
  return filename
})

/** The tables of a file, as it lists them itself; those of migrations apart. */
const tablesOf = (db: BetterSqlite.Database): ReadonlyArray<string> =>
  db
    .prepare("select name from sqlite_schema where type = 'table' order by name")
    .pluck()
    .all()
    .map(String)
    .filter((name) => name !== "outdial_migrations")

/** All rows of a file as SQL literals, which show each value's type and bytes. */
const contentOf = (filename: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const db = new BetterSqlite(filename, { readonly: true })
  try {
    return new Map(
      tablesOf(db).map((table) => {
        const columns = db.prepare("select name from pragma_table_info(?)").pluck().all(table)
        const literals = columns.map((column) => `quote(${String(column)}) || ':' || hex(${String(column)})`)
        const line = literals.map((literal) => `coalesce(${literal}, 'null')`).join(" || ',' || ")
        return [table, db.prepare(`select ${line} from ${table} order by 1`).pluck().all().map(String)]
      })
    )
  } finally {
    db.close()
  }
}

const migrate = (from: string, to: string, ...more: ReadonlyArray<string>) =>
  run("migrate-store", "--from", from, "--to", to, ...more)

const rowsOf = (postgres: Server, database: string, table: string) =>
  Effect.map(postgres.sql<{ readonly count: string }>(`select count(*) from ${table}`, database), ([row]) =>
    Number(row!.count)
  )

describe("outdial migrate-store", () => {
  layer(Layer.scoped(Postgres, server), { timeout: 60_000, excludeTestServices: true })((it) => {
    it.scoped(
      "copies every table to PostgreSQL and back, byte by byte",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const database = yield* freshDatabase(postgres)
        const from = yield* filled()
        const back = join(yield* folder, "back.db")
        const there = yield* migrate(`sqlite:${from}`, database.url, "--batch", "400", "--json")
        assert.strictEqual(there.code, 0, there.err)
        const answer = documentOf<Answer>(there)
        assert.deepInclude(answer, { from: "SQLite", to: "PostgreSQL", identical: true })
        assert.include(there.err, "rows to copy")

        const content = contentOf(from)
        assert.strictEqual(answer.rows, content.size * perTable)
        assert.deepStrictEqual(answer.tables.map(({ table }) => table).toSorted(), [...content.keys()])
        for (const table of content.keys()) {
          assert.strictEqual(yield* rowsOf(postgres, database.name, table), perTable, table)
        }

        const again = yield* migrate(database.url, `sqlite:${back}`, "--batch", "700", "--json")
        assert.strictEqual(again.code, 0, again.err)
        const returned = contentOf(back)
        for (const [table, rows] of content) {
          assert.strictEqual(rows.length, perTable, table)
          assert.deepStrictEqual(returned.get(table), rows, table)
        }
        assert.strictEqual(returned.size, content.size)
      }),
      60_000
    )

    it.scoped(
      "knows every table and column that PostgreSQL has after the newest migration, and no counter that is in none",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const database = yield* freshDatabase(postgres)
        yield* Effect.scoped(Layer.build(onUrl(database.url)))
        const found = yield* postgres.sql<{ readonly name: string }>(
          "select table_name || '.' || column_name as name from information_schema.columns " +
            "where table_schema = 'public' and table_name <> 'outdial_migrations'",
          database.name
        )
        const known = (yield* layout).flatMap(({ columns, name }) =>
          columns.map((column) => `${name}.${column}`)
        )
        assert.deepStrictEqual(known.toSorted(), found.map(({ name }) => name).toSorted())
        const counters = yield* postgres.sql("select 1 from pg_sequences", database.name)
        assert.deepStrictEqual(counters, [])
      })
    )

    it.scoped(
      "leaves a store that goes on: what was there is read, and the next list of recipients has a number of its own",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const { name, url } = yield* freshDatabase(postgres)
        const from = yield* filled(0)
        const of = (n: number, campaign_id: string) => makeRecipient(n, { campaign_id })
        yield* Effect.gen(function* () {
          const { recipients, workspaces } = yield* Repository
          yield* workspaces.insert(makeWorkspace())
          yield* recipients.insert([of(1, "camp_1"), of(2, "camp_2")])
        }).pipe(Effect.provide(onFile(from)))
        assert.strictEqual((yield* migrate(`sqlite:${from}`, url)).code, 0)
        yield* Effect.gen(function* () {
          const { recipients, workspaces } = yield* Repository
          assertSome(yield* workspaces.get(ws), makeWorkspace())
          yield* recipients.insert([of(3, "camp_3"), of(4, "camp_2")])
          const { data } = yield* recipients.list(ws, "camp_2", {}, page)
          assert.sameDeepMembers([...data], [of(2, "camp_2"), of(4, "camp_2")])
        }).pipe(Effect.provide(onUrl(url)))
        const lists = yield* postgres.sql<{ readonly list: string }>(
          "select list from recipient_lists order by campaign_id",
          name
        )
        assert.deepStrictEqual(
          lists.map(({ list }) => Number(list)),
          [1, 2, 3]
        )
      })
    )

    it.scoped(
      "overwrites nothing: a target that has rows is refused, and left as it is",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const { name, url } = yield* freshDatabase(postgres)
        const from = yield* filled(3)
        yield* Effect.scoped(Layer.build(onUrl(url)))
        yield* postgres.sql("insert into secrets values ('links', 'mine')", name)
        for (const more of [[], ["--resume"]]) {
          const { code, err } = yield* migrate(`sqlite:${from}`, url, ...more)
          assert.strictEqual(code, 1)
          assert.include(err, "the target is not empty")
        }
        assert.strictEqual(yield* rowsOf(postgres, name, "workspaces"), 0)
        assert.strictEqual(yield* rowsOf(postgres, name, "secrets"), 1)
      })
    )

    it.scoped(
      "goes on where it was broken off with --resume, and only then",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const { name, url } = yield* freshDatabase(postgres)
        const from = yield* filled(500)
        yield* Effect.scoped(Layer.build(onUrl(url)))
        // What stands in the way of the copy's 250th call ends it there, as a kill would.
        yield* postgres.sql(
          `create function refuse() returns trigger language plpgsql as $$ begin
             if (select count(*) from calls) >= 250 then raise exception 'gone'; end if; return new; end $$;
           create trigger refuse before insert on calls for each statement execute function refuse()`,
          name
        )
        const broken = yield* migrate(`sqlite:${from}`, url, "--batch", "100")
        assert.strictEqual(broken.code, 1)
        assert.strictEqual(yield* rowsOf(postgres, name, "calls"), 300)
        assert.strictEqual(yield* rowsOf(postgres, name, "workspaces"), 0)
        yield* postgres.sql("drop trigger refuse on calls; drop function refuse", name)

        const refused = yield* migrate(`sqlite:${from}`, url)
        assert.strictEqual(refused.code, 1)
        assert.include(refused.err, "--resume")

        const resumed = yield* migrate(`sqlite:${from}`, url, "--batch", "100", "--resume", "--json")
        assert.strictEqual(resumed.code, 0, resumed.err)
        assert.isTrue(documentOf<Answer>(resumed).identical)
        const left = yield* postgres.sql("select 1 from pg_tables where tablename = 'outdial_copy'", name)
        assert.deepStrictEqual(left, [])
      })
    )

    it.scoped(
      "finds a row that is not the same, and says in which table",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const { name, url } = yield* freshDatabase(postgres)
        const from = yield* filled(50)
        yield* Effect.scoped(Layer.build(onUrl(url)))
        yield* postgres.sql(
          `create function spoil() returns trigger language plpgsql as $$ begin
             if new.id = (select min(id) from agents) then new.prompt := new.prompt || ' '; end if;
             return new; end $$;
           create trigger spoil before insert on agents for each row execute function spoil();
           create function first() returns trigger language plpgsql as $$ begin
             update agents set prompt = prompt || ' ' where id = (select min(id) from agents); return new; end $$;
           create trigger first after insert on agents for each statement execute function first()`,
          name
        )
        const { code, out } = yield* migrate(`sqlite:${from}`, url, "--json")
        assert.strictEqual(code, 1)
        const { identical, tables } = JSON.parse(out) as Answer
        assert.isFalse(identical)
        assert.deepStrictEqual(
          tables.filter((each) => !each.identical).map(({ table }) => table),
          ["agents"]
        )
      })
    )

    it.scoped(
      "does not begin while a server has one of the stores open",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const { name, url } = yield* freshDatabase(postgres)
        const from = yield* filled(3)
        const during = Effect.fnUntraced(function* (store: Layer.Layer<Repository, unknown>) {
          const { code, err } = yield* Effect.gen(function* () {
            yield* (yield* Repository).workspaces.get("ws_none")
            return yield* migrate(`sqlite:${from}`, url)
          }).pipe(Effect.provide(store))
          assert.strictEqual(code, 1)
          return err
        })
        assert.include(yield* during(onFile(from)), "another process has")
        assert.include(yield* during(onUrl(url)), "a server or a command has the PostgreSQL database open")
        assert.strictEqual(yield* rowsOf(postgres, name, "secrets"), 0)
        assert.strictEqual((yield* migrate(`sqlite:${from}`, url)).code, 0)
      })
    )

    it.scoped(
      "does not begin while another process writes to a table of the source",
      Effect.fnUntraced(function* () {
        const postgres = yield* Postgres
        const { name, url } = yield* freshDatabase(postgres)
        assert.strictEqual((yield* migrate(`sqlite:${yield* filled(3)}`, url)).code, 0)
        const back = `sqlite:${join(yield* folder, "back.db")}`
        yield* Effect.gen(function* () {
          const writer = yield* postgres.connect(name)
          yield* Effect.promise(() => writer.query("begin; insert into secrets values ('half', 'written')"))
          const { code, err } = yield* migrate(url, back)
          assert.strictEqual(code, 1)
          assert.include(err, "has the PostgreSQL database open")
        }).pipe(Effect.scoped)
        assert.strictEqual((yield* migrate(url, back)).code, 0)
      })
    )

    it.scoped(
      "says what it cannot copy: no file, no workspaces, the same store twice, a store in memory",
      Effect.fnUntraced(function* () {
        const path = yield* folder
        const [empty, other] = [`sqlite:${join(path, "empty.db")}`, `sqlite:${join(path, "other.db")}`]
        const absent = yield* migrate(empty, other)
        assert.strictEqual(absent.code, 1)
        assert.include(absent.err, "there is no file")
        assert.isFalse(existsSync(join(path, "empty.db")))
        yield* Effect.scoped(Layer.build(onFile(join(path, "empty.db"))))
        assert.include((yield* migrate(empty, other)).err, "the source has no workspaces")
        assert.include((yield* migrate(empty, empty)).err, "the same store")
        const memory = yield* migrate("memory:", other)
        assert.strictEqual(memory.code, 2)
        assert.include(memory.err, "--from")
      })
    )
  })
})
