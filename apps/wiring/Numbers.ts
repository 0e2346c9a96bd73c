import { Config, Effect, Layer } from "effect"
import * as Simulated from "../../adapters/simulated/SimulatedInventory.ts"
import { NumberInventory } from "../../core/ports/NumberInventory.ts"

const name = Config.withDefault(
  Config.literal("simulated", "twilio", "none")("OUTDIAL_NUMBERS"),
  "simulated" as const
)

/** The inventory of numbers for sale that `OUTDIAL_NUMBERS` names; Twilio's is loaded only where it is used. */
export const layer = Layer.unwrapEffect(
  Effect.gen(function* () {
    const inventory = yield* name
    if (inventory === "none") return NumberInventory.layerNone
    if (inventory === "simulated") return Simulated.layer
    return (yield* Effect.promise(() => import("../../adapters/twilio/Config.ts"))).numberInventory
  })
)
