import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import type { Scenario } from "./Suite.ts"

export const Verdict = Schema.Literal("pass", "fail", "maybe")

export const Judgment = Schema.Struct({ verdict: Verdict, reasoning: Schema.String }).annotations({
  identifier: "Judgment"
})
export type Judgment = typeof Judgment.Type

export const PlayStatus = Schema.Literal("pass", "fail", "error")
export type PlayStatus = typeof PlayStatus.Type

/** What came of one play of a scenario. */
export const PlayResult = Schema.Struct({
  label: Schema.String,
  /** Which of the scenario's plays, from 1. */
  run_index: Schema.Int,
  /** Null while it is being played. */
  status: Schema.NullOr(PlayStatus),
  turns: Schema.Int,
  judgments: Schema.Record({ key: Schema.String, value: Judgment }),
  transcript: Schema.Array(
    Schema.Struct({ role: Schema.Literal("agent", "persona"), text: Schema.String, at: Timestamp })
  ),
  error: Schema.NullOr(Schema.String),
  model: Schema.NullOr(Schema.String).annotations({
    description:
      "The model that played the persona and judged; `built-in rules`: no model was asked. Null in runs of earlier " +
      "versions"
  })
}).annotations({ identifier: "TestResult" })
export type PlayResult = typeof PlayResult.Type

/** One play of one scenario in a run: agent and persona talk, then the judges read what was said. */
export interface Play {
  readonly id: string
  readonly customer_id: string
  readonly run_id: string
  /** Its place among the run's plays, from 0. */
  readonly position: number
  readonly run_index: number
  readonly scenario: Scenario
  /** Open: still to be played or judged. */
  readonly open: boolean
  /** The conversation is over: what is left is to judge it. */
  readonly over: boolean
  readonly status: PlayStatus | null
  readonly transcript: ReadonlyArray<Utterance>
  readonly judgments: Readonly<Record<string, Judgment>>
  readonly error: string | null
  /** When it may go on: later than now after a model had no time for it. */
  readonly due_at: number
  /** Times in a row that a model did not answer. */
  readonly failures: number
  readonly updated_at: number
  /** Grows by one with each update; every update is conditional on it. */
  readonly version: number
}

/** What a play has come to so far; `model` is its run's. */
export const resultOf = (play: Play, model: string | null): PlayResult => ({
  label: play.scenario.label,
  run_index: play.run_index,
  status: play.status,
  turns: play.transcript.length,
  judgments: play.judgments,
  transcript: play.transcript,
  error: play.error,
  model
})

/** One utterance; `at` in epoch milliseconds. */
export interface Utterance {
  readonly role: Role
  readonly text: string
  readonly at: number
}

export type Role = "agent" | "persona"
