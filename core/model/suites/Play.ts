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

/** A use of a tool. Arguments and result are text, of JSON if agent and tool keep to the rules. */
export const ToolCallRecord = Schema.Struct({
  turn: Schema.Int.annotations({ description: "The turn in which it was used, from 1" }),
  name: Schema.String,
  arguments: Schema.String,
  result: Schema.NullOr(Schema.String).annotations({
    description: "Null where it did not come before the turn's end"
  })
}).annotations({ identifier: "TestToolCall" })

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
  tool_calls: Schema.Array(ToolCallRecord).annotations({
    description: "The tools that the agent used, the platform's own too"
  }),
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
  transcript: play.transcript.map(({ at, role, text }) => ({ role, text, at })),
  error: play.error,
  tool_calls: play.transcript.flatMap(({ calls }, i) =>
    (calls ?? []).map((call) => ({ turn: i + 1, ...call }))
  ),
  model
})

/** One utterance; `at` in epoch milliseconds. */
export interface Utterance {
  readonly role: Role
  readonly text: string
  readonly at: number
  /** The tools that the agent used in this turn. */
  readonly calls?: ReadonlyArray<Omit<typeof ToolCallRecord.Type, "turn">>
}

export type Role = "agent" | "persona"
