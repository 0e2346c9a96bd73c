import { type Effect, Layer } from "effect"
import type { Plan, Run } from "../../core/model/simulation/Plan.ts"
import { Prices } from "../../core/ports/Prices.ts"
import { Log } from "../../core/simulation/Log.ts"
import * as SimulatedRun from "../../core/simulation/SimulatedRun.ts"
import { inMemory } from "../platform/InMemory.ts"
import { standardPrices } from "../platform/Limits.ts"
import { platform } from "../platform/Platform.ts"

/** The whole platform in memory, with callees in the place of the carrier. */
export const platformOf = (plan: Plan) => (callees: SimulatedRun.Callees) =>
  Layer.provide(
    platform({
      ...inMemory,
      carrier: callees,
      prices: Prices.layer({ ...standardPrices, minute: plan.price_per_minute })
    }),
    Layer.setTracerEnabled(false)
  )

/** Plays a plan to its end with the callees of one seed, and writes into the log how far it is. */
export const play = (plan: Plan, seed: number, log = new Log(plan.starts_at)): Effect.Effect<Run> =>
  SimulatedRun.play(plan, seed, log, platformOf(plan))
