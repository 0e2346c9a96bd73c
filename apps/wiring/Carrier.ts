import { Config, Effect, Layer } from "effect"
import { CarrierCallbacks } from "../../adapters/shared/CarrierCallbacks.ts"
import * as Simulated from "../../adapters/simulated/Config.ts"

const name = Config.withDefault(
  Config.literal("simulated", "twilio")("OUTDIAL_CARRIER"),
  "simulated" as const
)

/** Loaded only where it is used. */
const twilio = Effect.promise(() => import("../../adapters/twilio/Config.ts"))

/** The carrier that `OUTDIAL_CARRIER` names. */
export const layer = Layer.unwrapEffect(
  Effect.gen(function* () {
    return (yield* name) === "twilio" ? (yield* twilio).callDialer : Simulated.layerConfig
  })
)

/** What receives its callbacks. */
export const callbacks = Layer.unwrapEffect(
  Effect.gen(function* () {
    return (yield* name) === "twilio" ? (yield* twilio).callbacks : CarrierCallbacks.none
  })
)
