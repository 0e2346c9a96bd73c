import { Effect, Exit, Option } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import type { Judgment, Play } from "../../../core/model/suites/Play.ts"
import { errored } from "../../../core/model/suites/RunMachine.ts"
import type { Check } from "./Check.ts"
import { makePlay, other, start, ws } from "./Fixtures.ts"

const endOfTime = 8_640_000_000_000_000
const awkward = `O'Hara "?" -- $1 \\ \n 𝒳👩‍👩‍👧 ; drop table plays`
/** A model may write what no text of ours may hold. */
const unstorable = "\u0000 \ud800"
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const ids = (plays: ReadonlyArray<Play>) => plays.map(({ id }) => Number(id.slice(5)))

const judgments: Readonly<Record<string, Judgment>> = JSON.parse(
  `{"__proto__":{"verdict":"fail","reasoning":"\\u0000 \\ud800"},"constructor":{"verdict":"maybe","reasoning":""},` +
    `"safety":{"verdict":"pass","reasoning":"𝒳"}}`
)

const played = {
  open: false,
  over: true,
  status: "fail",
  transcript: [
    { role: "agent", text: `${unstorable} ${awkward}`, at: start },
    { role: "persona", text: "", at: endOfTime }
  ],
  judgments,
  error: awkward,
  due_at: endOfTime,
  failures: 2,
  updated_at: endOfTime,
  version: 7
} as const satisfies Partial<Play>

const scenario = { label: "__proto__", instructions: awkward.repeat(200), runs: 100, max_turns: 100 }

export const playRows = (check: Check) =>
  describe("plays", () => {
    check("come back as they were stored, to their workspace alone", ({ plays }) =>
      Effect.gen(function* () {
        const whole = makePlay(1, { ...played, scenario, run_index: 100 })
        yield* plays.insert([whole, makePlay(2)])
        yield* plays.insert([])
        assertSome(yield* plays.get(ws, whole.id), whole)
        const stored = Option.getOrThrow(yield* plays.get(ws, whole.id))
        assert.strictEqual(JSON.stringify(stored.judgments), JSON.stringify(judgments))
        assert.deepStrictEqual(Object.keys(stored.judgments), ["__proto__", "constructor", "safety"])
        assert.deepStrictEqual(yield* plays.ofRun(ws, whole.run_id), [whole, makePlay(2)])
        assertNone(yield* plays.get(other, whole.id))
        assertNone(yield* plays.get(ws, "play_000003"))
        assert.deepStrictEqual(yield* plays.ofRun(other, whole.run_id), [])
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000002"), [])
        assert.deepStrictEqual(yield* plays.due(other, Infinity, 9), [])
        assertNone(yield* plays.nextDue(other, 0))
        assert.isFalse(yield* plays.update({ ...whole, customer_id: other, version: 8 }))
        assert.strictEqual(yield* plays.close(other, whole.run_id, "no", start), 0)
        yield* plays.insert([makePlay(1, { customer_id: other })])
        assertSome(yield* plays.get(ws, whole.id), whole)
        assertSome(yield* plays.get(other, whole.id), makePlay(1, { customer_id: other }))
      })
    )

    check("die when an id is stored a second time: nothing of the request is", ({ plays }) =>
      Effect.gen(function* () {
        yield* plays.insert([makePlay(1)])
        const exit = yield* Effect.exit(plays.insert([makePlay(2), makePlay(1, { run_id: "run_000002" })]))
        assert.isTrue(Exit.isFailure(exit))
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000001"), [makePlay(1)])
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000002"), [])
      })
    )

    check("have each its own scenario, however many of a run and of others share it", ({ plays }) =>
      Effect.gen(function* () {
        const scenarios = [scenario, { ...scenario, label: "b" }, { ...scenario }]
        const play = (n: number, over: Partial<Play> = {}) =>
          makePlay(n, { scenario: scenarios[n % 3]!, run_index: 1 + (n % 7), ...over })
        const ofRun = upTo(2_000).map((n) => play(n))
        const ofNext = upTo(20).map((n) => play(3_000 + n, { run_id: "run_000002" }))
        const elsewhere = upTo(20).map((n) => play(n, { customer_id: other }))
        yield* plays.insert(ofRun.slice(0, 20).flatMap((one, n) => [one, elsewhere[n]!]))
        yield* plays.insert(ofRun.slice(20).toReversed())
        yield* plays.insert(ofNext)
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000001"), ofRun)
        assert.deepStrictEqual(
          yield* plays.behind(ws, "run_000001", ofRun[0]!.position - 1, 3),
          ofRun.slice(0, 3)
        )
        assert.deepStrictEqual(
          yield* plays.behind(ws, "run_000001", ofRun[99]!.position, 50),
          ofRun.slice(100, 150)
        )
        assert.deepStrictEqual(
          yield* plays.behind(ws, "run_000001", ofRun.at(-2)!.position, 50),
          ofRun.slice(-1)
        )
        assert.deepStrictEqual(yield* plays.behind(ws, "run_000001", ofRun.at(-1)!.position, 50), [])
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000002"), ofNext)
        assert.deepStrictEqual(yield* plays.ofRun(other, "run_000001"), elsewhere)
        assertSome(yield* plays.get(other, "play_000007"), elsewhere[7]!)
      })
    )

    check("are due while they are open, earliest first, up to the limit", ({ plays }) =>
      Effect.gen(function* () {
        const at = [50, 20, 10, 20, 90, 10].map((due_at, n) => makePlay(n, { due_at, scenario }))
        yield* plays.insert(at)
        yield* plays.insert([
          makePlay(6, { due_at: 5, open: false, status: "pass" }),
          makePlay(7, { due_at: 15, run_id: "run_000002" }),
          makePlay(8, { due_at: 1, customer_id: other })
        ])
        assert.deepStrictEqual(yield* plays.due(ws, 9, 99), [])
        assert.deepStrictEqual(yield* plays.due(ws, 10, 99), [at[2]!, at[5]!])
        assert.deepStrictEqual(ids(yield* plays.due(ws, 50, 99)), [2, 5, 7, 1, 3, 0])
        assert.deepStrictEqual(ids(yield* plays.due(ws, 50, 3)), [2, 5, 7])
        assert.deepStrictEqual(yield* plays.due(ws, 50, 0), [])
        assertSome(yield* plays.nextDue(ws, 0), 10)
        assertSome(yield* plays.nextDue(ws, 10), 15)
        assertSome(yield* plays.nextDue(ws, 49), 50)
        assertNone(yield* plays.nextDue(ws, 90))
        yield* plays.update({ ...at[2]!, due_at: endOfTime, version: 2 })
        yield* plays.update({ ...at[5]!, open: false, version: 2 })
        assert.deepStrictEqual(ids(yield* plays.due(ws, Infinity, 99)), [7, 1, 3, 0, 4, 2])
        assertSome(yield* plays.nextDue(ws, 90), endOfTime)
      })
    )

    check("are updated in what becomes of them, unless another process has done so", ({ plays }) =>
      Effect.gen(function* () {
        yield* plays.insert([makePlay(1, { version: 6 }), makePlay(2)])
        const meddled = { scenario, run_id: "run_9", position: 9, run_index: 9 }
        assert.isTrue(yield* plays.update(makePlay(1, { ...played, ...meddled })))
        assertSome(yield* plays.get(ws, "play_000001"), makePlay(1, played))
        for (const version of [6, 7, 9]) {
          assert.isFalse(yield* plays.update(makePlay(1, { version, error: "late" })))
        }
        assert.isFalse(yield* plays.update(makePlay(3, { version: 2 })))
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000001"), [makePlay(1, played), makePlay(2)])
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_9"), [])
        assert.isTrue(yield* plays.update(makePlay(1, { version: 8 })))
        assertSome(yield* plays.get(ws, "play_000001"), makePlay(1, { version: 8 }))
      })
    )

    check("let one of fifty that race to update one do so", ({ plays, transaction }) =>
      Effect.gen(function* () {
        yield* plays.insert([makePlay(1)])
        const stored = yield* Effect.forEach(
          upTo(50),
          (n) => transaction(ws, plays.update(makePlay(1, { version: 2, failures: n }))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(stored.filter(Boolean).length, 1)
        assertSome(
          yield* plays.get(ws, "play_000001"),
          makePlay(1, { version: 2, failures: stored.indexOf(true) })
        )
      })
    )

    check("of one run are closed as errors, those that are open: a late update does nothing", ({ plays }) =>
      Effect.gen(function* () {
        const [a, b, c] = [
          makePlay(1, { failures: 2, transcript: played.transcript, version: 5 }),
          makePlay(2, { over: true, judgments, due_at: endOfTime }),
          makePlay(3, { ...played, error: null })
        ]
        const spared = makePlay(4, { run_id: "run_000002" })
        yield* plays.insert([a, b, c, spared])
        assert.strictEqual(yield* plays.close(ws, "run_000001", awkward, start + 99), 2)
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000001"), [
          errored(a, awkward, start + 99),
          errored(b, awkward, start + 99),
          c
        ])
        assert.deepStrictEqual(yield* plays.due(ws, Infinity, 9), [spared])
        assert.isFalse(yield* plays.update({ ...a, version: 6 }))
        assert.strictEqual(yield* plays.close(ws, "run_000001", "again", start + 100), 0)
        assert.strictEqual(yield* plays.close(ws, "run_000009", "none", start), 0)
      })
    )

    check("are as before when a unit fails", ({ plays, transaction }) =>
      Effect.gen(function* () {
        yield* plays.insert([makePlay(1), makePlay(2)])
        const exit = yield* Effect.exit(
          transaction(
            ws,
            Effect.gen(function* () {
              yield* plays.insert([makePlay(3, { due_at: 1, scenario })])
              assert.isTrue(yield* plays.update(makePlay(1, { ...played, version: 2 })))
              assert.strictEqual(yield* plays.close(ws, "run_000001", "x", start), 2)
              assertNone(yield* plays.nextDue(ws, 0))
              return yield* Effect.fail("no")
            })
          )
        )
        assert.deepStrictEqual(exit, Exit.fail("no"))
        assert.deepStrictEqual(yield* plays.ofRun(ws, "run_000001"), [makePlay(1), makePlay(2)])
        assert.deepStrictEqual(yield* plays.due(ws, Infinity, 9), [makePlay(1), makePlay(2)])
        yield* plays.insert([makePlay(3)])
        assertSome(yield* plays.get(ws, "play_000003"), makePlay(3))
      })
    )
  })
