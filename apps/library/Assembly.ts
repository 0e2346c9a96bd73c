import { type Config, ConfigProvider, Context, Effect, Layer } from "effect"
import * as Secrets from "../../adapters/crypto/Secrets.ts"
import * as FetchServer from "../../adapters/http/server/FetchServer.ts"
import { Events } from "../../core/engine/Events.ts"
import { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import * as SimulatorProcess from "../simulation/SimulatorProcess.ts"
import * as DefaultCarrier from "../wiring/Carrier.ts"
import * as Dispatch from "../wiring/Dispatch.ts"
import * as Messages from "../wiring/Messages.ts"
import * as DefaultModel from "../wiring/Model.ts"
import * as DefaultNumbers from "../wiring/Numbers.ts"
import * as Recordings from "../wiring/Recordings.ts"
import * as Store from "../wiring/Store.ts"
import * as UseCases from "../wiring/UseCases.ts"
import type { Options, Port } from "./Options.ts"
import * as Audio from "./ports/Audio.ts"
import * as Carrier from "./ports/Carrier.ts"
import * as Inventory from "./ports/Inventory.ts"
import type { OnError } from "./ports/Lift.ts"
import * as Model from "./ports/Model.ts"
import * as Registry from "./ports/Registry.ts"
import * as Sender from "./ports/Sender.ts"
import * as Sink from "./ports/Sink.ts"

/** The layer that was given, the one that is made of a plain object, or the standard one. */
const port = <Service, Plain extends object>(
  given: Plain | Port<Service> | undefined,
  make: (plain: Plain, onError: OnError) => Layer.Layer<Service>,
  standard: Port<Service>,
  { onError = () => {} }: Options
): Port<Service> => {
  if (given === undefined) return standard
  return Layer.isLayer(given) ? (given as Port<Service>) : make(given as Plain, onError)
}

/** Delivery by HTTP, whose sockets are loaded only where they are used. */
const httpSink = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/webhooks/HttpSink.ts")),
    ({ layerConfig }) => layerConfig
  )
)

/** Tables are read by a process of their own, which starts with the first of them. */
const tables = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/tables/TableReader.ts")),
    ({ layer }) => layer
  )
)

export const settingsOf = ({ settings = {}, store }: Options): ConfigProvider.ConfigProvider => {
  const named = Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return ConfigProvider.fromMap(
    new Map([
      ["OUTDIAL_DATABASE_URL", "memory:"],
      ...named,
      ...(typeof store === "string" ? [["OUTDIAL_DATABASE_URL", store] as const] : [])
    ])
  )
}

/** Everything that a platform is made of, but for its REST interface. */
export const assemble = (options: Options) => {
  const store = typeof options.store === "object" ? options.store : Store.layer
  const ports = Layer.mergeAll(
    Layer.provideMerge(Events.layer, store),
    port(options.carrier, Carrier.layer, DefaultCarrier.layer, options),
    port(options.sender, Sender.layer, Messages.sender, options),
    port(options.audio, Audio.layer, Recordings.store, options),
    port(
      options.generator,
      Model.generator,
      Layer.map(DefaultModel.layer, Context.pick(ScenarioGenerator)),
      options
    ),
    port(
      options.simulator,
      Model.simulator,
      Layer.map(DefaultModel.layer, Context.pick(AgentSimulator)),
      options
    ),
    port(options.inventory, Inventory.layer, DefaultNumbers.layer, options),
    port(options.sink, Sink.layer, httpSink, options),
    port(options.registry, Registry.layer, Messages.registry, options),
    tables,
    Secrets.layer
  )
  const useCases = typeof options.store === "object" ? UseCases.layer : Dispatch.layer
  return Layer.merge(useCases, Recordings.retention).pipe(
    Layer.provide(Layer.provide(Recordings.links, FetchServer.layer({}))),
    Layer.provide(SimulatorProcess.layerConfig),
    Layer.provideMerge(ports),
    Layer.provide(Layer.setConfigProvider(settingsOf(options)))
  )
}

export type Services = Layer.Layer.Success<ReturnType<typeof assemble>>
export type Unavailable = Layer.Layer.Error<ReturnType<typeof assemble>>

/** A setting, read as the server reads it. */
export const setting = <A>(options: Options, config: Config.Config<A>) =>
  Effect.withConfigProvider(config, settingsOf(options))
