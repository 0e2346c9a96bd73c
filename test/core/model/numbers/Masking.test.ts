import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { maskNumber } from "../../../../core/model/numbers/Masking.ts"

const digits = (minLength: number) =>
  FastCheck.stringOf(FastCheck.constantFrom(..."0123456789"), { minLength, maxLength: 15 })

describe("Masking", () => {
  it.prop(
    "shows the plus, the length and the last four digits of a number, and none of the others",
    [FastCheck.constantFrom("+", ""), digits(5)],
    ([plus, number]) => {
      const masked = maskNumber(plus + number)
      assert.strictEqual(masked.length, plus.length + number.length)
      assert.isTrue(masked.startsWith(`${plus}*`))
      assert.strictEqual(masked.slice(-4), number.slice(-4))
      assert.match(masked.slice(plus.length, -4), /^\*+$/)
    }
  )

  it.prop(
    "tells numbers apart by their length and last four digits alone",
    [
      digits(1),
      digits(1),
      FastCheck.stringOf(FastCheck.constantFrom(..."0123456789"), { minLength: 4, maxLength: 4 })
    ],
    ([one, other, last]) => {
      const same = one.length === other.length
      assert.strictEqual(maskNumber(`+${one}${last}`) === maskNumber(`+${other}${last}`), same)
    }
  )

  it.prop("masks a masked number to itself", [digits(0)], ([number]) => {
    const masked = maskNumber(`+${number}`)
    assert.strictEqual(maskNumber(masked), masked)
  })

  it("writes +14155550123 as +*******0123", () => {
    assert.strictEqual(maskNumber("+14155550123"), "+*******0123")
  })
})
