import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as DueQueue from "../../../adapters/simulated/DueQueue.ts"
import { dialOf, type Entry } from "../../../adapters/simulated/LedgerEntry.ts"
import * as SimulatedCalls from "../../../adapters/simulated/SimulatedCalls.ts"
import type { CallProgress, Progress } from "../../../core/model/calls/CarrierProgress.ts"
import { dialRequest } from "../../contracts/CallDialer.ts"

const book = (options: Partial<SimulatedCalls.SimulatedCallsOptions> = {}) => {
  const told: Array<CallProgress> = []
  const calls = SimulatedCalls.make({
    speed: 1,
    keepFor: 7_200_000,
    keepAtMost: 1_000,
    tell: (progress) => told.push(progress),
    ...options
  })
  return { calls, told }
}
const dial = (key: string, to: string, at: number, call_id = `call_of_${key}`) =>
  dialOf(dialRequest(key, to, { call_id }), at)
const tags = (progress: ReadonlyArray<Progress>) => progress.map(({ _tag }) => _tag)

describe("the queue of what is due", () => {
  it.prop(
    "gives up what is due, earliest first, and in the order of adding at the same time",
    [FastCheck.array(FastCheck.nat({ max: 50 })), FastCheck.nat({ max: 60 })],
    ([times, now]) => {
      const due = DueQueue.make<readonly [number, number]>()
      const items = times.map((at, order) => [at, order] as const)
      for (const item of items) due.add(item[0], item)
      const taken: Array<readonly [number, number]> = []
      for (let item = due.take(now); item !== undefined; item = due.take(now)) taken.push(item)
      assert.deepStrictEqual(
        taken,
        items.filter(([at]) => at <= now).sort((a, b) => a[0] - b[0] || a[1] - b[1])
      )
      assert.strictEqual(due.next(), Math.min(...times.filter((at) => at > now)))
    }
  )
})

describe("the calls that a carrier knows", () => {
  it("are forgotten some time after nothing more is to be told of them, but never denied", () => {
    const { calls } = book({ keepFor: 1_000 })
    calls.receive(dial("a", "+15550000001", 0))
    calls.advance(1_000)
    calls.receive(dial("b", "+15550000001", 1_500))
    calls.advance(2_500)
    assert.isNull(calls.lookup("ws_1", "a"))
    assert.strictEqual(calls.lookup("ws_1", "b")?._tag, "Known")
    assert.strictEqual(calls.lookup("ws_1", "c")?._tag, "NeverReceived")
    assert.isTrue(calls.receive(dial("a", "+15550000001", 3_000)).repeated)
  })

  it("are no more than is asked for, however many there have been, and those under way are kept", () => {
    const { calls } = book({ speed: Infinity, keepAtMost: 100 })
    const slow = book({ keepAtMost: 100 }).calls
    slow.receive(dial("under way", "+15550001234", 0))
    for (let i = 0; i < 5_000; i++) {
      calls.receive(dial(`a${i}`, "+15550001234", i))
      slow.receive(dial(`a${i}`, "+15550000008", 0))
    }
    const known = (kept: SimulatedCalls.SimulatedCalls) =>
      Array.from({ length: 5_000 }, (_, i) => kept.lookup("ws_1", `a${i}`)).filter((found) => found !== null)
    assert.strictEqual(known(calls).length, 100)
    assert.strictEqual(known(slow).length, 100)
    assert.strictEqual(slow.lookup("ws_1", "under way")?._tag, "Known")
  })

  it("are busy once again when a call's earlier dials are all forgotten", () => {
    const { calls, told } = book({ speed: Infinity, keepAtMost: 1 })
    const outcome = () => {
      const last = told.findLast(({ progress }) => progress._tag === "Ended")!.progress
      return last._tag === "Ended" && last.outcome
    }
    for (const [key, expected] of [
      ["a", "busy"],
      ["b", "answered"],
      ["c", "answered"]
    ] as const) {
      calls.receive(dial(key, "+15550000010", 0, "call_1"))
      assert.strictEqual(outcome(), expected)
    }
    calls.receive(dial("x", "+15550000001", 0))
    calls.receive(dial("y", "+15550000001", 0))
    calls.receive(dial("d", "+15550000010", 0, "call_1"))
    assert.strictEqual(outcome(), "busy")
  })

  it.prop(
    "are the same after a restart, and what was due by the last sign of life is not told again",
    [
      FastCheck.array(
        FastCheck.record({
          digits: FastCheck.constantFrom("0001", "0002", "0005", "0006", "0008", "0010", "1234"),
          at: FastCheck.nat({ max: 40_000 }),
          hangUpAfter: FastCheck.option(FastCheck.nat({ max: 40_000 }))
        }),
        { maxLength: 12 }
      ),
      FastCheck.nat({ max: 60_000 })
    ],
    ([all, silence]) => {
      const entries = all
        .flatMap(({ at, digits, hangUpAfter }, i): ReadonlyArray<Entry> => [
          dial(`k${i}`, `+1555000${digits}`, at, `call_${i % 3}`),
          ...(hangUpAfter === null
            ? []
            : [{ _tag: "HangUp" as const, workspace_id: "ws_1", key: `k${i}`, at: at + hangUpAfter }])
        ])
        .sort((a, b) => a.at - b.at)
      const first = book()
      for (const entry of entries) {
        first.calls.advance(entry.at)
        if (entry._tag === "Dial") first.calls.receive(entry)
        else first.calls.hangUp(entry)
      }
      first.calls.advance(1_000_000)

      const lastSign = Math.max(0, ...entries.map(({ at }) => at)) + silence
      const second = book()
      for (const entry of entries) second.calls.restore(entry, lastSign)
      second.calls.advance(1_000_000)

      for (const i of all.keys()) {
        assert.deepStrictEqual(second.calls.lookup("ws_1", `k${i}`), first.calls.lookup("ws_1", `k${i}`))
      }
      assert.deepStrictEqual(
        second.told.map(({ key, progress }) => `${key} ${progress.at} ${progress._tag}`).sort(),
        first.told
          .filter(({ progress }) => progress.at > lastSign)
          .map(({ key, progress }) => `${key} ${progress.at} ${progress._tag}`)
          .sort()
      )
    },
    { fastCheck: { numRuns: 1000 } }
  )

  it("told up to now, a look-up tells no more", () => {
    const { calls } = book()
    calls.receive(dial("a", "+15550001234", 0))
    const seen = [0, 1_000, 6_000, 60_000].map((now) => {
      calls.advance(now)
      const found = calls.lookup("ws_1", "a")
      return found?._tag === "Known" ? tags(found.progress).length : -1
    })
    assert.deepStrictEqual(seen, [0, 1, 2, 4])
  })
})
