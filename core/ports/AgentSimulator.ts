import { Context, Data, type Effect } from "effect"
import type { Utterance } from "../model/suites/Play.ts"
import type { TestedAgent } from "../model/suites/Run.ts"
import type { Scenario } from "../model/suites/Suite.ts"

/** Tokens that a model was sent and sent back; zeros where none was asked. */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface Turn {
  readonly text: string
  /** The speaker hangs up after this. */
  readonly hangs_up: boolean
  readonly usage: Usage
}

export type Verdict = "pass" | "fail" | "maybe"

export interface Judgement {
  readonly verdict: Verdict
  readonly reasoning: string
  readonly usage: Usage
}

/** What is played: `key` is the same for every try of the same play, so that chance can be made of it. */
export interface Play {
  readonly key: string
  readonly agent: TestedAgent
  readonly scenario: Scenario
  /** Oldest first. */
  readonly transcript: ReadonlyArray<Utterance>
}

/** The model answered, even after being asked once more, with nothing that could be used. */
export class ModelUnusable extends Data.TaggedError("ModelUnusable")<{ readonly message: string }> {}
/** The model cannot be reached, refuses our credential, or fails inside. */
export class ModelUnavailable extends Data.TaggedError("ModelUnavailable")<{ readonly message: string }> {}
/** The model did not answer in time. */
export class ModelTimedOut extends Data.TaggedError("ModelTimedOut")<{ readonly message: string }> {}
/** The model takes no more for the moment; `retry_after` in seconds. */
export class ModelBusy extends Data.TaggedError("ModelBusy")<{
  readonly message: string
  readonly retry_after: number
}> {}
export type ModelFailure = ModelUnusable | ModelUnavailable | ModelTimedOut | ModelBusy

/** Plays an agent against a persona, and judges what was said. */
export class AgentSimulator extends Context.Tag("outdial/AgentSimulator")<
  AgentSimulator,
  {
    /** What the agent says next. */
    readonly agentTurn: (play: Play) => Effect.Effect<Turn, ModelFailure>
    /** What the persona says next. */
    readonly personaTurn: (play: Play) => Effect.Effect<Turn, ModelFailure>
    /** What one judge, who looks for `criterion`, makes of a finished transcript. */
    readonly judge: (
      play: Play,
      judge: { readonly name: string; readonly criterion: string }
    ) => Effect.Effect<Judgement, ModelFailure>
  }
>() {}
