import { Config, Effect, Layer } from "effect"
import * as Simulated from "../../adapters/simulated/Config.ts"

const name = Config.withDefault(Config.literal("simulated")("OUTDIAL_CARRIER"), "simulated" as const)

/** The carrier that `OUTDIAL_CARRIER` names. */
export const layer = Layer.unwrapEffect(
  Effect.map(name, (carrier) => ({ simulated: Simulated.layerConfig })[carrier])
)
