import { Config, Effect, Layer } from "effect"
import * as Simulated from "../../adapters/memory/NumberInventory.ts"
import * as NoInventory from "../../core/numbers/NoInventory.ts"

const name = Config.withDefault(Config.literal("simulated", "none")("OUTDIAL_NUMBERS"), "simulated" as const)

/** The inventory of numbers for sale that `OUTDIAL_NUMBERS` names. */
export const layer = Layer.unwrapEffect(
  Effect.map(name, (inventory) => ({ simulated: Simulated.layer, none: NoInventory.layer })[inventory])
)
