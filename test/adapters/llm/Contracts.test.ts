import { Effect, Layer } from "effect"
import * as OpenAiCompatible from "../../../adapters/llm/OpenAiCompatible.ts"
import { agentSimulatorContract } from "../../contracts/AgentSimulator.ts"
import { scenarioGeneratorContract } from "../../contracts/ScenarioGenerator.ts"
import { competent, serve } from "./OpenAiServer.ts"

const layer = Layer.unwrapScoped(
  Effect.map(serve(competent), ({ url }) => OpenAiCompatible.layer({ url, model: "test" }))
)

scenarioGeneratorContract("a model over HTTP", layer)
agentSimulatorContract("a model over HTTP", layer)
