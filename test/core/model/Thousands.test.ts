import { assert, it } from "@effect/vitest"
import { inThousands } from "../../../core/model/Thousands.ts"

it("a whole number is written as English writes it", () => {
  for (const whole of [0, 7, 999, 1_000, 20_000, 999_999, 1_000_000, 1_234_567_890]) {
    assert.strictEqual(inThousands(whole), whole.toLocaleString("en-US"))
  }
})
