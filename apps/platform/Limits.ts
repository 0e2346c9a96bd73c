import { Config, Duration, Effect, Layer } from "effect"
import * as RateLimits from "../../adapters/memory/RateLimits.ts"
import { requestSettings, settings as rateSettings } from "../../adapters/shared/TokenBucket.ts"
import { type PriceList, Prices } from "../../core/ports/Prices.ts"
import { RunLimits } from "../../core/ports/RunLimits.ts"

/** What holds unless it is set. */
export const standardPrices: PriceList = {
  minute: 1,
  message: 1,
  scenario: 1,
  turn: 1,
  conversation_turn: 0,
  review: 0
}
export const standardRunLimits: RunLimits["Type"] = { concurrency: 50, deadline: Duration.hours(1) }

const credits = (name: string, standard: number) =>
  Config.integer(name).pipe(
    Config.validate({
      message: "must be zero or more whole credits",
      validation: (price) => price >= 0
    }),
    Config.withDefault(standard)
  )

const priceList = Config.all({
  minute: credits("OUTDIAL_PRICE_PER_MINUTE", standardPrices.minute),
  message: credits("OUTDIAL_PRICE_PER_MESSAGE", standardPrices.message),
  scenario: credits("OUTDIAL_PRICE_PER_SCENARIO", standardPrices.scenario),
  turn: credits("OUTDIAL_PRICE_PER_TURN", standardPrices.turn),
  conversation_turn: credits("OUTDIAL_PRICE_PER_CONVERSATION_TURN", standardPrices.conversation_turn),
  review: credits("OUTDIAL_PRICE_PER_REVIEW", standardPrices.review)
})

const runs = Config.all({
  concurrency: Config.integer("OUTDIAL_TEST_CONCURRENCY").pipe(
    Config.validate({ message: "must be at least 1", validation: (plays) => plays >= 1 }),
    Config.withDefault(standardRunLimits.concurrency)
  ),
  deadline: Config.duration("OUTDIAL_TEST_DEADLINE").pipe(Config.withDefault(standardRunLimits.deadline))
})

/** `OUTDIAL_SIMULATIONS`: how many may be under way at one time, 0 to 16; 0 has none at all. Default 1. */
export const simulations = Config.integer("OUTDIAL_SIMULATIONS").pipe(
  Config.validate({
    message: "must be a whole number from 0 to 16",
    validation: (most) => most >= 0 && most <= 16
  }),
  Config.withDefault(1)
)

export const settings = Config.all({
  priceList,
  runs,
  simulations,
  rate: rateSettings,
  requests: requestSettings
})

/** Prices and limits as the settings have them; the limits are each process's own. */
export const limits = {
  prices: Layer.unwrapEffect(Effect.map(priceList, Prices.layer)),
  runLimits: Layer.unwrapEffect(Effect.map(runs, RunLimits.layer)),
  rateLimits: RateLimits.layerConfig
}
