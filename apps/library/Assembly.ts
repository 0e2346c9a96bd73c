import { type Config, ConfigProvider, Effect, Layer } from "effect"
import type { HttpServer } from "@effect/platform/HttpServer"
import * as FetchServer from "../../adapters/http/server/FetchServer.ts"
import * as MemoryRateLimits from "../../adapters/memory/RateLimits.ts"
import { OpenSockets } from "../../adapters/shared/OpenSockets.ts"
import { Events } from "../../core/engine/Events.ts"
import * as Housekeeping from "../../core/engine/Housekeeping.ts"
import { Imports } from "../../core/usecases/Imports.ts"
import { inProcess } from "../platform/Dispatch.ts"
import { fromSettings } from "../platform/FromSettings.ts"
import { platform } from "../platform/Platform.ts"
import type { Ports, Unavailable } from "../platform/Ports.ts"
import * as Recordings from "../platform/Recordings.ts"
import * as SimulatorProcess from "../simulation/SimulatorProcess.ts"
import { check } from "./Checks.ts"
import type { Options, Port } from "./Options.ts"
import * as Audio from "./ports/Audio.ts"
import * as Carrier from "./ports/Carrier.ts"
import * as Inventory from "./ports/Inventory.ts"
import type { OnError } from "./ports/Lift.ts"
import * as Model from "./ports/Model.ts"
import * as Registry from "./ports/Registry.ts"
import * as Sender from "./ports/Sender.ts"
import * as Sink from "./ports/Sink.ts"
import * as Talk from "./ports/Talk.ts"

/** The layer that was given, the one that is made of a plain object, or that of the settings. */
const port = <Service, Plain extends object, Needs = never>(
  given: Plain | Port<Service, Needs> | undefined,
  make: (plain: Plain, onError: OnError) => Layer.Layer<Service, never, Needs>,
  standard: Layer.Layer<Service, Unavailable, HttpServer | Needs>,
  { onError = () => {} }: Options
): Layer.Layer<Service, Unavailable, HttpServer | Needs> => {
  if (given === undefined) return standard
  return Layer.isLayer(given) ? (given as Port<Service, Needs>) : make(given as Plain, onError)
}

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
  check(options)
  const own = typeof options.store === "object" ? options.store : undefined
  const store = Layer.provideMerge(Events.layer, own ?? fromSettings.store)
  const ports: Ports<Unavailable, HttpServer | OpenSockets> = {
    ...fromSettings,
    ...(own !== undefined && { rateLimits: MemoryRateLimits.layerConfig, dispatcher: inProcess }),
    store,
    carrier: port(options.carrier, Carrier.layer, fromSettings.carrier, options),
    sender: port(options.sender, Sender.layer, fromSettings.sender, options),
    audio: port(options.audio, Audio.layer, fromSettings.audio, options),
    generator: port(options.generator, Model.generator, fromSettings.generator, options),
    simulator: port(options.simulator, Model.simulator, fromSettings.simulator, options),
    agentModel: port(options.agentModel, Talk.agentModel, fromSettings.agentModel, options),
    reviewer: port(options.reviewer, Talk.reviewer, fromSettings.reviewer, options),
    tools: port(options.tools, Talk.tools, fromSettings.tools, options),
    inventory: port(options.inventory, Inventory.layer, fromSettings.inventory, options),
    sink: port(options.sink, Sink.layer, fromSettings.sink, options),
    registry: port(options.registry, Registry.layer, fromSettings.registry, options)
  }
  return Layer.mergeAll(Recordings.retention, Housekeeping.layer, Imports.closing).pipe(
    Layer.provideMerge(platform(ports)),
    Layer.provideMerge(store),
    Layer.provideMerge(OpenSockets.layerConfig),
    Layer.provide(Layer.merge(FetchServer.layer({}), SimulatorProcess.layerConfig)),
    Layer.provide(Layer.setConfigProvider(settingsOf(options)))
  )
}

export type Services = Layer.Layer.Success<ReturnType<typeof assemble>>
export type { Unavailable }

/** A setting, read as the server reads it. */
export const setting = <A>(options: Options, config: Config.Config<A>) =>
  Effect.withConfigProvider(config, settingsOf(options))
