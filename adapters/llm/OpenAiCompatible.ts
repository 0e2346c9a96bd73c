import { Config, type ConfigError, Duration, Effect, Layer, Option } from "effect"
import type { AgentModel } from "../../core/ports/AgentModel.ts"
import type { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import type { CallReviewer } from "../../core/ports/CallReviewer.ts"
import type { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import { http } from "../shared/HttpExchange.ts"
import * as Talker from "./AgentModel.ts"
import * as Simulator from "./AgentSimulator.ts"
import * as Reviewer from "./CallReviewer.ts"
import * as ChatCompletions from "./ChatCompletions.ts"
import * as Model from "./Model.ts"
import * as Generator from "./ScenarioGenerator.ts"

export interface Options extends ChatCompletions.ChatCompletionsOptions, Model.Limits, Talker.Options {}

/** All that a model can do. */
export type Ports = ScenarioGenerator | AgentSimulator | AgentModel | CallReviewer

/** One model at any OpenAI-compatible address. Its questions are asked by `fetch`, and talks have their own streams. */
export const layer = (options: Options): Layer.Layer<Ports> =>
  Layer.mergeAll(Generator.layer, Simulator.layer(options.model), Reviewer.layer).pipe(
    Layer.provide(Model.layer(options)),
    Layer.provide(ChatCompletions.layer(options)),
    Layer.provide(http),
    Layer.merge(Talker.layer(options))
  )

const isBaseUrl = ({ password, protocol, username }: URL) =>
  (protocol === "https:" || protocol === "http:") && username === "" && password === ""

/** `OUTDIAL_LLM_URL`: the model's base URL, such as `https://api.openai.com/v1`. */
export const url = Config.url("OUTDIAL_LLM_URL").pipe(
  Config.validate({ message: "must be an http or https URL without credentials", validation: isBaseUrl })
)

const patience = (name: string, seconds: number) =>
  Config.duration(name).pipe(
    Config.validate({
      message: "must be longer than nothing, and finite",
      validation: (time) => Duration.isFinite(time) && Duration.greaterThan(time, Duration.zero)
    }),
    Config.withDefault(Duration.seconds(seconds))
  )

const places = (name: string, standard: number) =>
  Config.integer(name).pipe(
    Config.validate({ message: "must be at least 1", validation: (places) => places >= 1 }),
    Config.withDefault(standard)
  )

export const settings = Config.all({
  url,
  apiKey: Config.option(Config.redacted(Config.nonEmptyString("OUTDIAL_LLM_API_KEY"))),
  model: Config.nonEmptyString("OUTDIAL_LLM_MODEL"),
  timeout: patience("OUTDIAL_LLM_TIMEOUT", 60),
  concurrency: places("OUTDIAL_LLM_CONCURRENCY", 50),
  firstToken: patience("OUTDIAL_LLM_FIRST_TOKEN", 8),
  stall: patience("OUTDIAL_LLM_STALL", 5),
  streams: places("OUTDIAL_LLM_STREAMS", 2_000)
})

/** The model that the settings name. */
export const layerConfig: Layer.Layer<Ports, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(settings, ({ apiKey, url, ...rest }) =>
    layer({ ...rest, url: url.href, apiKey: Option.getOrUndefined(apiKey) })
  )
)
