import { Config, type ConfigError, Duration, Effect, Layer, Option } from "effect"
import type { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import type { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import { http } from "../shared/HttpExchange.ts"
import * as Simulator from "./AgentSimulator.ts"
import * as ChatCompletions from "./ChatCompletions.ts"
import * as Model from "./Model.ts"
import * as Generator from "./ScenarioGenerator.ts"

export interface Options extends ChatCompletions.ChatCompletionsOptions, Model.Limits {}

/** Generator and simulator over one model at any OpenAI-compatible address, by `fetch`. */
export const layer = (options: Options): Layer.Layer<ScenarioGenerator | AgentSimulator> =>
  Layer.merge(Generator.layer, Simulator.layer).pipe(
    Layer.provide(Model.layer(options)),
    Layer.provide(ChatCompletions.layer(options)),
    Layer.provide(http)
  )

const isBaseUrl = ({ password, protocol, username }: URL) =>
  (protocol === "https:" || protocol === "http:") && username === "" && password === ""

/** `OUTDIAL_LLM_URL`: the model's base URL, such as `https://api.openai.com/v1`. */
export const url = Config.url("OUTDIAL_LLM_URL").pipe(
  Config.validate({ message: "must be an http or https URL without credentials", validation: isBaseUrl })
)

export const settings = Config.all({
  url,
  apiKey: Config.option(Config.redacted(Config.nonEmptyString("OUTDIAL_LLM_API_KEY"))),
  model: Config.nonEmptyString("OUTDIAL_LLM_MODEL"),
  timeout: Config.duration("OUTDIAL_LLM_TIMEOUT").pipe(
    Config.validate({
      message: "must be longer than nothing, and finite",
      validation: (timeout) => Duration.isFinite(timeout) && Duration.greaterThan(timeout, Duration.zero)
    }),
    Config.withDefault(Duration.seconds(60))
  ),
  concurrency: Config.integer("OUTDIAL_LLM_CONCURRENCY").pipe(
    Config.validate({ message: "must be at least 1", validation: (slots) => slots >= 1 }),
    Config.withDefault(50)
  )
})

/** The model of `OUTDIAL_LLM_URL`, `_API_KEY` (optional), `_MODEL`, `_TIMEOUT` (60 seconds), `_CONCURRENCY` (50). */
export const layerConfig: Layer.Layer<ScenarioGenerator | AgentSimulator, ConfigError.ConfigError> =
  Layer.unwrapEffect(
    Effect.map(settings, ({ apiKey, url, ...rest }) =>
      layer({ ...rest, url: url.href, apiKey: Option.getOrUndefined(apiKey) })
    )
  )
