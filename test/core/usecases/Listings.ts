import { Effect, Layer } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { ListedNumber } from "../../../core/model/numbers/AvailableNumber.ts"
import {
  type InventoryFailure,
  type InventoryQuery,
  NumberInventory
} from "../../../core/ports/NumberInventory.ts"

export const listing = (number: string, more: Partial<ListedNumber> = {}): ListedNumber => ({
  number,
  country: "US",
  region: "California",
  setup_price: "0.00",
  monthly_price: "1.15",
  currency: "USD",
  needs_identity: false,
  ...more
})

const digits = (min: number, max: number) =>
  FastCheck.stringOf(FastCheck.constantFrom(..."0123456789"), { minLength: min, maxLength: max })

/** What a provider may set anywhere behind the plus sign of a number. */
const noise = FastCheck.constantFrom("", "", "", " ", "-", ".", "(", ")", "\u00A0", "\u2011", "\u200B", "/")

/** The number with noise between its digits. */
const formatted = (number: string): FastCheck.Arbitrary<string> =>
  FastCheck.array(noise, { minLength: number.length, maxLength: number.length })
    .map((marks) => Array.from(number, (symbol, i) => symbol + marks[i]!).join(""))
    .filter((text) => !text.includes("(0)"))

const series = FastCheck.constantFrom("140", "1600", "0140", "01600")

/** Numbers of the restricted series, however they are written. */
export const restricted: FastCheck.Arbitrary<string> = FastCheck.tuple(series, digits(4, 7)).chain(
  ([head, rest]) => formatted(`+91${head}${rest}`)
)

/** Numbers that nothing forbids, as E.164 has them. */
export const plain: FastCheck.Arbitrary<string> = FastCheck.tuple(
  FastCheck.constantFrom("+1", "+44", "+33", "+7", "+911", "+9198"),
  digits(7, 10)
)
  .map(([head, rest]) => head + rest)
  .filter((number) => !/^\+91(?:140|1600)/.test(number))

/** What is no E.164 number, whatever is taken out of it. */
export const malformed: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom("", "+", "sip:ada@example.com", "+0123456789", "00911401234567", "+1415555CALL"),
  digits(1, 14),
  digits(15, 20).map((rest) => `+1${rest}`)
)

/** One listing, and the number that is to be listed because of it. */
export interface Item {
  readonly listed: ListedNumber
  readonly number: string | null
}

const countries = FastCheck.constantFrom("US", "IN", "us")
const dropped = (number: string, more: Partial<ListedNumber> = {}): Item => ({
  listed: listing(number, more),
  number: null
})

/** Listings of which those of `country` alone are good, when that is not null. */
export const item = (country: string | null): FastCheck.Arbitrary<Item> =>
  FastCheck.oneof(
    plain.chain((number) =>
      FastCheck.tuple(formatted(number), countries).map(([text, listedCountry]) => ({
        listed: listing(text, { country: listedCountry }),
        number: country === null || listedCountry.toUpperCase() === country ? number : null
      }))
    ),
    restricted.map((number) => dropped(number, { country: "IN" })),
    plain.map((number) => dropped(number, { needs_identity: true })),
    malformed.map((number) => dropped(number))
  )

/** A provider of these pages, whatever it is asked for. `queries` are what it was asked. */
export const provider = (
  pages: ReadonlyArray<ReadonlyArray<ListedNumber> | Effect.Effect<never, InventoryFailure>>
) => {
  const queries: Array<InventoryQuery> = []
  const layer = Layer.succeed(NumberInventory, {
    search: (query) =>
      Effect.suspend(() => {
        queries.push(query)
        const at = Number(query.cursor ?? "0")
        const page = pages[at] ?? []
        if (Effect.isEffect(page)) return page
        const next = at + 1 < pages.length ? String(at + 1) : null
        return Effect.succeed({ numbers: page, next })
      })
  })
  return { queries, layer }
}
