import { Option, Schema } from "effect"
import { decodeJson, nullish } from "../shared/Json.ts"

/** The parts of Twilio's answers that are read. Source: Twilio REST API reference, 2010-04-01. */

const Amount = Schema.Union(Schema.String, Schema.Number)

/** Times are RFC 2822 in whole seconds; a duration is seconds of talk. */
export const Call = Schema.Struct({
  sid: Schema.NonEmptyString,
  status: Schema.String,
  to: nullish(Schema.String),
  direction: nullish(Schema.String),
  answered_by: nullish(Schema.String),
  duration: nullish(Amount),
  date_created: nullish(Schema.String),
  start_time: nullish(Schema.String),
  end_time: nullish(Schema.String)
})
export type Call = typeof Call.Type
export const decodeCall = decodeJson(Call)

const CallPage = Schema.Struct({ calls: Schema.Array(Call), next_page_uri: nullish(Schema.String) })
export const decodeCallPage = decodeJson(CallPage)

const RecordingPage = Schema.Struct({
  recordings: Schema.Array(
    Schema.Struct({
      sid: Schema.NonEmptyString,
      status: Schema.String,
      duration: nullish(Amount),
      channels: nullish(Amount),
      track: nullish(Schema.String),
      start_time: nullish(Schema.String)
    })
  )
})
export const decodeRecordingPage = decodeJson(RecordingPage)

const Failure = Schema.Struct({
  code: Schema.Union(Schema.Int, Schema.NumberFromString),
  message: nullish(Schema.String)
})
const decodeFailure = decodeJson(Failure)

/** What an answer that is not 2xx says; null when it says nothing that can be read. */
export const failureOf = (text: string) => Option.getOrNull(decodeFailure(text))

const AvailableNumber = Schema.Struct({
  phone_number: Schema.NonEmptyString,
  iso_country: Schema.NonEmptyString,
  region: nullish(Schema.String),
  locality: nullish(Schema.String),
  address_requirements: Schema.String
})
const NumberPage = Schema.Struct({
  available_phone_numbers: Schema.Array(AvailableNumber),
  next_page_uri: nullish(Schema.String)
})
export type NumberPage = typeof NumberPage.Type
export const decodeNumberPage = decodeJson(NumberPage)

/** Decimal text, and nothing else. */
const Price = Schema.transform(Amount, Schema.String.pipe(Schema.pattern(/^\d+(?:\.\d+)?$/)), {
  strict: true,
  decode: String,
  encode: (price) => price
})
const CountryPrices = Schema.Struct({
  price_unit: Schema.String.pipe(Schema.pattern(/^[A-Za-z]{3}$/)),
  phone_number_prices: Schema.Array(
    Schema.Struct({
      number_type: Schema.String,
      base_price: nullish(Price),
      current_price: nullish(Price)
    })
  )
})
export type CountryPrices = typeof CountryPrices.Type
export const decodeCountryPrices = decodeJson(CountryPrices)
