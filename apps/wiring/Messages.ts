import { Config, Effect, Layer } from "effect"
import { CarrierCallbacks } from "../../adapters/shared/CarrierCallbacks.ts"
import * as Simulated from "../../adapters/simulated/Config.ts"
import * as InMemory from "../../adapters/simulated/SimulatedRegistry.ts"

const name = Config.withDefault(Config.literal("simulated", "meta")("OUTDIAL_MESSAGES"), "simulated" as const)

/** Loaded only where it is used. */
const meta = Effect.promise(() => import("../../adapters/meta/Config.ts"))

/** Who sends messages: the provider that `OUTDIAL_MESSAGES` names. */
export const sender = Layer.unwrapEffect(
  Effect.gen(function* () {
    return (yield* name) === "meta" ? (yield* meta).messageSender : Simulated.messageSender
  })
)

/** Who reviews message templates: that provider, or a registry of this process. */
export const registry = Layer.unwrapEffect(
  Effect.gen(function* () {
    return (yield* name) === "meta" ? (yield* meta).templateRegistry : InMemory.layer
  })
)

/** What receives the provider's callbacks. */
export const callbacks = Layer.unwrapEffect(
  Effect.gen(function* () {
    return (yield* name) === "meta" ? (yield* meta).callbacks : CarrierCallbacks.none
  })
)
