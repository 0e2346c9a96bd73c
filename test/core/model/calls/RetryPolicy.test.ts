import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { Outcome, SubStatus } from "../../../../core/model/calls/Call.ts"
import { RetryConfig } from "../../../../core/model/calls/CallConfig.ts"
import { nextDelay } from "../../../../core/model/calls/RetryPolicy.ts"

const minute = 60_000

const outcome = FastCheck.constantFrom(...Outcome.literals)
const subStatus = FastCheck.option(FastCheck.constantFrom(...SubStatus.literals))
const attempts = FastCheck.integer({ min: 1, max: 12 })

const retried: ReadonlyArray<Outcome> = ["busy", "no_answer", "rejected", "failed"]
const mendable: ReadonlyArray<SubStatus | null> = [
  null,
  "carrier_error",
  "user_hangup",
  "agent_hangup",
  "idle_timeout",
  "max_call_length",
  "transferred",
  "agent_error"
]

const delays = { retry_busy: 1, retry_not_picked: 2, retry_failed: 3 }

describe("RetryPolicy", () => {
  it("makes no further attempt when none is asked for", () => {
    for (const each of retried) {
      assert.isNull(nextDelay({}, { outcome: each, sub_status: null }, 1))
      assert.isNull(nextDelay({ retry_count: 0, ...delays }, { outcome: each, sub_status: null }, 1))
    }
  })

  it("waits retry_busy after busy, retry_not_picked after no_answer, retry_failed after any other failure", () => {
    const after = (each: Outcome) =>
      nextDelay({ retry_count: 1, ...delays }, { outcome: each, sub_status: null }, 1)
    assert.deepStrictEqual(retried.map(after), [1 * minute, 2 * minute, 3 * minute, 3 * minute])
  })

  it("waits 15 minutes where no delay is given, and none where it is zero", () => {
    for (const each of retried) {
      const ended = { outcome: each, sub_status: null }
      assert.strictEqual(nextDelay({ retry_count: 9 }, ended, 1), 15 * minute)
      const none = { retry_count: 9, retry_busy: 0, retry_not_picked: 0, retry_failed: 0 }
      assert.strictEqual(nextDelay(none, ended, 1), 0)
    }
  })

  it("retries exactly the failures that another dial may mend", () => {
    const expected = Outcome.literals.flatMap((each) =>
      [null, ...SubStatus.literals].map((sub_status) => ({
        outcome: each,
        sub_status,
        retry: retried.includes(each) && mendable.includes(sub_status)
      }))
    )
    const actual = expected.map(({ outcome, sub_status }) => ({
      outcome,
      sub_status,
      retry: nextDelay({ retry_count: 9, ...delays }, { outcome, sub_status }, 1) !== null
    }))
    assert.deepStrictEqual(actual, expected)
  })

  it.prop(
    "makes at most retry_count attempts after the first, and all of them while they fail",
    [RetryConfig, FastCheck.constantFrom(...retried), FastCheck.constantFrom(...mendable)],
    ([config, outcome, sub_status]) => {
      let made = 1
      while (nextDelay(config, { outcome, sub_status }, made) !== null) made++
      assert.strictEqual(made, 1 + (config.retry_count ?? 0))
    }
  )

  it.prop(
    "never answers with a delay that the configuration does not name",
    [RetryConfig, outcome, subStatus, attempts],
    ([config, outcome, sub_status, made]) => {
      const delay = nextDelay(config, { outcome, sub_status }, made)
      const named = [config.retry_busy, config.retry_not_picked, config.retry_failed]
      if (delay !== null)
        assert.include(
          named.map((minutes) => (minutes ?? 15) * minute),
          delay
        )
    }
  )
})
