import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from "libphonenumber-js/max"
import examples from "libphonenumber-js/mobile/examples"
import { isPremiumRate } from "../../../../core/model/numbers/PremiumRate.ts"

const told = (number: string) => parsePhoneNumberFromString(number)?.getType() === "PREMIUM_RATE"

/** Numbers that begin as premium-rate numbers of some country do. */
const beginnings = [
  "+1900",
  "+44909",
  "+44871",
  "+4490",
  "+3389",
  "+33081",
  "+49900",
  "+39899",
  "+390899",
  "+3690",
  "+36069",
  "+7809",
  "+7880",
  "+52900",
  "+54600",
  "+540600",
  "+81990",
  "+810990",
  "+86168",
  "+6119",
  "+358600",
  "+41900"
]

const digits = (max: number) =>
  FastCheck.stringOf(FastCheck.constantFrom(..."0123456789"), { maxLength: max })

describe("a premium-rate number", () => {
  it.prop(
    "is one wherever the library says so",
    [FastCheck.constantFrom(...beginnings), digits(9)],
    ([beginning, rest]) => {
      assert.strictEqual(isPremiumRate(beginning + rest), told(beginning + rest))
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop(
    "is none wherever the library says so",
    [FastCheck.bigInt({ min: 1_000n, max: 10n ** 15n - 1n })],
    ([number]) => {
      assert.strictEqual(isPremiumRate(`+${number}`), told(`+${number}`))
    },
    { fastCheck: { numRuns: 3_000 } }
  )

  it("is told of every country's example of a mobile number", () => {
    const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number ?? [])
    assert.isAbove(numbers.length, 200)
    assert.deepStrictEqual(numbers.map(isPremiumRate), numbers.map(told))
  })
})
