import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Schedule } from "effect"
import { lastWhole, migrateWith } from "../Migrations.ts"
import { numbered } from "./StatementCache.ts"

/**
 * Texts are ordered and compared byte by byte, whatever the language of the database, and integers are as wide as
 * the numbers that they hold: what SQLite does of itself.
 */
const asSqlite = (statement: string): string =>
  statement.replace(/\btext\b/g, 'text collate "C"').replace(/\binteger\b/g, "bigint")

type Unsafe = (
  text: string,
  params?: ReadonlyArray<unknown>
) => Effect.Effect<ReadonlyArray<object>, SqlError>

/** The client, with another way to run a text. */
const through = (client: SqlClient, unsafe: Unsafe): SqlClient =>
  new Proxy(client, {
    get: (target, key, receiver) =>
      key === "unsafe" ? unsafe : (Reflect.get(target, key, receiver) as unknown)
  })

const lockNotAvailable = "55P03"
const codeOf = (error: SqlError) => (error.cause as { readonly code?: unknown } | null)?.code

/**
 * Runs a statement beside servers that use the database. One that waits for a lock keeps all behind it waiting: it gives
 * up after a second, and is tried again, for five minutes at most.
 */
const patiently = (client: SqlClient, text: string, params?: ReadonlyArray<unknown>) =>
  client
    .withTransaction(
      Effect.zipRight(client.unsafe("set local lock_timeout = '1s'"), client.unsafe<object>(text, params))
    )
    .pipe(
      Effect.retry({
        while: (error) => codeOf(error) === lockNotAvailable,
        schedule: Schedule.spaced("500 millis").pipe(Schedule.intersect(Schedule.recurs(200)))
      })
    )

/** An index whose making was broken off is there, and of no use. */
const isBroken = "select 1 from pg_index where indexrelid = to_regclass(?) and not indisvalid"

/** Makes indexes without keeping anything from being written. */
const online =
  (client: SqlClient): Unsafe =>
  (text, params) =>
    Effect.gen(function* () {
      const [, verb, name] = /^(create|drop) index (\w+)/.exec(text) ?? []
      const drop = `drop index concurrently if exists ${name}`
      if (verb === "drop") return yield* client.unsafe<object>(drop)
      if (verb === "create") {
        const broken = yield* client.unsafe<object>(numbered(isBroken), [name])
        if (broken.length > 0) yield* client.unsafe(drop)
        return yield* client.unsafe<object>(text.replace("index", "index concurrently if not exists"))
      }
      const repeatable = asSqlite(text)
        .replace(/^create table /, "create table if not exists ")
        .replace(/^(alter table \w+ add column) /, "$1 if not exists ")
      return yield* patiently(client, numbered(repeatable), params)
    })

/** Brings a database to the newest layout, through a client whose owner has the lock of the layout. */
export const layOut = migrateWith(({ id, run }, recorded, fresh) =>
  Effect.flatMap(SqlClient, (client) => {
    const isWhole = fresh || id <= lastWhole
    const whole: Unsafe = (text, params) => client.unsafe<object>(numbered(asSqlite(text)), params)
    const step = Effect.zipRight(
      Effect.provideService(run, SqlClient, through(client, isWhole ? whole : online(client))),
      recorded
    )
    return isWhole ? client.withTransaction(step) : step
  })
)
