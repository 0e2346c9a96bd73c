import { Schema } from "effect"

/** A number that could be bought. Source: contract, "Available number". */
export const AvailableNumber = Schema.Struct({
  number: Schema.String.annotations({ description: "E.164" }),
  country: Schema.String.annotations({ description: "ISO 3166 alpha-2" }),
  region: Schema.String,
  number_type: Schema.Null,
  setup_price: Schema.String.annotations({ description: "Decimal amount as text" }),
  monthly_price: Schema.String.annotations({ description: "Decimal amount as text" }),
  currency: Schema.String
}).annotations({ identifier: "AvailableNumber" })
export type AvailableNumber = typeof AvailableNumber.Type

/** What of an inventory is wanted. */
export interface Wanted {
  /** ISO 3166 alpha-2 in capitals; null: any. */
  readonly country: string | null
  /** Digits, with or without a leading +, that the number contains; null: any. */
  readonly contains: string | null
}

const e164 = /^\+[1-9][0-9]{1,14}$/
/** Whether such a zero is a part of the number cannot be told. */
const optionalZero = /\([\s\p{Cf}]*0[\s\p{Cf}]*\)/u
const punctuation = /[\s\p{Pd}\p{Cf}.()/·]+/gu

/**
 * India's series for telemarketing (140) and for banks and authorities (1600), also behind a trunk prefix that
 * does not belong there.
 */
const restricted = /^\+910*(?:140|1600)/

/** A number without what providers set between its digits; null if that makes no strict E.164 of it. */
const plain = (text: string): string | null => {
  const compatible = text.normalize("NFKC")
  const number = compatible.replaceAll(punctuation, "")
  return e164.test(number) && !optionalZero.test(compatible) ? number : null
}

/**
 * The number as customers see it; null when it is not for sale here (restricted, bound to a proof of identity,
 * not strict E.164) or not what is wanted, whatever the provider took the question for.
 */
export const offered = (listed: ListedNumber, { contains, country }: Wanted): AvailableNumber | null => {
  const number = plain(listed.number)
  const listedCountry = listed.country.toUpperCase()
  const isOffered =
    number !== null &&
    !listed.needs_identity &&
    !restricted.test(number) &&
    (country === null || listedCountry === country) &&
    (contains === null || number.includes(contains))
  if (!isOffered) return null
  return {
    number,
    country: listedCountry,
    region: listed.region,
    number_type: null,
    setup_price: listed.setup_price,
    monthly_price: listed.monthly_price,
    currency: listed.currency
  }
}

/** A number that could be bought. Prices are decimal text, in `currency`. */
export interface ListedNumber {
  readonly number: string
  readonly country: string
  readonly region: string
  readonly setup_price: string
  readonly monthly_price: string
  readonly currency: string
  /** Who buys it has to prove an identity or an address. */
  readonly needs_identity: boolean
}
