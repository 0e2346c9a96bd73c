import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { parseRetryAfter } from "../../../adapters/webhooks/RetryAfter.ts"

const now = Date.UTC(2026, 9, 21, 7, 28, 0)
const day = 24 * 60 * 60 * 1_000

describe("Retry-After", () => {
  it("reads seconds and HTTP dates", () => {
    assert.strictEqual(parseRetryAfter("120", now), 120_000)
    assert.strictEqual(parseRetryAfter(" 0 ", now), 0)
    assert.strictEqual(parseRetryAfter("Wed, 21 Oct 2026 07:30:00 GMT", now), 120_000)
    assert.strictEqual(parseRetryAfter("Wednesday, 21-Oct-26 07:30:00 GMT", now), 120_000)
  })

  it("is capped to 24 hours, and a time gone by is now", () => {
    assert.strictEqual(parseRetryAfter("9".repeat(400), now), day)
    assert.strictEqual(parseRetryAfter("Wed, 21 Oct 2099 07:28:00 GMT", now), day)
    assert.strictEqual(parseRetryAfter("Wed, 21 Oct 2015 07:28:00 GMT", now), 0)
  })

  it("what is neither counts as absent", () => {
    for (const value of [undefined, "", "soon", "-5", "1.5", "1e3", "2026-10-21", "Xxx, 99 Yyy 2026 GMT"]) {
      assert.isNull(parseRetryAfter(value, now))
    }
  })

  it.prop("every text gives null or a time within 24 hours", [FastCheck.string()], ([value]) => {
    const parsed = parseRetryAfter(value, now)
    assert.isTrue(parsed === null || (parsed >= 0 && parsed <= day))
  })
})
