import { Schema } from "effect"
import { isSupportedCountry } from "libphonenumber-js/min"
import { Characters, Timestamp } from "../Codecs.ts"

const Name = Characters(1, 200)

const Country = Schema.String.pipe(Schema.pattern(/^[A-Z]{2}$/))

/** The most keys of metadata that calls may be found by. */
export const mostIndexedKeys = 10

/** Days after which what is personal goes; null: a workspace sets none. */
const Days = Schema.NullOr(Schema.Int.pipe(Schema.between(1, 36_500)))

/** The tenant: agents, phone numbers, calls and credits belong to one. Its id is the `customer_id` of records. */
export const Workspace = Schema.Struct({
  id: Schema.String,
  name: Name,
  /** Calls under way at one time. */
  max_concurrency: Schema.Int.pipe(Schema.between(1, 100_000)),
  /** Dials started in any one second. */
  calls_per_second: Schema.Int.pipe(Schema.between(1, 100_000)),
  /** ISO 3166 alpha-2 codes of the countries that may be called; empty: all. */
  allowed_countries: Schema.Array(Country),
  /** Whether premium-rate and satellite numbers may be called. */
  allow_costly_destinations: Schema.Boolean,
  /** The keys at the top of a call's metadata by whose values calls can be found. */
  indexed_metadata_keys: Schema.Array(Characters(1, 64)),
  /** How long recordings are kept after they were made. */
  recording_retention_days: Days,
  /** How long what was said in a conversation is kept after its end. */
  transcript_retention_days: Days,
  /** How long what is personal of calls and messages is kept after their end, with recordings and transcripts. */
  call_retention_days: Days,
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

const distinct = <A>(values: ReadonlyArray<A>) => new Set(values).size === values.length

/** What its customer may change of a workspace, with the rules of what is set. */
export const settings = {
  name: Name,
  max_concurrency: Workspace.fields.max_concurrency,
  calls_per_second: Workspace.fields.calls_per_second,
  allowed_countries: Schema.Array(
    Country.pipe(
      Schema.filter(
        (code) => isSupportedCountry(code) || "must be an ISO 3166 code of two letters, such as US"
      )
    )
  ).pipe(Schema.filter((codes) => distinct(codes) || "must name each country once")),
  allow_costly_destinations: Workspace.fields.allow_costly_destinations,
  indexed_metadata_keys: Workspace.fields.indexed_metadata_keys.pipe(
    Schema.maxItems(mostIndexedKeys, { message: () => `must hold at most ${mostIndexedKeys} keys` }),
    Schema.filter((keys) => distinct(keys) || "must name each key once")
  ),
  recording_retention_days: Days,
  transcript_retention_days: Days,
  call_retention_days: Days
}
export type WorkspaceChange = { readonly [Name in keyof typeof settings]?: Workspace[Name] }

/** A credential. `od_live_<id>_<secret>` is shown once; what is kept is the SHA-256 of the whole key. */
export const ApiKey = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  name: Name,
  scopes: Schema.Array(Schema.String),
  digest: Schema.String,
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp),
  /** From this moment on it opens nothing any more; null: never. */
  expires_at: Schema.NullOr(Timestamp),
  /** To the minute; null until it is used. */
  last_used_at: Schema.NullOr(Timestamp)
}).annotations({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** A key as it is shown. */
export const ApiKeyRecord = Schema.Struct(ApiKey.omit("digest").fields).annotations({ identifier: "ApiKey" })

/** Whether a key opens anything at a moment. */
export const isGood = ({ expires_at, revoked_at }: ApiKey, now: number): boolean =>
  revoked_at === null && (expires_at === null || now < expires_at)
