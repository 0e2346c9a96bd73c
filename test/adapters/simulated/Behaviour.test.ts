import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { hungUp, script, type Step } from "../../../adapters/simulated/Behaviour.ts"
import { dialOf } from "../../../adapters/simulated/LedgerEntry.ts"
import { dialRequest } from "../../contracts/CallDialer.ts"

const at = 1_790_000_000_000

const dial = FastCheck.record({
  key: FastCheck.string({ minLength: 1, maxLength: 30 }),
  digits: FastCheck.constantFrom(
    "0001",
    "0002",
    "0003",
    "0004",
    "0005",
    "0006",
    "0007",
    "0008",
    "0009",
    "0010",
    "1234",
    "9999"
  ),
  greeting: FastCheck.integer({ min: 0, max: 2_000 }),
  idle_timeout_warning: FastCheck.integer({ min: 1, max: 3_600 }),
  idle_timeout_end: FastCheck.integer({ min: 1, max: 3_600 }),
  max_call_length: FastCheck.integer({ min: 1, max: 3_600 })
}).map(({ digits, greeting, key, ...limits }) => {
  const request = dialRequest(key, `+1555000${digits}`, limits)
  return dialOf({ ...request, agent: { ...request.agent, first_message: "a".repeat(greeting) } }, at)
})
const speed = FastCheck.constantFrom(1, 7, 100, Infinity)
const earlier = FastCheck.nat({ max: 3 })

const ends = (steps: ReadonlyArray<Step>) =>
  steps.flatMap(({ progress }) => (progress._tag === "Ended" ? [progress] : []))

describe("the course of a simulated call", () => {
  it.prop("is the same for the same dial", [dial, earlier, speed], ([dial, earlier, speed]) => {
    assert.deepStrictEqual(script(dial, earlier, speed), script(dial, earlier, speed))
  })

  it.prop("goes forward in time and ends at most once", [dial, earlier, speed], ([dial, earlier, speed]) => {
    const { steps } = script(dial, earlier, speed)
    for (const [i, { after_ms, progress }] of steps.entries()) {
      assert.isTrue(Number.isInteger(after_ms) && after_ms >= (steps[i - 1]?.after_ms ?? 0))
      assert.strictEqual(progress.at, at + after_ms)
    }
    assert.strictEqual(ends(steps).length, steps.length === 0 ? 0 : 1)
  })

  it.prop(
    "never talks longer than max_call_length, whatever the speed",
    [dial, earlier, speed],
    ([dial, earlier, speed]) => {
      const [end] = ends(script(dial, earlier, speed).steps)
      const [atOnce] = ends(script(dial, earlier, Infinity).steps)
      assert.isTrue(end === undefined || end.duration_seconds <= dial.max_call_length)
      assert.strictEqual(end?.duration_seconds, atOnce?.duration_seconds)
    }
  )

  it("without delays everything happens at the moment of the dial", () => {
    const { steps } = script(dialOf(dialRequest("att_1", "+15550001234"), at), 0, Infinity)
    assert.deepStrictEqual(
      steps.map(({ after_ms }) => after_ms),
      [0, 0, 0, 0]
    )
  })

  it("silence without a nudge lasts greeting and end: the warning is not before the end", () => {
    const request = dialRequest("att_1", "+15550000006", { idle_timeout_warning: 30, idle_timeout_end: 10 })
    const [end] = ends(script(dialOf(request, at), 0, 1).steps)
    assert.deepStrictEqual([end?.sub_status, end?.duration_seconds], ["idle_timeout", 2 + 10])
  })

  it.prop(
    "hung up at any time it keeps what was told and ends exactly once, then or before",
    [dial, earlier, speed, FastCheck.integer({ min: 0, max: 8_000_000 })],
    ([dial, earlier, speed, after]) => {
      const { steps } = script(dial, earlier, speed)
      const cut = hungUp(dial, steps, at + after, speed)
      const told = steps.filter(({ after_ms }) => after_ms <= after)
      assert.deepStrictEqual(cut.slice(0, told.length), told)
      const [end, ...more] = ends(cut)
      assert.strictEqual(more.length, 0)
      assert.strictEqual(end === undefined, steps.length === 0)
      const [planned] = ends(steps)
      if (end === undefined || planned === undefined) return
      assert.strictEqual(end.at, Math.min(planned.at, at + after))
      assert.isTrue(end.duration_seconds <= planned.duration_seconds)
    }
  )

  it("hung up during the talk it is recorded as far as it went", () => {
    const called = dialOf(dialRequest("att_1", "+15550001234"), at)
    const { steps } = script(called, 0, 2)
    const pickUp = steps.find(({ progress }) => progress._tag === "Answered")!
    const cut = hungUp(called, steps, pickUp.progress.at + 4_600, 2)
    assert.deepStrictEqual(
      cut.map(({ progress }) => progress._tag),
      ["Ringing", "Answered", "Ended", "RecordingReady"]
    )
    assert.strictEqual(ends(cut)[0]?.duration_seconds, 9)
    const ready = cut[3]!.progress
    assert.strictEqual(ready._tag === "RecordingReady" && ready.recording.duration_seconds, 9)
  })
})
