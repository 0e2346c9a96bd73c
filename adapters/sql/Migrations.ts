import { SqlClient } from "@effect/sql/SqlClient"
import { fromRecord, make, type MigrationError } from "@effect/sql/Migrator"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"
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

const migrations = {
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
  "0011_conversations": conversations
}
const table = "outdial_migrations"
/** The version of the newest layout. */
export const newest = Math.max(...Object.keys(migrations).map((name) => Number.parseInt(name, 10)))

/** The database was last opened by a later version of this software. */
export class DatabaseIsNewer extends Data.TaggedError("DatabaseIsNewer")<{ readonly message: string }> {}

/** Brings a database to the newest layout, inside a transaction that its caller has opened. */
export const migrate: Effect.Effect<void, MigrationError | SqlError | DatabaseIsNewer, SqlClient> =
  Effect.gen(function* () {
    yield* make({})({ loader: fromRecord(migrations), table })
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly id: number }>`select max(migration_id) as id from ${sql(table)}`
    if (row !== undefined && row.id > newest) {
      return yield* new DatabaseIsNewer({
        message: `the database has layout ${row.id}, this version knows layouts up to ${newest}`
      })
    }
  })
