import { Schema } from "effect"
import { Characters, Timestamp } from "../Codecs.ts"

const Name = Characters(1, 200)

/** The tenant: agents, phone numbers, calls and credits belong to one. Its id is the `customer_id` of records. */
export const Workspace = Schema.Struct({
  id: Schema.String,
  name: Name,
  /** Calls under way at one time. */
  max_concurrency: Schema.Int.pipe(Schema.between(1, 100_000)),
  /** Dials started in any one second. */
  calls_per_second: Schema.Int.pipe(Schema.between(1, 100_000)),
  /** ISO 3166 alpha-2 codes of the countries that may be called; empty: all. */
  allowed_countries: Schema.Array(Schema.String.pipe(Schema.pattern(/^[A-Z]{2}$/))),
  /** Whether premium-rate and satellite numbers may be called. */
  allow_costly_destinations: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

/** A credential. `od_live_<id>_<secret>` is shown once; what is kept is the SHA-256 of the whole key. */
export const ApiKey = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  name: Name,
  scopes: Schema.Array(Schema.String),
  digest: Schema.String,
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp)
}).annotations({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type
