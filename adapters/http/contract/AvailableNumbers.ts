import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import { Schema } from "effect"
import { AvailableNumber } from "../../../core/model/numbers/AvailableNumber.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { operation } from "./Operation.ts"
import { Value } from "./Paging.ts"

const most = 100
const limitRule = `limit must be an integer of at least 1; more than ${most} counts as ${most}`

/** Source: contract, "GET /phone-numbers/available": at most 100 are returned, whatever is asked for. */
const Limit = Schema.transform(
  Value(limitRule)
    .pipe(Schema.pattern(/^-?[0-9]+$/))
    .annotations({
      message: () => limitRule,
      jsonSchema: {
        type: "integer",
        minimum: 1,
        default: 50,
        description: `How many numbers at most; more than ${most} counts as ${most}`
      }
    }),
  Schema.Number,
  { strict: true, decode: (text) => Math.min(Number(text), most), encode: String }
)
  .pipe(Schema.filter((limit) => limit >= 1 || limitRule))
  .annotations({ message: () => limitRule })

const countryRule = "country must be two letters, as ISO 3166-1 alpha-2 has them"

const Country = Schema.transform(
  Value(countryRule)
    .pipe(Schema.pattern(/^[A-Za-z]{2}$/))
    .annotations({
      message: () => countryRule,
      jsonSchema: {
        type: "string",
        pattern: "^[A-Za-z]{2}$",
        description: "Only numbers of this country, by its ISO 3166-1 alpha-2 code; any by default"
      }
    }),
  Schema.String,
  { strict: true, decode: (code) => code.toUpperCase(), encode: (code) => code }
).annotations({ message: () => countryRule })

/** A + that a client forgot to escape is a space in a query: one before the first digit is read as a +. */
const digitsOf = (text: string): string => text.replace(/^ (?=[0-9])/, "+").replaceAll(/[ -]/g, "")

const Search = (name: string, description: string) => {
  const rule = `${name} must be at most 15 digits, with or without a leading +; spaces and dashes are ignored`
  return Schema.transform(
    Value(rule)
      .pipe(Schema.filter((text) => /^\+?[0-9]{0,15}$/.test(digitsOf(text))))
      .annotations({
        message: () => rule,
        jsonSchema: { type: "string", description }
      }),
    Schema.String,
    { strict: true, decode: digitsOf, encode: (digits) => digits }
  ).annotations({ message: () => rule })
}

/** The contract leaves the names of its filters open: parameters of other names are ignored. */
export const AvailableQuery = Schema.Struct({
  limit: Schema.optionalWith(Limit, { default: () => 50 }),
  country: Schema.optional(Country),
  search: Schema.optional(
    Search(
      "search",
      "Only numbers that contain these digits; with a leading +, those that begin with them. " +
        "Spaces and dashes are ignored, and a leading space is read as an unescaped +"
    )
  ),
  pattern: Schema.optional(Search("pattern", "An alias of `search`")),
  contains: Schema.optional(Search("contains", "An alias of `search`"))
})

/** What is wanted: the first of the names of the search that says anything counts. */
export const wantedOf = ({ contains, country, pattern, search }: typeof AvailableQuery.Type) => ({
  country: country ?? null,
  contains: [search, pattern, contains].find((digits) => digits !== undefined && /[0-9]/.test(digits)) ?? null
})

export const available = HttpApiEndpoint.get("available", "/phone-numbers/available")
  .setUrlParams(AvailableQuery)
  .addSuccess(
    Schema.Struct({ data: Schema.Array(AvailableNumber) }).annotations({ identifier: "AvailableNumbers" })
  )
  .addError(Errors.BadGateway)
  .addError(Errors.GatewayTimeout)
  .middleware(needs("phone_numbers:read"))
  .annotateContext(
    operation("listAvailableNumbers", {
      summary: "Browse numbers that could be bought",
      description:
        "Numbers that the inventory provider has for sale, in its order and without pagination; nothing is bought. " +
        "India's 140 and 1600 series are left out, and so are numbers whose buyer has to prove an identity. There " +
        "may be fewer than `limit` when the provider has them behind many that are left out, or is slow.",
      scope: "phone_numbers:read",
      addition: false,
      response: { data: [Examples.availableNumber] },
      errors: {
        400: "`limit` is not an integer of at least 1, `country` not two letters, or the search more than digits",
        502: "The inventory provider answered with something that cannot be understood",
        503: "No inventory provider is configured, or it cannot be reached",
        504: "The inventory provider did not answer in time"
      }
    })
  )
