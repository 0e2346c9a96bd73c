import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { OutdialError, retryAfterOf } from "../../../apps/client/OutdialError.ts"
import { aftermathOf, delayOf } from "../../../apps/client/Retry.ts"

const chance = FastCheck.double({ min: 0, max: 1, noNaN: true })
const failures = FastCheck.integer({ min: 1, max: 50 })

const failed = (cause: unknown) =>
  aftermathOf(new OutdialError({ code: "network_error", message: "", cause }))
const answered = (status: number) =>
  aftermathOf(new OutdialError({ code: "invalid_request", status, message: "" }))
const withCode = (code: string) => Object.assign(new Error("failed"), { code })

describe("a repetition", () => {
  it.prop(
    "waits between half of a doubling delay and all of it, up to the longest",
    [failures, chance],
    ([n, by]) => {
      const delay = delayOf(n, null, {}, by)!
      const full = Math.min(8_000, 500 * 2 ** (n - 1))
      assert.isAtLeast(delay, full / 2)
      assert.isAtMost(delay, full)
    }
  )

  it.prop("waits for what Retry-After asks, and seconds more at most", [failures, chance], ([n, by]) => {
    const delay = delayOf(n, 7, {}, by)!
    assert.isAtLeast(delay, 7_000)
    assert.isAtMost(delay, 11_000)
  })

  it("does not wait for longer than it may", () => {
    assert.isNull(delayOf(1, 61, {}, 0))
    assert.strictEqual(delayOf(1, 60, {}, 0), 60_000)
    assert.isNull(delayOf(1, 2, { maxRetryAfterMs: 1_999 }, 0))
  })

  it("reads Retry-After as seconds or as a date", () => {
    const now = Date.parse("2026-03-02T09:30:00Z")
    assert.strictEqual(retryAfterOf("7", now), 7)
    assert.strictEqual(retryAfterOf("Mon, 02 Mar 2026 09:30:10 GMT", now), 10)
    assert.strictEqual(retryAfterOf("Mon, 02 Mar 2026 09:29:00 GMT", now), 0)
    for (const value of [null, "", "soon", "-1"]) assert.isUndefined(retryAfterOf(value, now))
  })

  it("knows what was certainly not acted on, in each runtime's words", () => {
    const refused = withCode("ECONNREFUSED")
    for (const cause of [
      refused,
      new TypeError("fetch failed", { cause: refused }),
      new TypeError("fetch failed", { cause: new AggregateError([refused, withCode("ENOTFOUND")]) }),
      withCode("ConnectionRefused"),
      new TypeError("error sending request: tcp connect error: Connection refused (os error 111)")
    ]) {
      assert.strictEqual(failed(cause), "untouched")
    }
    assert.strictEqual(answered(429), "untouched")
  })

  it("takes everything else that brings no answer for unknown, and every other answer for final", () => {
    for (const cause of [
      undefined,
      new TypeError("Failed to fetch"),
      new TypeError("fetch failed", { cause: withCode("UND_ERR_SOCKET") }),
      new AggregateError([withCode("ECONNREFUSED"), withCode("ECONNRESET")])
    ]) {
      assert.strictEqual(failed(cause), "unknown")
    }
    for (const status of [502, 503, 504]) assert.strictEqual(answered(status), "unknown")
    for (const status of [400, 401, 402, 403, 404, 409, 413, 422, 500]) {
      assert.strictEqual(answered(status), "final")
    }
  })
})
