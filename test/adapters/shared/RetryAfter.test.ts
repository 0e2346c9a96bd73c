import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { retryAfter } from "../../../adapters/shared/RetryAfter.ts"

const now = Date.UTC(2026, 9, 21, 7, 28, 0)
const day = 24 * 60 * 60 * 1_000

describe("Retry-After", () => {
  it("reads seconds and HTTP dates", () => {
    assert.strictEqual(retryAfter("120", now, { most: day }), 120_000)
    assert.strictEqual(retryAfter(" 0 ", now, { most: day }), 0)
    assert.strictEqual(retryAfter("Wed, 21 Oct 2026 07:30:00 GMT", now, { most: day }), 120_000)
    assert.strictEqual(retryAfter("Wednesday, 21-Oct-26 07:30:00 GMT", now, { most: day }), 120_000)
  })

  it("is capped, and a time gone by is now", () => {
    assert.strictEqual(retryAfter("9".repeat(400), now, { most: day }), day)
    assert.strictEqual(retryAfter("Wed, 21 Oct 2099 07:28:00 GMT", now, { most: day }), day)
    assert.strictEqual(retryAfter("Wed, 21 Oct 2015 07:28:00 GMT", now, { most: day }), 0)
  })

  it("what is neither counts as absent", () => {
    for (const value of [undefined, "", "soon", "-5", "1.5", "1e3", "2026-10-21", "Xxx, 99 Yyy 2026 GMT"]) {
      assert.isNull(retryAfter(value, now, { most: day }))
    }
  })

  it("takes parts of seconds where a provider is known to send them", () => {
    assert.strictEqual(retryAfter("1.5", now, { most: day, fractions: true }), 1_500)
  })

  it.prop("every text gives null or a time within the cap", [FastCheck.string()], ([value]) => {
    const parsed = retryAfter(value, now, { most: day })
    assert.isTrue(parsed === null || (parsed >= 0 && parsed <= day))
  })
})
