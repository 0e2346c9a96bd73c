import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import { PlayResult } from "./Play.ts"
import type { Subject } from "./Subject.ts"

export const RunStatus = Schema.Literal("queued", "running", "completed", "failed", "cancelled")
export type RunStatus = typeof RunStatus.Type

export const RunCounts = Schema.Struct({
  total: Schema.Int,
  passed: Schema.Int,
  failed: Schema.Int,
  errored: Schema.Int
}).annotations({ identifier: "TestRunCounts" })

const summary = {
  id: Schema.String,
  suite_id: Schema.String,
  agent_id: Schema.String,
  status: RunStatus,
  counts: RunCounts,
  /** From 0 to 1: the share of passed judgments, a `maybe` counting half. Null before the first. */
  score: Schema.NullOr(Schema.Number),
  credits_used: Schema.Int,
  error: Schema.NullOr(Schema.String),
  started_at: Schema.NullOr(Timestamp),
  completed_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}

/** A run as lists show it. */
export const RunSummary = Schema.Struct(summary).annotations({ identifier: "TestRunSummary" })

/** A run with what came of each play. */
export const RunRecord = Schema.Struct({ ...summary, results: Schema.Array(PlayResult) }).annotations({
  identifier: "TestRun"
})

/** A test run. */
export interface Run extends Schema.Schema.Type<typeof RunSummary> {
  readonly customer_id: string
  readonly subject: Subject
  readonly judges: ReadonlyArray<string>
  /** When what is not finished is given up. */
  readonly deadline_at: number
  /** Points of the judgments so far, and how many they are: what the score is made of. */
  readonly points: number
  readonly judged: number
}
