import { Context, type Effect } from "effect"
import type { Scenario } from "../model/suites/Suite.ts"
import type { ModelFailure, Usage } from "./ModelFailure.ts"

/** What scenarios are to be made for. */
export interface GenerationRequest {
  readonly agent: { readonly name: string; readonly prompt: string; readonly language: string }
  /** How many, 1 to 100. */
  readonly count: number
  /** Whose criteria they should put to the test, with what each looks for. */
  readonly judges: ReadonlyArray<{ readonly name: string; readonly criterion: string }>
  /** A free-text steer. */
  readonly hint: string | null
}

export interface Generated {
  /** At least one and at most `count`, with labels that differ. */
  readonly scenarios: ReadonlyArray<Scenario>
  readonly usage: Usage
}

/** Makes persona scenarios that put an agent to the test. */
export class ScenarioGenerator extends Context.Tag("outdial/ScenarioGenerator")<
  ScenarioGenerator,
  { readonly generate: (request: GenerationRequest) => Effect.Effect<Generated, ModelFailure> }
>() {}
