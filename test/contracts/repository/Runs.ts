import { Effect, Exit, Option } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import type { Run } from "../../../core/model/suites/Run.ts"
import type { Check } from "./Check.ts"
import { makeRun, other, page, start, subject, ws } from "./Fixtures.ts"

const endOfTime = 8_640_000_000_000_000
const awkward = `O'Hara "?" -- $1 \\ \n 𝒳👩‍👩‍👧 ; drop table runs`
/** A model may write what no text of ours may hold. */
const unstorable = "\u0000 \ud800"
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

const ended = {
  status: "completed",
  counts: { total: 2_000, passed: 1_997, failed: 2, errored: 1 },
  score: 0.998_749_687_421_855_5,
  credits_used: 3_000_000_000,
  error: awkward,
  started_at: start,
  completed_at: endOfTime,
  deadline_at: endOfTime,
  points: 9_997.5,
  judged: 10_010
} as const satisfies Partial<Run>

const full = makeRun(1, {
  ...ended,
  subject: {
    ...subject,
    agent: {
      ...subject.agent,
      name: awkward,
      prompt: `${unstorable} ${awkward.repeat(500)}`,
      first_message: "",
      language: "pt-BR"
    }
  },
  judges: ["__proto__", awkward, unstorable]
})

const ids = (runs: ReadonlyArray<Run>) => runs.map(({ id }) => Number(id.slice(4)))

export const runRows = (check: Check) =>
  describe("runs", () => {
    check("come back as they were stored, to their workspace alone", ({ runs }) =>
      Effect.gen(function* () {
        yield* runs.insert(full)
        yield* runs.insert(makeRun(2))
        assertSome(yield* runs.get(ws, full.id), full)
        assertSome(yield* runs.get(ws, "run_000002"), makeRun(2))
        assert.deepStrictEqual(yield* runs.list(ws, {}, page), { data: [makeRun(2), full], total: 2 })
        assertNone(yield* runs.get(other, full.id))
        assertNone(yield* runs.get(ws, "run_000003"))
        assert.deepStrictEqual(yield* runs.list(other, {}, page), { data: [], total: 0 })
        assert.deepStrictEqual(yield* runs.overdue(other, Infinity), [])
        assertNone(yield* runs.nextDeadline(other))
        yield* runs.insert(makeRun(1, { customer_id: other }))
        assertSome(yield* runs.get(ws, full.id), full)
        assertSome(yield* runs.get(other, full.id), makeRun(1, { customer_id: other }))
      })
    )

    check("die when an id is stored a second time, and keep the first", ({ runs }) =>
      Effect.gen(function* () {
        yield* runs.insert(full)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(runs.insert(makeRun(1)))))
        assert.deepStrictEqual(yield* runs.list(ws, {}, page), { data: [full], total: 1 })
        assertNone(yield* runs.nextDeadline(ws))
      })
    )

    check("are updated in what becomes of them: suite, agent and what is tested stay", ({ runs }) =>
      Effect.gen(function* () {
        yield* runs.insert(makeRun(1))
        yield* runs.insert(makeRun(2))
        yield* runs.update({ ...full, suite_id: "suite_9", agent_id: "agent_9", created_at: 7 })
        assertSome(yield* runs.get(ws, full.id), makeRun(1, ended))
        yield* runs.update({ ...makeRun(2, ended), customer_id: other })
        yield* runs.update(makeRun(3))
        assert.deepStrictEqual(yield* runs.list(ws, {}, page), {
          data: [makeRun(2), makeRun(1, ended)],
          total: 2
        })
        assert.strictEqual((yield* runs.list(other, {}, page)).total, 0)
        yield* runs.update(makeRun(1))
        assertSome(yield* runs.get(ws, full.id), makeRun(1))
      })
    )

    check("are listed newest first, page by page, by suite, agent and status", ({ runs }) =>
      Effect.gen(function* () {
        const run = (n: number) =>
          makeRun(n, {
            suite_id: `suite_${n % 4}`,
            agent_id: `agent_${n % 3}`,
            status: n % 2 === 0 ? "running" : "failed",
            created_at: start
          })
        for (let k = 0; k < 30; k++) yield* runs.insert(run((k * 7) % 30))
        yield* runs.insert(makeRun(40, { customer_id: other }))
        const cases: ReadonlyArray<readonly [Parameters<typeof runs.list>[1], (n: number) => boolean]> = [
          [{}, () => true],
          [{ suite_id: "suite_3" }, (n) => n % 4 === 3],
          [{ agent_id: "agent_1" }, (n) => n % 3 === 1],
          [{ status: "running" }, (n) => n % 2 === 0],
          [{ suite_id: "suite_1", status: "failed", agent_id: "agent_2" }, (n) => n % 12 === 5],
          [{ suite_id: "suite_1", status: "running" }, () => false],
          [{ status: undefined, suite_id: undefined, agent_id: "agent_0" }, (n) => n % 3 === 0]
        ]
        for (const [filter, admits] of cases) {
          const expected = upTo(30).reverse().filter(admits)
          const { data, total } = yield* runs.list(ws, filter, { limit: 4, offset: 2 })
          assert.deepStrictEqual(data, expected.slice(2, 6).map(run), JSON.stringify(filter))
          assert.strictEqual(total, expected.length, JSON.stringify(filter))
        }
      })
    )

    check("are overdue while they are queued or running, earliest deadline first", ({ runs }) =>
      Effect.gen(function* () {
        assertNone(yield* runs.nextDeadline(ws))
        const run = (n: number, deadline_at: number, status: Run["status"]) =>
          makeRun(n, { deadline_at, status })
        const stored = [
          run(1, 50, "queued"),
          run(2, 20, "running"),
          run(3, 5, "completed"),
          run(4, 5, "failed"),
          run(5, 5, "cancelled"),
          run(6, 20, "queued"),
          run(7, 90, "running")
        ]
        for (const one of stored) yield* runs.insert(one)
        yield* runs.insert(makeRun(8, { customer_id: other, deadline_at: 1 }))
        assertSome(yield* runs.nextDeadline(ws), 20)
        assert.deepStrictEqual(yield* runs.overdue(ws, 19), [])
        assert.deepStrictEqual(yield* runs.overdue(ws, 20), [stored[1]!, stored[5]!])
        assert.deepStrictEqual(ids(yield* runs.overdue(ws, Infinity)), [2, 6, 1, 7])
        yield* runs.update(run(2, 20, "completed"))
        yield* runs.update(run(6, 70, "running"))
        yield* runs.update(run(3, 5, "running"))
        assert.deepStrictEqual(ids(yield* runs.overdue(ws, 70)), [3, 1, 6])
        assertSome(yield* runs.nextDeadline(ws), 5)
      })
    )

    check("lose no count when a hundred units read and update one", ({ runs, transaction }) =>
      Effect.gen(function* () {
        yield* runs.insert(makeRun(1))
        const step = transaction(
          ws,
          Effect.gen(function* () {
            const run = Option.getOrThrow(yield* runs.get(ws, "run_000001"))
            yield* runs.update({ ...run, credits_used: run.credits_used + 1, points: run.points + 0.5 })
          })
        )
        yield* Effect.replicateEffect(step, 100, { concurrency: "unbounded", discard: true })
        assertSome(yield* runs.get(ws, "run_000001"), makeRun(1, { credits_used: 100, points: 50 }))
      })
    )

    check("are as before when a unit fails", ({ runs, transaction }) =>
      Effect.gen(function* () {
        yield* runs.insert(makeRun(1))
        const exit = yield* Effect.exit(
          transaction(
            ws,
            Effect.gen(function* () {
              yield* runs.insert(makeRun(2, { deadline_at: 1 }))
              yield* runs.update(makeRun(1, ended))
              assertSome(yield* runs.nextDeadline(ws), 1)
              return yield* Effect.fail("no")
            })
          )
        )
        assert.deepStrictEqual(exit, Exit.fail("no"))
        assert.deepStrictEqual(yield* runs.list(ws, {}, page), { data: [makeRun(1)], total: 1 })
        assert.deepStrictEqual(yield* runs.overdue(ws, Infinity), [makeRun(1)])
        yield* runs.insert(makeRun(2, { judges: [] }))
        assertSome(yield* runs.get(ws, "run_000002"), makeRun(2, { judges: [] }))
      })
    )
  })
