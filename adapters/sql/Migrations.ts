import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"
import { platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import initial from "./migrations/0001_initial.ts"
import campaigns from "./migrations/0002_campaigns.ts"
import suites from "./migrations/0003_suites.ts"
import templates from "./migrations/0004_templates.ts"
import recordings from "./migrations/0005_recordings.ts"
import messaging from "./migrations/0006_messaging.ts"
import rateLimits from "./migrations/0007_rate_limits.ts"
import carrierErrors from "./migrations/0008_carrier_errors.ts"
import failureBreaker from "./migrations/0009_failure_breaker.ts"
import importErrors from "./migrations/0010_import_errors.ts"
import conversations from "./migrations/0011_conversations.ts"
import channel from "./migrations/0012_channel.ts"
import transcriptRetention from "./migrations/0013_transcript_retention.ts"
import workspace from "./migrations/0014_workspace.ts"
import transitions from "./migrations/0015_transitions.ts"
import writtenChannel from "./migrations/0016_written_channel.ts"
import deliveryBodies from "./migrations/0017_delivery_bodies.ts"
import messagesHeard from "./migrations/0018_messages_heard.ts"
import usage from "./migrations/0019_usage.ts"
import callBatches from "./migrations/0020_call_batches.ts"
import auditLog from "./migrations/0021_audit_log.ts"
import answers from "./migrations/0022_answers.ts"
import finding from "./migrations/0023_finding.ts"
import deliveriesOfCall from "./migrations/0024_deliveries_of_call.ts"
import retention from "./migrations/0025_retention.ts"
import recordingsDue from "./migrations/0026_recordings_due.ts"
import recipientValues from "./migrations/0027_recipient_values.ts"
import recipientTimezone from "./migrations/0028_recipient_timezone.ts"
import skipPublicHolidays from "./migrations/0029_skip_public_holidays.ts"
import openImports from "./migrations/0030_open_imports.ts"
import listChanges from "./migrations/0031_list_changes.ts"
import listIndexes from "./migrations/0032_list_indexes.ts"
import importsDue from "./migrations/0033_imports_due.ts"

/**
 * How the layout came to be, oldest first. While a server of a new version starts, those of the version before go on.
 * So a migration adds: tables, indexes, columns that may be null or have a default. What a version does not use any
 * more, a later version takes away, and is named in `takesAway`. Each statement stands by itself, and may be run again.
 * `Migrations.test.ts` holds what can be held of this.
 */
const all = {
  "0001_initial": initial,
  "0002_campaigns": campaigns,
  "0003_suites": suites,
  "0004_templates": templates,
  "0005_recordings": recordings,
  "0006_messaging": messaging,
  "0007_rate_limits": rateLimits,
  "0008_carrier_errors": carrierErrors,
  "0009_failure_breaker": failureBreaker,
  "0010_import_errors": importErrors,
  "0011_conversations": conversations,
  "0012_channel": channel,
  "0013_transcript_retention": transcriptRetention,
  "0014_workspace": workspace,
  "0015_transitions": transitions,
  "0016_written_channel": writtenChannel,
  "0017_delivery_bodies": deliveryBodies,
  "0018_messages_heard": messagesHeard,
  "0019_usage": usage,
  "0020_call_batches": callBatches,
  "0021_audit_log": auditLog,
  "0022_answers": answers,
  "0023_finding": finding,
  "0024_deliveries_of_call": deliveriesOfCall,
  "0025_retention": retention,
  "0026_recordings_due": recordingsDue,
  "0027_recipient_values": recipientValues,
  "0028_recipient_timezone": recipientTimezone,
  "0029_skip_public_holidays": skipPublicHolidays,
  "0030_open_imports": openImports,
  "0031_list_changes": listChanges,
  "0032_list_indexes": listIndexes,
  "0033_imports_due": importsDue
}

/** The last migration from before that rule. */
export const lastWhole = 10

/** Migrations that take something away, with the oldest layout whose processes do without it. */
export const takesAway: Readonly<Record<number, number>> = { 16: 12 }

export interface Migration {
  readonly id: number
  readonly name: string
  readonly run: Effect.Effect<unknown, SqlError, SqlClient>
}

export const migrations: ReadonlyArray<Migration> = Object.entries(all).map(([key, run]) => ({
  id: Number.parseInt(key, 10),
  name: key.slice("0000_".length),
  run
}))

const table = "outdial_migrations"
const oldestReader = `select max(oldest_reader) as oldest from ${table}`
/** The version of the newest layout. */
export const newest = Math.max(...migrations.map(({ id }) => id))

/** A later version of this software has changed the database so that this one may not use it. */
export class DatabaseIsNewer extends Data.TaggedError("DatabaseIsNewer")<{ readonly message: string }> {}

const createTable = (sql: SqlClient) =>
  sql.onDialectOrElse({
    pg: () => sql`create table if not exists ${sql(table)} (migration_id integer primary key,
      created_at timestamp with time zone not null default now(), name text not null)`,
    orElse: () => sql`create table if not exists ${sql(table)} (migration_id integer primary key not null,
      created_at datetime not null default current_timestamp, name VARCHAR(255) not null)`
  })

/** Whether a later version has taken away what this one needs. Answered of a database that was laid out. */
export const outdated = (database: Database["Type"]): Effect.Effect<boolean> =>
  Effect.map(
    database.all<{ readonly oldest: number | null }>(platformWide, oldestReader, []),
    ([row]) => (row!.oldest ?? 0) > newest
  )

/** Writes down that a migration has been run, and what it asks of the processes that use the database. */
const record = Effect.fnUntraced(function* ({ id, name }: Migration) {
  const sql = yield* SqlClient
  yield* sql`insert into ${sql(table)} ${sql.insert({ migration_id: id, name })}`
  const oldest = takesAway[id]
  if (oldest !== undefined) {
    yield* sql`update ${sql(table)} set oldest_reader = ${oldest} where migration_id = ${id}`
  }
})

/**
 * Brings a database to the newest layout. `apply` runs a migration, and writes down that it did; `fresh` says that
 * the database was empty: no process uses it. A database that a later
 * version has laid out is left as it is, and fails if that version has taken away what this one needs.
 */
export const migrateWith = <E, R>(
  apply: (
    migration: Migration,
    recorded: Effect.Effect<void, SqlError, SqlClient>,
    fresh: boolean
  ) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | SqlError | DatabaseIsNewer, R | SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* createTable(sql)
    const [found] = yield* sql<{
      readonly id: number | null
    }>`select max(migration_id) as id from ${sql(table)}`
    const version = found?.id ?? 0
    if (version > newest) {
      const [row] = yield* sql.unsafe<{ readonly oldest: number | null }>(oldestReader)
      if ((row?.oldest ?? 0) <= newest) return
      return yield* new DatabaseIsNewer({
        message: `the database has layout ${version}, which needs layout ${row!.oldest}; this version knows layouts up to ${newest}`
      })
    }
    for (const migration of migrations) {
      if (migration.id > version) yield* apply(migration, record(migration), version === 0)
    }
  })

/** The same inside a transaction that its caller has opened. */
export const migrate: Effect.Effect<void, SqlError | DatabaseIsNewer, SqlClient> = migrateWith(
  ({ run }, recorded) => Effect.zipRight(run, recorded)
)
