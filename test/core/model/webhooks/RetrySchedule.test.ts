import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { day, hour, minute, second } from "../../../../core/model/Codecs.ts"
import { nextAttempt, retryDelays } from "../../../../core/model/webhooks/RetrySchedule.ts"

const now = 1_790_000_000_000
const tries = FastCheck.integer({ min: 1, max: 9 })
const jitter = FastCheck.double({ min: 0, max: 1, noNaN: true })

describe("RetrySchedule", () => {
  it("waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h after the first nine tries", () => {
    const waits = Array.from({ length: 9 }, (_, i) => nextAttempt(i + 1, now, null, 0)! - now)
    assert.deepStrictEqual(waits, [
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour
    ])
  })

  it.prop(
    "gives up after the tenth try, whatever the receiver asks for",
    [FastCheck.integer({ min: 10, max: 1_000 }), FastCheck.option(FastCheck.nat()), jitter],
    ([made, asked, chance]) => assert.isNull(nextAttempt(made, now, asked, chance))
  )

  it.prop("jitter adds up to a tenth and never takes away", [tries, jitter], ([made, chance]) => {
    const wait = nextAttempt(made, now, null, chance)! - now
    const delay = retryDelays[made - 1]!
    assert.isTrue(wait >= delay && wait <= delay * 1.1 && Number.isInteger(wait))
  })

  it.prop(
    "is never earlier than both the schedule and what the receiver asks for, up to 24 hours",
    [tries, FastCheck.nat({ max: 3 * day }), jitter],
    ([made, asked, chance]) => {
      const wait = nextAttempt(made, now, asked, chance)! - now
      assert.isAtLeast(wait, retryDelays[made - 1]!)
      assert.isAtLeast(wait, Math.min(asked, day))
      assert.isAtMost(wait, day * 1.1)
    }
  )

  it("a Retry-After earlier than the schedule changes nothing, a later one wins", () => {
    assert.strictEqual(nextAttempt(2, now, second, 0), now + 5 * minute)
    assert.strictEqual(nextAttempt(1, now, hour, 0), now + hour)
    assert.strictEqual(nextAttempt(1, now, 400 * day, 0), now + day)
  })
})
