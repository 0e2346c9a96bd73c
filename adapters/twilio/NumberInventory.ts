import { type Context, type Duration, Effect, Layer, Option, type Scope } from "effect"
import type * as HttpClient from "@effect/platform/HttpClient"
import { span } from "../../core/engine/Span.ts"
import type { ListedNumber } from "../../core/model/numbers/AvailableNumber.ts"
import {
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable,
  NumberInventory
} from "../../core/ports/NumberInventory.ts"
import { http, type Unanswered } from "../shared/HttpExchange.ts"
import * as NumberPrices from "./NumberPrices.ts"
import * as RestApi from "./RestApi.ts"
import { decodeNumberPage, type NumberPage } from "./Wire.ts"

export interface Options extends RestApi.Account {
  /** The pricing API's base URL, such as `https://pricing.twilio.com`. */
  readonly pricingUrl: string
  /** Where numbers are looked for when no country is asked for: ISO 3166 alpha-2. */
  readonly country: string
  /** How long one request may take. */
  readonly timeout: Duration.DurationInput
  /** How long prices are kept. Default one hour. */
  readonly pricesKeptFor?: Duration.DurationInput | undefined
}

const nothing = { numbers: [], next: null } as const

/** Fewer symbols are no pattern to Twilio; which numbers match is seen to here in any case. */
const leastPattern = 2

const unanswered = (failure: Unanswered) =>
  failure._tag === "TimedOut"
    ? new InventoryTimedOut({ message: "the provider of numbers did not answer in time" })
    : new InventoryUnavailable({ message: `the provider of numbers cannot be reached (${failure.code})` })

const unusable = (reason: string) => new InventoryUnusable({ message: `the provider of numbers ${reason}` })

const wrongStatus = (status: number) =>
  status === 429 || status === 503
    ? new InventoryUnavailable({ message: `the provider of numbers answered ${status}` })
    : unusable(`answered ${status}`)

const listed =
  ({ currency, monthly_price }: NumberPrices.Price) =>
  (number: NumberPage["available_phone_numbers"][number]): ListedNumber => ({
    number: number.phone_number,
    country: number.iso_country,
    region: number.region ?? number.locality ?? "",
    setup_price: "0.00",
    monthly_price,
    currency,
    needs_identity: number.address_requirements !== "none"
  })

const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Context.Tag.Service<NumberInventory>, never, HttpClient.HttpClient | Scope.Scope> {
  const api = yield* RestApi.make(options)
  const pricing = `${options.pricingUrl.replace(/\/+$/, "")}/v1/PhoneNumbers/Countries/`
  const get = (url: URL) => Effect.mapError(api.get(url, options.timeout), unanswered)

  const priceOf = yield* NumberPrices.make(
    (country) =>
      Effect.flatMap(get(new URL(pricing + country)), ({ status, text }) =>
        status === 200 ? Effect.succeed(text) : Effect.fail(wrongStatus(status))
      ),
    options.pricesKeptFor ?? "1 hour"
  )

  const search: Context.Tag.Service<NumberInventory>["search"] = Effect.fnUntraced(function* (query) {
    const country = (query.country ?? options.country).toUpperCase()
    if (!/^[A-Z]{2}$/.test(country)) return nothing
    const pattern = query.contains?.replaceAll(/\D/g, "") ?? ""
    const url =
      query.cursor === null
        ? api.at(`/AvailablePhoneNumbers/${country}/Local.json`, {
            PageSize: String(query.limit),
            VoiceEnabled: "true",
            ...(pattern.length >= leastPattern && { Contains: pattern })
          })
        : api.next(query.cursor)
    if (url === null) return nothing
    const { status, text } = yield* get(url)
    if (status === 404) return nothing
    if (status !== 200) return yield* wrongStatus(status)
    const page = decodeNumberPage(text)
    if (Option.isNone(page)) return yield* unusable("answered what is not a page of numbers")
    const { available_phone_numbers, next_page_uri } = page.value
    const matching = available_phone_numbers.filter(({ phone_number }) =>
      phone_number.includes(query.contains ?? "")
    )
    const numbers = matching.length === 0 ? [] : matching.map(listed(yield* priceOf(country)))
    return { numbers, next: next_page_uri }
  })

  return { search: (query) => span("NumberInventory.search")(search(query)) }
})

/**
 * The local numbers that can call which Twilio has for sale in a country, with its own prices; mobile and
 * toll-free numbers are not listed. There is no price for the setting up. A country in which Twilio sells none is
 * one without numbers. A number counts as needing an identity when Twilio wants an address of its buyer.
 */
export const layer = (options: Options): Layer.Layer<NumberInventory> =>
  Layer.scoped(NumberInventory, make(options)).pipe(Layer.provide(http))
