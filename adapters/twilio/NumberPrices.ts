import { Cache, type Duration, Effect, Fiber, Option, type Scope } from "effect"
import { type InventoryFailure, InventoryUnusable } from "../../core/ports/NumberInventory.ts"
import { type CountryPrices, decodeCountryPrices } from "./Wire.ts"

/** What a local number of a country costs; amounts are decimal text. */
export interface Price {
  readonly monthly_price: string
  readonly currency: string
}

const localPrice = ({ phone_number_prices, price_unit }: CountryPrices): Price | null => {
  const local = phone_number_prices.find(({ number_type }) => number_type === "local")
  const monthly_price = local?.current_price ?? local?.base_price ?? null
  return monthly_price === null ? null : { monthly_price, currency: price_unit.toUpperCase() }
}

const parsed = (text: string) =>
  Option.filter(Option.map(decodeCountryPrices(text), localPrice), (price) => price !== null).pipe(
    Option.match({
      onNone: () => new InventoryUnusable({ message: "the provider's prices are not what is expected" }),
      onSome: Effect.succeed
    })
  )

/**
 * The prices of countries, each read once for all requests at the same time and kept for a while. A reading
 * goes on when the request that began it goes away. Failures are not kept.
 */
export const make = Effect.fnUntraced(function* (
  read: (country: string) => Effect.Effect<string, InventoryFailure>,
  keptFor: Duration.DurationInput
): Effect.fn.Return<(country: string) => Effect.Effect<Price, InventoryFailure>, never, Scope.Scope> {
  const scope = yield* Effect.scope
  const readings = yield* Cache.make({
    capacity: 300,
    timeToLive: keptFor,
    lookup: (country: string) =>
      read(country).pipe(Effect.flatMap(parsed), Effect.interruptible, Effect.forkIn(scope))
  })
  return (country) =>
    Effect.flatMap(Effect.uninterruptible(readings.get(country)), (reading) =>
      Effect.tapError(Fiber.join(reading), () => readings.invalidateWhen(country, (kept) => kept === reading))
    )
})
