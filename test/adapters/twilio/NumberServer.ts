import { Effect } from "effect"
import type { Options } from "../../../adapters/twilio/NumberInventory.ts"
import { json } from "../../Listener.ts"
import { accountSid, type Asked, credentials, failure, serve, type TwilioServer } from "./TwilioServer.ts"

const requirements = ["none", "none", "none", "any", "local", "foreign"]

const numbersOf = (country: string, prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const phone_number = `+${prefix}${String((i * 7_919) % 10_000).padStart(4, "0")}`
    return {
      friendly_name: phone_number,
      phone_number,
      lata: null,
      locality: i % 3 === 0 ? null : "Springfield",
      rate_center: null,
      region: i % 2 === 0 ? "CA" : null,
      postal_code: null,
      iso_country: country,
      address_requirements: requirements[i % requirements.length],
      beta: false,
      capabilities: { voice: true, SMS: true, MMS: false }
    }
  })

/** What the stand-in has for sale, and at which prices. */
const stock: Readonly<Record<string, ReturnType<typeof numbersOf>>> = {
  US: numbersOf("US", "1415555", 400),
  GB: numbersOf("GB", "44207946", 60)
}
const prices: Readonly<Record<string, object>> = {
  US: {
    country: "United States",
    iso_country: "US",
    phone_number_prices: [
      { number_type: "toll free", base_price: "2.15", current_price: "2.15" },
      { number_type: "local", base_price: "1.15", current_price: "1.10" }
    ],
    price_unit: "USD"
  },
  GB: {
    country: "United Kingdom",
    iso_country: "GB",
    phone_number_prices: [{ number_type: "local", base_price: 1.15, current_price: 1.15 }],
    price_unit: "usd"
  }
}

const local = new RegExp(`^/2010-04-01/Accounts/${accountSid}/AvailablePhoneNumbers/([^/]+)/Local\\.json$`)
const pricing = /^\/v1\/PhoneNumbers\/Countries\/(\w+)$/

const answer = (asked: Asked): boolean => {
  const { path, query } = asked
  const country = local.exec(path)?.[1]
  const priced = pricing.exec(path)?.[1]
  if (priced !== undefined) {
    if (prices[priced] === undefined) failure(asked, 404, 20_404)
    else json(asked, 200, prices[priced])
    return true
  }
  if (country === undefined) return false
  const numbers = stock[country]
  const pattern = query.get("Contains") ?? ""
  if (numbers === undefined) failure(asked, 404, 20_404)
  else if (query.has("Contains") && pattern.length < 2) failure(asked, 400, 20_001)
  else {
    const size = Number(query.get("PageSize") ?? 50)
    const page = Number(query.get("Page") ?? 0)
    const matching = numbers.filter(({ phone_number }) => phone_number.includes(pattern))
    const next = new URLSearchParams(query)
    next.set("Page", String(page + 1))
    json(asked, 200, {
      available_phone_numbers: matching.slice(page * size, (page + 1) * size),
      next_page_uri: matching.length > (page + 1) * size ? `${path}?${next}` : null
    })
  }
  return true
}

export const inventoryOf = (server: Pick<TwilioServer, "url">, more: Partial<Options> = {}): Options => ({
  ...credentials,
  url: server.url,
  pricingUrl: server.url,
  country: "US",
  timeout: "10 seconds",
  ...more
})

/** A stand-in for Twilio that has numbers for sale. */
export const serveNumbers = Effect.tap(serve(), ({ others }) => Effect.sync(() => void others.push(answer)))
