import { Effect, Layer } from "effect"
import { span } from "../../core/engine/Span.ts"
import { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import { readable } from "./personas/AngleKinds.ts"
import { PromptCache } from "./personas/PromptReading.ts"
import { scenariosFor, seedOf } from "./personas/Scenarios.ts"

export interface Options {
  /** Chooses who is paired with what. By default the prompt's own text does. */
  readonly seed?: number | undefined
}

const make = ({ seed }: Options) =>
  Effect.sync(() => {
    const prompts = new PromptCache()
    return ScenarioGenerator.of({
      generate: (request) =>
        Effect.sync(() => {
          const { prompt } = request.agent
          const scenarios = scenariosFor(
            request,
            prompts.read(readable(prompt)),
            (seed ?? seedOf(prompt)) >>> 0
          )
          return { scenarios, usage: { input_tokens: 0, output_tokens: 0 } }
        }).pipe(span("ScenarioGenerator.generate"))
    })
  })

export const layerWith = (options: Options): Layer.Layer<ScenarioGenerator> =>
  Layer.effect(ScenarioGenerator, make(options))

/** Makes scenarios by rules, without a model: the same request has the same scenarios. */
export const layer: Layer.Layer<ScenarioGenerator> = layerWith({})
