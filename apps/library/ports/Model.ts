import { Effect, Layer, ParseResult, Schema } from "effect"
import { Verdict } from "../../../core/model/suites/Play.ts"
import { Scenario } from "../../../core/model/suites/Suite.ts"
import { AgentSimulator, type Judgement, type Play, type Turn } from "../../../core/ports/AgentSimulator.ts"
import {
  ModelBusy,
  type ModelFailure,
  ModelTimedOut,
  ModelUnavailable,
  ModelUnusable,
  type Usage
} from "../../../core/ports/ModelFailure.ts"
import { type GenerationRequest, ScenarioGenerator } from "../../../core/ports/ScenarioGenerator.ts"
import { type Answer, asking, type OnError } from "./Lift.ts"

/**
 * Makes persona scenarios for an agent. Throw `ModelUnusable`, `ModelTimedOut` or `ModelBusy` to say why there are
 * none; anything else that is thrown counts as `ModelUnavailable`, and so do they with nothing charged.
 */
export interface Generator {
  /**
   * One to `count` scenarios whose labels differ; more are left out. Each is checked as one that is sent over REST:
   * `label`, `instructions`, `runs` (1 to 100), `max_turns` (1 to 100).
   */
  readonly generate: (
    request: GenerationRequest,
    signal: AbortSignal
  ) => Answer<{ readonly scenarios: ReadonlyArray<Scenario>; readonly usage?: Usage }>
}

type Said = Omit<Turn, "usage" | "hangs_up"> & Partial<Pick<Turn, "usage" | "hangs_up">>
type Judged = Omit<Judgement, "usage"> & Partial<Pick<Judgement, "usage">>

/**
 * Plays test runs: what the persona says, and what a judge makes of it. Throw `ModelBusy` with
 * `retry_after` (seconds) to be asked again later; anything else that is thrown counts as `ModelUnavailable`, and is
 * asked again as well.
 */
export interface Simulator {
  /**
   * What the persona says next, `play.transcript` so far: `…` where it says nothing, `[press 12#]` where it presses
   * keys. `hangs_up` is false unless told.
   */
  readonly personaTurn: (play: Play, signal: AbortSignal) => Answer<Said>
  /** What one judge makes of a finished transcript. */
  readonly judge: (
    play: Play,
    judge: { readonly name: string; readonly criterion: string },
    signal: AbortSignal
  ) => Answer<Judged>
}

const none: Usage = { input_tokens: 0, output_tokens: 0 }

const asked = asking<ModelFailure>(
  [ModelUnusable, ModelUnavailable, ModelTimedOut, ModelBusy],
  () => new ModelUnavailable({ message: "the model failed for a reason of its own" })
)

const decode = Schema.decodeUnknown(Schema.NonEmptyArray(Scenario))
const Tokens = Schema.Struct({ input_tokens: Schema.NonNegative, output_tokens: Schema.NonNegative })
const usage = Schema.optionalWith(Tokens, { exact: true })
const Generated = Schema.Struct({ scenarios: Schema.Array(Schema.Any), usage })
const SaidSchema: Schema.Schema<Said> = Schema.Struct({
  text: Schema.String,
  hangs_up: Schema.optionalWith(Schema.Boolean, { exact: true }),
  usage
})
const JudgedSchema: Schema.Schema<Judged> = Schema.Struct({
  verdict: Verdict,
  reasoning: Schema.String,
  usage
})

export const generator = (plain: Generator, onError: OnError): Layer.Layer<ScenarioGenerator> => {
  const ask = asked(onError)
  return Layer.succeed(ScenarioGenerator, {
    generate: Effect.fn("ScenarioGenerator.generate")(function* (request: GenerationRequest) {
      const answer = yield* ask("generator.generate", Generated, (signal) => plain.generate(request, signal))
      const scenarios = yield* decode(answer.scenarios.slice(0, request.count)).pipe(
        Effect.mapError(
          (error) =>
            new ModelUnusable({
              message: `a scenario breaks a rule: ${ParseResult.ArrayFormatter.formatErrorSync(error)
                .map(({ path }) => path.join("."))
                .join(", ")}`
            })
        )
      )
      if (new Set(scenarios.map(({ label }) => label)).size < scenarios.length) {
        return yield* new ModelUnusable({ message: "two scenarios have one label" })
      }
      return { scenarios, usage: answer.usage ?? none }
    })
  })
}

const completed = (said: Said): Turn => ({ hangs_up: false, usage: none, ...said })

export const simulator = (plain: Simulator, onError: OnError): Layer.Layer<AgentSimulator> => {
  const ask = asked(onError)
  return Layer.succeed(AgentSimulator, {
    name: "custom",
    personaTurn: (play) =>
      Effect.map(
        ask("simulator.personaTurn", SaidSchema, (signal) => plain.personaTurn(play, signal)),
        completed
      ),
    judge: (play, judge) =>
      Effect.map(
        ask("simulator.judge", JudgedSchema, (signal) => plain.judge(play, judge, signal)),
        (judged) => ({ usage: none, ...judged })
      )
  })
}
