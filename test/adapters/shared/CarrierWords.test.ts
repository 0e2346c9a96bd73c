import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { carrierWords } from "../../../adapters/shared/CarrierWords.ts"

describe("a carrier's own words", () => {
  it("stay as they are where they name no number", () => {
    assert.strictEqual(
      carrierWords("Account not authorized to call this country. See https://www.twilio.com/errors/21215"),
      "Account not authorized to call this country. See https://www.twilio.com/errors/21215"
    )
  })

  it("have all but the last four digits of numbers masked, however they are written", () => {
    for (const number of ["+15550001234", "15550001234", "+1 (555) 000-1234", "+1.555.000.1234"]) {
      const words = carrierWords(`The number ${number} is unverified`)!
      assert.notMatch(words, /555/)
      assert.include(words, "1234 is unverified")
    }
  })

  it("leave out ids and keys", () => {
    const words = carrierWords("AC0123456789abcdef0123456789abcdef may not; EAAGm0PX4ZCpsBAtoken is wrong")
    assert.strictEqual(words, "… may not; … is wrong")
  })

  it("are null when there are none", () => {
    for (const text of [null, undefined, "", " \n\t"]) assert.isNull(carrierWords(text))
  })

  it.prop(
    "are one line of at most 300 characters that every store can hold",
    [FastCheck.string({ unit: "binary", maxLength: 1_000 })],
    ([text]) => {
      const words = carrierWords(text)
      if (words === null) return
      assert.isAtMost(words.length, 300)
      assert.notMatch(words, /\p{Cc}/u)
      assert.isTrue(words.isWellFormed())
    }
  )
})
