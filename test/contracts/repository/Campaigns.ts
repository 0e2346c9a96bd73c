import { Effect, Exit, Option } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import type { CampaignState } from "../../../core/model/campaigns/Campaign.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { Check } from "./Check.ts"
import { makeCampaign, makeCounters, makeState, other, page, start, ws } from "./Fixtures.ts"

const minute = 60_000
const hour = 60 * minute
/** The last millisecond that a Date can tell. */
const endOfTime = 8_640_000_000_000_000

const raw = RawJson(
  `{ "b":1.0,"a":1e400, "a":-0,"n":90071992547409931234567890,\n"é\\u0000":"𝒳👩‍👩‍👧'\\"?$1", "__proto__":{}}`
)

const full = makeState(
  1,
  {
    name: `O'Hara "?" -- 𝒳`,
    status: "paused",
    status_reason: "failure_rate",
    max_concurrency: 7,
    calls_per_minute: 90,
    failure_breaker: raw,
    scheduled_for: start - 1,
    started_at: start,
    completed_at: endOfTime,
    call_config: raw,
    metadata: RawJson(` ${raw}`)
  },
  {
    work: "dial",
    due_at: endOfTime,
    pending: 1,
    in_progress: 2,
    retry_scheduled: 3,
    completed: 4,
    failed: 5,
    skipped: 6,
    cancelled: 7,
    attempts: 3_000_000_000,
    answered: 8,
    dials: 3_000_000_001,
    recent: "f-.xf",
    failures_in_a_row: 4
  }
)

const ids = (states: ReadonlyArray<CampaignState>) =>
  states.map(({ campaign }) => Number(campaign.id.slice(5)))

export const campaignRows = (check: Check) =>
  describe("campaigns", () => {
    check("come back with their counters as they were stored, to their workspace alone", ({ campaigns }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(full)
        assertSome(yield* campaigns.get(ws, "camp_000001"), full)
        assertSome(yield* campaigns.counters(ws, "camp_000001"), full.counters)
        assert.deepStrictEqual(yield* campaigns.list(ws, {}, page), { data: [full], total: 1 })
        assertNone(yield* campaigns.get(other, "camp_000001"))
        assertNone(yield* campaigns.counters(other, "camp_000001"))
        assertNone(yield* campaigns.get(ws, "camp_000002"))
        assertNone(yield* campaigns.counters(ws, "camp_000002"))
        assert.deepStrictEqual(yield* campaigns.list(other, {}, page), { data: [], total: 0 })
        assert.deepStrictEqual(yield* campaigns.due(other, "dial", Infinity, 9), [])
        assertNone(yield* campaigns.nextDue(other, "dial", 0))
        yield* campaigns.insert(makeState(1, { customer_id: other }))
        assertSome(yield* campaigns.get(ws, "camp_000001"), full)
        assertSome(yield* campaigns.get(other, "camp_000001"), makeState(1, { customer_id: other }))
      })
    )

    check("die when an id is stored a second time, and keep the first", ({ campaigns }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(full)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(campaigns.insert(makeState(1)))))
        assertSome(yield* campaigns.get(ws, "camp_000001"), full)
      })
    )

    check("are updated without their counters, but for channel and time of creation", ({ campaigns }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(full)
        const changed = makeCampaign(1, {
          name: "B",
          agent_id: "agent_2",
          status: "running",
          from_phone_number_id: "pn_2",
          call_config: RawJson("{}"),
          max_concurrency: 3,
          calls_per_minute: 2,
          scheduled_for: 1,
          started_at: 2,
          completed_at: null,
          metadata: null,
          updated_at: start + 9
        })
        yield* campaigns.update({ ...changed, channel: "msg", created_at: 7 })
        assertSome(yield* campaigns.get(ws, "camp_000001"), { campaign: changed, counters: full.counters })
        yield* campaigns.update({ ...changed, customer_id: other, name: "Stolen" })
        yield* campaigns.update(makeCampaign(2))
        assert.deepStrictEqual(yield* campaigns.list(ws, {}, page), {
          data: [{ campaign: changed, counters: full.counters }],
          total: 1
        })
        assertNone(yield* campaigns.get(other, "camp_000001"))
      })
    )

    check("keep what they send byte for byte, in every answer, and what it is changed to", ({ campaigns }) =>
      Effect.gen(function* () {
        const state = makeState(
          1,
          { channel: "msg", status: "running", status_reason: "template_not_approved", template: raw },
          { work: "dial", due_at: start }
        )
        yield* campaigns.insert(state)
        yield* campaigns.insert(makeState(2))
        assertSome(yield* campaigns.get(ws, "camp_000001"), state)
        assert.deepStrictEqual((yield* campaigns.list(ws, {}, page)).data, [makeState(2), state])
        assert.deepStrictEqual(yield* campaigns.due(ws, "dial", start, 9), [state])
        const template = RawJson(` ${raw}`)
        yield* campaigns.update({ ...state.campaign, template })
        yield* campaigns.update({ ...state.campaign, customer_id: other, template: null })
        assertSome(yield* campaigns.get(ws, "camp_000001"), {
          ...state,
          campaign: { ...state.campaign, template }
        })
        assertSome(yield* campaigns.get(ws, "camp_000002"), makeState(2))
      })
    )

    check("keep the counters that was saved last, without the campaign", ({ campaigns }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(makeState(1))
        yield* campaigns.saveCounters(full.counters)
        yield* campaigns.saveCounters(makeCounters(1, { customer_id: other, pending: 99 }))
        yield* campaigns.saveCounters(makeCounters(2, { pending: 99 }))
        assertSome(yield* campaigns.counters(ws, "camp_000001"), full.counters)
        assertSome(yield* campaigns.get(ws, "camp_000001"), {
          campaign: makeCampaign(1),
          counters: full.counters
        })
        assertNone(yield* campaigns.counters(other, "camp_000001"))
        assertNone(yield* campaigns.counters(ws, "camp_000002"))
        yield* campaigns.saveCounters(makeCounters(1))
        assertSome(yield* campaigns.counters(ws, "camp_000001"), makeCounters(1))
      })
    )

    check("are listed newest first, page by page, by status, agent and time of creation", ({ campaigns }) =>
      Effect.gen(function* () {
        const state = (n: number) =>
          makeState(
            n,
            { status: n % 2 === 0 ? "draft" : "running", agent_id: `agent_${n % 3}` },
            { pending: n }
          )
        for (let k = 0; k < 30; k++) yield* campaigns.insert(state((k * 7) % 30))
        yield* campaigns.insert(makeState(40, { customer_id: other }))
        // Made at the same moment: the later id is the newer.
        yield* campaigns.insert(makeState(31, { created_at: start + 100, status: "failed" }))
        yield* campaigns.insert(makeState(30, { created_at: start + 100, status: "failed" }))
        assert.deepStrictEqual(ids((yield* campaigns.list(ws, { status: "failed" }, page)).data), [31, 30])
        assert.deepStrictEqual(
          ids((yield* campaigns.list(ws, {}, { limit: 3, offset: 1 })).data),
          [30, 29, 28]
        )
        const cases: ReadonlyArray<readonly [Parameters<typeof campaigns.list>[1], (n: number) => boolean]> =
          [
            [{ status: "running" }, (n) => n % 2 === 1],
            [{ agent_id: "agent_2" }, (n) => n % 3 === 2],
            [{ created_before: start + 10 }, (n) => n < 10],
            [{ created_after: start + 10, created_before: start + 20 }, (n) => n >= 10 && n < 20],
            [
              { status: "draft", agent_id: "agent_1", created_before: start + 22 },
              (n) => n % 6 === 4 && n < 22
            ],
            [{ status: "cancelled" }, () => false],
            [{ status: undefined, created_before: start + 30 }, () => true]
          ]
        for (const [filter, admits] of cases) {
          const expected = Array.from({ length: 30 }, (_, n) => 29 - n).filter(admits)
          const { data, total } = yield* campaigns.list(ws, filter, { limit: 4, offset: 2 })
          assert.deepStrictEqual(data, expected.slice(2, 6).map(state), JSON.stringify(filter))
          assert.strictEqual(total, expected.length, JSON.stringify(filter))
        }
      })
    )

    check("are due by their counters, earliest first, up to the limit", ({ campaigns }) =>
      Effect.gen(function* () {
        for (const [n, due_at] of [50, 20, null, 20, 90, 10].entries()) {
          yield* campaigns.insert(makeState(n, { status: "running" }, { work: "dial", due_at, pending: n }))
        }
        yield* campaigns.insert(makeState(9, { customer_id: other }, { work: "dial", due_at: 5 }))
        yield* campaigns.insert(makeState(8, { status: "scheduled" }, { work: "tend", due_at: 7 }))
        assert.deepStrictEqual(ids(yield* campaigns.due(ws, "tend", 7, 9)), [8])
        assertSome(yield* campaigns.nextDue(ws, "tend", 0), 7)
        assertNone(yield* campaigns.nextDue(ws, "tend", 7))
        assert.deepStrictEqual(ids(yield* campaigns.due(ws, "dial", 50, 9)), [5, 1, 3, 0])
        assert.deepStrictEqual(ids(yield* campaigns.due(ws, "dial", 49, 2)), [5, 1])
        assert.deepStrictEqual(yield* campaigns.due(ws, "dial", 9, 9), [])
        assert.deepStrictEqual(yield* campaigns.due(ws, "dial", 10, 9), [
          makeState(5, { status: "running" }, { work: "dial", due_at: 10, pending: 5 })
        ])
        assertSome(yield* campaigns.nextDue(ws, "dial", 0), 10)
        assertSome(yield* campaigns.nextDue(ws, "dial", 10), 20)
        assertSome(yield* campaigns.nextDue(ws, "dial", 49), 50)
        assertNone(yield* campaigns.nextDue(ws, "dial", 90))
        yield* campaigns.saveCounters(makeCounters(5, { work: "dial", due_at: endOfTime }))
        yield* campaigns.saveCounters(makeCounters(1, { work: "dial", due_at: null }))
        yield* campaigns.saveCounters(makeCounters(2, { work: "dial", due_at: 15 }))
        assert.deepStrictEqual(ids(yield* campaigns.due(ws, "dial", Infinity, 9)), [2, 3, 0, 4, 5])
        assertSome(yield* campaigns.nextDue(ws, "dial", 0), 15)
        assertSome(yield* campaigns.nextDue(ws, "dial", 90), endOfTime)
      })
    )

    check("count how attempts ended by minute, and sum that up in spans from the epoch", ({ campaigns }) =>
      Effect.gen(function* () {
        // Neither a whole hour nor a whole day since the epoch.
        const first = 29_833_330 * minute
        const count = (minutes: number, outcome: Parameters<typeof campaigns.countOutcome>[3]) =>
          campaigns.countOutcome(ws, "camp_000001", first + minutes * minute, outcome, 1)
        yield* campaigns.insert(makeState(1))
        for (let n = 0; n < 100; n++) yield* count(n, n % 2 === 0 ? "answered" : "busy")
        yield* campaigns.countOutcome(ws, "camp_000001", first + 3 * minute, "busy", 2)
        yield* count(3, "no_answer")
        yield* campaigns.countOutcome(ws, "camp_000002", first, "failed", 1)
        yield* campaigns.countOutcome(other, "camp_000001", first, "failed", 1)
        const outcomes = (from: number, until: number, span: number) =>
          campaigns.outcomes(ws, "camp_000001", first + from * minute, first + until * minute, span)

        assert.deepStrictEqual(yield* outcomes(2, 5, minute), [
          { at: first + 2 * minute, outcome: "answered", count: 1 },
          { at: first + 3 * minute, outcome: "busy", count: 3 },
          { at: first + 3 * minute, outcome: "no_answer", count: 1 },
          { at: first + 4 * minute, outcome: "answered", count: 1 }
        ])
        assert.deepStrictEqual(yield* outcomes(2, 2, minute), [])
        assert.deepStrictEqual(yield* outcomes(-9, 0, minute), [])
        assert.deepStrictEqual(yield* outcomes(100, 200, minute), [])

        const hours = yield* outcomes(0, 1_000, hour)
        const begins = [...new Set(hours.map(({ at }) => at))]
        assert.deepStrictEqual(
          begins,
          begins.toSorted((left, right) => left - right)
        )
        for (const at of begins) assert.strictEqual(at % hour, 0)
        const begun = first - (first % hour)
        const expected = { answered: [0, 0, 0], busy: [0, 0, 0], no_answer: [0, 0, 0] }
        const counted = structuredClone(expected)
        const hourOf = (at: number) => Math.floor((at - begun) / hour)
        for (let n = 0; n < 100; n++) {
          expected[n % 2 === 0 ? "answered" : "busy"][hourOf(first + n * minute)]! += 1
        }
        expected.busy[hourOf(first + 3 * minute)]! += 2
        expected.no_answer[hourOf(first + 3 * minute)]! += 1
        for (const { at, count: ended, outcome } of hours) {
          counted[outcome as keyof typeof counted][hourOf(at)]! += ended
        }
        assert.deepStrictEqual(counted, expected)
        // What lies outside the bounds is in no span, though the span begins before them.
        assert.deepStrictEqual(yield* outcomes(2, 4, 365 * 24 * hour), [
          { at: first - (first % (365 * 24 * hour)), outcome: "answered", count: 1 },
          { at: first - (first % (365 * 24 * hour)), outcome: "busy", count: 3 },
          { at: first - (first % (365 * 24 * hour)), outcome: "no_answer", count: 1 }
        ])
        assert.deepStrictEqual(yield* campaigns.outcomes(other, "camp_000001", 0, endOfTime, minute), [
          { at: first, outcome: "failed", count: 1 }
        ])
        assert.deepStrictEqual(yield* campaigns.outcomes(other, "camp_000002", 0, endOfTime, minute), [])
      })
    )

    check("and all that is counted of them are as before when a unit fails", ({ campaigns, transaction }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(full)
        yield* campaigns.countOutcome(ws, "camp_000001", 0, "busy", 1)
        const exit = yield* Effect.exit(
          transaction(
            ws,
            Effect.gen(function* () {
              yield* campaigns.insert(makeState(2, {}, { work: "dial", due_at: 1 }))
              yield* campaigns.update(makeCampaign(1, { status: "completed" }))
              yield* campaigns.saveCounters(makeCounters(1, { work: "dial", due_at: 3 }))
              yield* campaigns.countOutcome(ws, "camp_000001", 0, "busy", 1)
              yield* campaigns.countOutcome(ws, "camp_000001", minute, "answered", 1)
              assertSome(yield* campaigns.nextDue(ws, "dial", 1), 3)
              assert.lengthOf(yield* campaigns.outcomes(ws, "camp_000001", 0, hour, minute), 2)
              return yield* Effect.fail("no")
            })
          )
        )
        assert.deepStrictEqual(exit, Exit.fail("no"))
        assert.deepStrictEqual(yield* campaigns.list(ws, {}, page), { data: [full], total: 1 })
        assert.deepStrictEqual(yield* campaigns.list(ws, { status: "completed" }, page), {
          data: [],
          total: 0
        })
        assert.deepStrictEqual(yield* campaigns.due(ws, "dial", Infinity, 9), [full])
        assertSome(yield* campaigns.nextDue(ws, "dial", 0), endOfTime)
        assert.deepStrictEqual(yield* campaigns.outcomes(ws, "camp_000001", 0, hour, minute), [
          { at: 0, outcome: "busy", count: 1 }
        ])
      })
    )

    check("lose no count when a hundred units read and save a counters", ({ campaigns, transaction }) =>
      Effect.gen(function* () {
        yield* campaigns.insert(makeState(1))
        const step = transaction(
          ws,
          Effect.gen(function* () {
            const counters = Option.getOrThrow(yield* campaigns.counters(ws, "camp_000001"))
            yield* campaigns.saveCounters({ ...counters, attempts: counters.attempts + 1 })
            yield* campaigns.countOutcome(ws, "camp_000001", minute, "answered", 1)
          })
        )
        yield* Effect.replicateEffect(step, 100, { concurrency: "unbounded", discard: true })
        assertSome(yield* campaigns.counters(ws, "camp_000001"), makeCounters(1, { attempts: 100 }))
        assert.deepStrictEqual(yield* campaigns.outcomes(ws, "camp_000001", 0, hour, hour), [
          { at: 0, outcome: "answered", count: 100 }
        ])
      })
    )
  })
