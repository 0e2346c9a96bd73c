import { PCGRandom } from "effect/Utils"
import type { ListedNumber } from "../../../core/model/numbers/AvailableNumber.ts"
import { countries, type Country } from "./Countries.ts"

/** Numbers for sale, those of a country side by side, each with a place that never changes. */
export interface Catalogue {
  readonly numbers: ReadonlyArray<string>
  /** The places of a country's numbers, the second exclusive; of all for null. */
  readonly range: (country: string | null) => readonly [number, number]
  readonly listed: (place: number) => ListedNumber
}

interface Origin {
  readonly country: Country
  readonly region: string
  readonly prefix: string
}

const originsOf = (country: Country): ReadonlyArray<Origin> =>
  Object.entries(country.regions).flatMap(([region, prefixes]) =>
    prefixes.map((prefix) => ({ country, region, prefix }))
  )

/** The first digit behind a region's is 2 to 5, which numbering plans everywhere give to subscribers. */
const drawn = (random: PCGRandom, { country, prefix }: Origin): string => {
  const left = country.digits - prefix.length - 1
  const rest = String(random.integer(10 ** left)).padStart(left, "0")
  return `+${country.callingCode}${prefix}${2 + random.integer(4)}${rest}`
}

/** A hundred thousand invented numbers of fifteen countries; the same for the same seed. */
export const make = (seed: number): Catalogue => {
  const random = new PCGRandom(seed)
  const numbers: Array<string> = []
  const originOf: Array<Origin> = []
  const gated: Array<boolean> = []
  const ranges = new Map<string, readonly [number, number]>()
  for (const country of countries) {
    const origins = originsOf(country)
    const fresh = new Set<string>()
    const first = numbers.length
    while (fresh.size < country.count) {
      const origin = origins[random.integer(origins.length)]!
      const number = drawn(random, origin)
      if (fresh.has(number)) continue
      fresh.add(number)
      numbers.push(number)
      originOf.push(origin)
      gated.push(random.number() < country.identity)
    }
    ranges.set(country.code, [first, numbers.length])
  }

  return {
    numbers,
    range: (country) => (country === null ? [0, numbers.length] : (ranges.get(country) ?? [0, 0])),
    listed: (place) => {
      const { country, region } = originOf[place]!
      return {
        number: numbers[place]!,
        country: country.code,
        region,
        setup_price: country.setup_price,
        monthly_price: country.monthly_price,
        currency: "USD",
        needs_identity: gated[place]!
      }
    }
  }
}
