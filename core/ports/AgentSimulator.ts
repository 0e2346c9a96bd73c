import { Context, type Effect } from "effect"
import type { Utterance } from "../model/suites/Play.ts"
import type { TestedAgent } from "../model/suites/Subject.ts"
import type { Scenario } from "../model/suites/Suite.ts"
import type { ModelFailure, Usage } from "./ModelFailure.ts"

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

/** Plays the persona that an agent talks with, and judges what was said. */
export class AgentSimulator extends Context.Tag("outdial/AgentSimulator")<
  AgentSimulator,
  {
    /** What is shown as the model's name. */
    readonly name: string
    /**
     * What the persona says next: `…` where it says nothing, and `[press 12#]` where it presses keys. The transcript is
     * what it has heard and said itself.
     */
    readonly personaTurn: (play: Play) => Effect.Effect<Turn, ModelFailure>
    /** What one judge, who looks for `criterion`, makes of a finished transcript. */
    readonly judge: (
      play: Play,
      judge: { readonly name: string; readonly criterion: string }
    ) => Effect.Effect<Judgement, ModelFailure>
  }
>() {}
