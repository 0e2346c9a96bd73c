import { Config, Effect, Layer } from "effect"
import * as InMemory from "../../adapters/simulated/SimulatedConversation.ts"
import * as Scenarios from "../../adapters/simulated/SimulatedScenarios.ts"

const offline = Layer.merge(Scenarios.layer, InMemory.layer)

/**
 * Who makes scenarios and plays them: the model behind `OUTDIAL_LLM_URL`, or the deterministic one of this process
 * when that is not set. The client of a model is loaded only when there is one.
 */
export const layer = Layer.unwrapEffect(
  Effect.gen(function* () {
    const url = yield* Config.withDefault(Config.string("OUTDIAL_LLM_URL"), "")
    if (url === "") return offline
    const { layerConfig } = yield* Effect.promise(() => import("../../adapters/llm/OpenAiCompatible.ts"))
    return layerConfig
  })
)
