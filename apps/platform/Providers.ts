import { Config, ConfigError, Context, Effect, identity, Layer } from "effect"
import * as Holding from "../../adapters/relay/Holding.ts"
import { among, CarrierCallbacks } from "../../adapters/shared/CarrierCallbacks.ts"
import { LiveSockets, type SocketTalk } from "../../adapters/shared/LiveSockets.ts"
import type { OpenSockets } from "../../adapters/shared/OpenSockets.ts"
import * as Simulated from "../../adapters/simulated/Config.ts"
import * as SimulatedAgentModel from "../../adapters/simulated/SimulatedAgentModel.ts"
import * as SimulatedConversation from "../../adapters/simulated/SimulatedConversation.ts"
import * as SimulatedInventory from "../../adapters/simulated/SimulatedInventory.ts"
import * as SimulatedRegistry from "../../adapters/simulated/SimulatedRegistry.ts"
import * as SimulatedReviewer from "../../adapters/simulated/SimulatedReviewer.ts"
import * as SimulatedScenarios from "../../adapters/simulated/SimulatedScenarios.ts"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import type { LineCapabilities } from "../../core/model/conversations/Speech.ts"
import { AgentModel } from "../../core/ports/AgentModel.ts"
import { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import { CallReviewer } from "../../core/ports/CallReviewer.ts"
import { NumberInventory } from "../../core/ports/NumberInventory.ts"
import { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import { choice } from "./Settings.ts"

// Whose services are used, as the settings have it. A provider's modules are loaded only where it is used.

const twilio = Effect.promise(() => import("../../adapters/twilio/Config.ts"))
const meta = Effect.promise(() => import("../../adapters/meta/Config.ts"))
const llm = Effect.promise(() => import("../../adapters/llm/OpenAiCompatible.ts"))

/** The layer that belongs to what a setting says. */
const chosen = <Name extends string, A, E, R>(
  setting: Config.Config<Name>,
  layers: { readonly [Each in Name]: Effect.Effect<Layer.Layer<A, E, R>> }
): Layer.Layer<A, E | ConfigError.ConfigError, R> =>
  Layer.unwrapEffect(Effect.flatMap(setting, (name) => layers[name]))

export const carrierName = choice("OUTDIAL_CARRIER")
/** Only the simulated carrier calls from a number that is made up. */
export const madeUpNumber = "+14155550100"
export const messagesName = choice("OUTDIAL_MESSAGES")
export const numbersName = choice("OUTDIAL_NUMBERS")
export const modelUrl = Config.withDefault(Config.string("OUTDIAL_LLM_URL"), "")

/** The carrier that `OUTDIAL_CARRIER` names. */
export const carrier = chosen<
  "simulated" | "twilio",
  CallDialer,
  ConfigError.ConfigError,
  CarrierReports | ConversationRunner | OpenSockets
>(carrierName, {
  simulated: Effect.succeed(Simulated.layerConfig),
  twilio: Effect.map(twilio, ({ callDialer }) => callDialer)
})

/** The provider of messages that `OUTDIAL_MESSAGES` names. */
export const sender = chosen(messagesName, {
  simulated: Effect.succeed(Simulated.messageSender),
  meta: Effect.map(meta, ({ messageSender }) => messageSender)
})

/** The review of message templates by that provider, or by rules of this process. */
export const registry = chosen(messagesName, {
  simulated: Effect.succeed(SimulatedRegistry.layer),
  meta: Effect.map(meta, ({ templateRegistry }) => templateRegistry)
})

/** The numbers for sale that `OUTDIAL_NUMBERS` names. */
export const inventory = chosen(numbersName, {
  simulated: Effect.succeed(SimulatedInventory.layer),
  twilio: Effect.map(twilio, ({ numberInventory }) => numberInventory),
  none: Effect.succeed(NumberInventory.layerNone)
})

const model = Layer.unwrapEffect(
  Effect.gen(function* () {
    return (yield* modelUrl) === ""
      ? Layer.mergeAll(
          SimulatedScenarios.layer,
          SimulatedConversation.layer,
          SimulatedAgentModel.layer,
          SimulatedReviewer.layer
        )
      : (yield* llm).layerConfig
  })
)

/** Scenarios from the model behind `OUTDIAL_LLM_URL`, or by rules of this process when that is not set. */
export const generator = Layer.map(model, Context.pick(ScenarioGenerator))

/** Test runs played by the same. */
export const simulator = Layer.map(model, Context.pick(AgentSimulator))

/** Whether the operator lets rules talk to people. */
const talkByRules = Config.withDefault(Config.boolean("OUTDIAL_TALK_BY_RULES"), false)

/** People are talked to by a model, or by rules if the operator says so. */
export const mind: Effect.Effect<void, ConfigError.ConfigError> = Effect.gen(function* () {
  const allowed = yield* talkByRules
  if (allowed || (yield* modelUrl) !== "" || (yield* carrierName) !== "twilio") return
  if (!(yield* (yield* twilio).talksToPeople)) return
  return yield* Effect.fail(
    ConfigError.InvalidData(
      ["OUTDIAL_LLM_URL"],
      "must be set: without a model, rules of this server would talk to people; OUTDIAL_TALK_BY_RULES=true allows that"
    )
  )
})

/** What agents say on calls, by the same. */
export const agentModel = Layer.unwrapEffect(Effect.as(mind, Layer.map(model, Context.pick(AgentModel))))

/** Calls reviewed by the same. */
export const reviewer = Layer.map(model, Context.pick(CallReviewer))

/** Conversations over a socket whose frames are a relay's, which can do this where its first frame does not say. */
export const overRelay =
  (runner: ConversationRunner["Type"], capabilities?: LineCapabilities): SocketTalk =>
  (session, socket) =>
    Holding.hold(runner, session, socket, { capabilities })

type Callbacks = CarrierCallbacks["Type"]
class OfCarrier extends Context.Tag("outdial/callbacks/OfCarrier")<OfCarrier, Callbacks>() {}
class OfMessages extends Context.Tag("outdial/callbacks/OfMessages")<OfMessages, Callbacks>() {}

/** What the carrier of calls and the provider of messages tell over HTTP, each below its own path. */
export const callbacks = Layer.effect(
  CarrierCallbacks,
  Effect.gen(function* () {
    const carrier = yield* OfCarrier
    const messages = yield* OfMessages
    return {
      handle: among([
        ["/callbacks/twilio", carrier.handle],
        ["/callbacks/meta", messages.handle]
      ])
    }
  })
).pipe(
  Layer.provide(
    Layer.project(
      chosen(carrierName, {
        simulated: Effect.succeed(CarrierCallbacks.none),
        twilio: Effect.map(twilio, ({ callbacks }) => callbacks(overRelay))
      }),
      CarrierCallbacks,
      OfCarrier,
      identity
    )
  ),
  Layer.provide(
    Layer.project(
      chosen(messagesName, {
        simulated: Effect.succeed(CarrierCallbacks.none),
        meta: Effect.map(meta, ({ callbacks }) => callbacks)
      }),
      CarrierCallbacks,
      OfMessages,
      identity
    )
  )
)

/** Where the carrier's relay brings conversations in. */
export const carrierSockets = chosen(carrierName, {
  simulated: Effect.succeed(LiveSockets.none),
  twilio: Effect.map(twilio, ({ sockets }) => sockets(overRelay))
})
