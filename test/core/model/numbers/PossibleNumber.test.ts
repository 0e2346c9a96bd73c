import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max"
import examples from "libphonenumber-js/mobile/examples"
import metadata from "libphonenumber-js/max/metadata"
import { possible } from "../../../../core/model/numbers/PossibleNumber.ts"

const told = (e164: string): boolean => parsePhoneNumberFromString(e164)?.isPossible() ?? false

const strict = /^\+[1-9]\d{1,14}$/

const codes = [...Object.keys(metadata.country_calling_codes), ...Object.keys(metadata.nonGeographic)]

/** What is dialled before a number in one country or another: what the library may take away. */
const trunks = [
  "",
  "0",
  "1",
  "8",
  "00",
  "01",
  "011",
  "02",
  "06",
  "15",
  "9",
  "90",
  "044",
  "045",
  "1234",
  "549"
]

const mobiles = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? [])

const digits = (minLength: number, maxLength: number) =>
  FastCheck.stringOf(FastCheck.constantFrom(..."0123456789"), { minLength, maxLength })

const number = FastCheck.tuple(
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom(...codes) },
    { weight: 1, arbitrary: FastCheck.integer({ min: 1, max: 999 }).map(String) }
  ),
  FastCheck.constantFrom(...trunks),
  digits(0, 14)
)
  .map((parts) => `+${parts.join("")}`)
  .filter((each) => strict.test(each))

describe("PossibleNumber", () => {
  it.prop(
    "says what the library says, of any calling code, national prefix and length",
    [number],
    ([each]) => {
      assert.strictEqual(possible(each), told(each), each)
    },
    { fastCheck: { numRuns: 30_000 } }
  )

  it("says what the library says of each calling code with each prefix in each length", () => {
    const numbers = codes.flatMap((code) =>
      trunks.flatMap((trunk) =>
        Array.from({ length: 15 }, (_, length) => `+${code}${trunk}${"2837465910283746".slice(0, length)}`)
      )
    )
    const wrong = numbers.filter((each) => strict.test(each) && possible(each) !== told(each))
    assert.deepStrictEqual(wrong, [])
  })

  it("takes the mobile numbers of all countries, and none of them with a digit left", () => {
    assert.isAbove(mobiles.length, 200)
    for (const each of mobiles) {
      assert.isTrue(possible(each), each)
      assert.isFalse(possible(each.slice(0, 4)), each)
    }
  })

  it("takes neither a calling code that no country has nor one alone", () => {
    for (const each of ["+2101234567", "+9991234567", "+1", "+12", "+44", "+358"]) {
      assert.isFalse(possible(each), each)
    }
  })

  it.prop(
    "says no other for a number that begins with a national prefix which the library takes away",
    [FastCheck.constantFrom(...mobiles), FastCheck.constantFrom("0", "1", "8")],
    ([each, trunk]) => {
      const code = codes.find((known) => each.startsWith(`+${known}`))!
      const prefixed = `+${code}${trunk}${each.slice(code.length + 1)}`
      if (strict.test(prefixed)) assert.strictEqual(possible(prefixed), told(prefixed), prefixed)
    },
    { fastCheck: { numRuns: 2000 } }
  )
})
