import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Array as Arr, Effect } from "effect"
import type { Attempt } from "../../../core/model/calls/Attempt.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { Observed } from "../../../core/model/simulation/Observed.ts"
import type { Check } from "./Check.ts"
import { makeAttempt, makeCall, makeRecipient, other, page, start, ws } from "./Fixtures.ts"

export const attemptRows = (check: Check) => {
  describe("attempts", () => {
    check("are stored, updated and read by call, oldest first", ({ attempts }) =>
      Effect.gen(function* () {
        for (const n of [2, 1, 10]) yield* attempts.insert(makeAttempt(n))
        yield* attempts.insert(makeAttempt(11, { call_id: "call_000002" }))
        assertSome(yield* attempts.get(ws, "att_000001"), makeAttempt(1))
        assert.deepStrictEqual(yield* attempts.many(ws, ["att_000009", "att_000001"]), [makeAttempt(1)])
        assert.deepStrictEqual(yield* attempts.many(other, ["att_000001"]), [])
        assert.deepStrictEqual(yield* attempts.many(ws, []), [])
        assertNone(yield* attempts.get(other, "att_000001"))
        const done = makeAttempt(1, {
          status: "failed",
          started_at: start + 1,
          answered_at: start + 2,
          completed_at: start + 3,
          carrier_call_id: "CA1",
          error_code: "e",
          error_message: "m",
          outcome: "failed",
          sub_status: "carrier_error",
          duration_seconds: 61.5,
          credits: 2,
          updated_at: start + 3
        })
        yield* attempts.update(done)
        yield* attempts.update(makeAttempt(2, { customer_id: other, status: "failed" }))
        assert.deepStrictEqual(yield* attempts.ofCall(ws, "call_000001"), [
          done,
          makeAttempt(2),
          makeAttempt(10)
        ])
        assert.deepStrictEqual(yield* attempts.ofCall(other, "call_000001"), [])
      })
    )

    check("are stored and updated together, any number of them", ({ attempts }) =>
      Effect.gen(function* () {
        const [first, ...others] = Arr.makeBy(25, (n) => makeAttempt(n + 1, { dial_number: n }))
        yield* attempts.insert(first, ...others)
        yield* attempts.insert(makeAttempt(2, { customer_id: other }))
        const failed = [first, ...others.slice(0, 11)].map((attempt) => ({
          ...attempt,
          status: "failed" as const,
          updated_at: start + attempt.dial_number!
        }))
        yield* attempts.update(failed[0]!, ...failed.slice(1), makeAttempt(90))
        const ids = [first, ...others].map(({ id }) => id)
        const stored = (yield* attempts.many(ws, ids)).toSorted((left, right) =>
          left.id < right.id ? -1 : 1
        )
        assert.deepStrictEqual(stored, [...failed, ...others.slice(11)])
        assertNone(yield* attempts.get(ws, "att_000090"))
        assertSome(yield* attempts.get(other, "att_000002"), makeAttempt(2, { customer_id: other }))
      })
    )

    check("are summed up by call, for as many calls as are asked for", ({ attempts }) =>
      Effect.gen(function* () {
        for (const [n, call, duration_seconds, credits] of [
          [1, 1, 0, 1],
          [2, 1, 61.5, 2],
          [3, 2, 0.25, 0],
          [4, 300, 1, 5]
        ] as const) {
          const call_id = `call_${String(call).padStart(6, "0")}`
          yield* attempts.insert(makeAttempt(n, { call_id, duration_seconds, credits }))
        }
        const calls = Array.from({ length: 300 }, (_, n) => `call_${String(n + 1).padStart(6, "0")}`)
        assert.deepStrictEqual([...(yield* attempts.spentOn(ws, calls))].toSorted(), [
          ["call_000001", { attempts: 2, duration_seconds: 61.5, credits: 3 }],
          ["call_000002", { attempts: 1, duration_seconds: 0.25, credits: 0 }],
          ["call_000300", { attempts: 1, duration_seconds: 1, credits: 5 }]
        ])
        assert.strictEqual((yield* attempts.spentOn(ws, [])).size, 0)
        assert.strictEqual((yield* attempts.spentOn(other, calls)).size, 0)
      })
    )

    check("on either channel keep what carrier or provider calls them", ({ attempts }) =>
      Effect.gen(function* () {
        const message = makeAttempt(1, { channel: "msg", call_id: "msg_000001", outcome: "delivered" })
        yield* attempts.insert(message)
        yield* attempts.accept(ws, { id: message.id, carrier_call_id: "wamid.HBgL==", at: start + 9 })
        const named = { ...message, carrier_call_id: "wamid.HBgL==", updated_at: start + 9 }
        assertSome(yield* attempts.get(ws, message.id), named)
        assert.deepStrictEqual(yield* attempts.ofCall(ws, "msg_000001"), [named])
      })
    )

    check("note the carrier's id once, and in their own workspace alone", ({ attempts }) =>
      Effect.gen(function* () {
        yield* attempts.insert(makeAttempt(1, { carrier_call_id: null }))
        yield* attempts.insert(makeAttempt(2, { carrier_call_id: null }))
        const accepted = (n: number, carrier_call_id: string, at: number) => ({
          id: makeAttempt(n).id,
          carrier_call_id,
          at
        })
        yield* attempts.accept(other, accepted(1, "c0", 6))
        yield* attempts.accept(ws, accepted(1, "c1", 7), accepted(9, "c9", 7), accepted(2, "c3", 9))
        yield* attempts.accept(ws, accepted(1, "c2", 8))
        assertSome(
          yield* attempts.get(ws, "att_000001"),
          makeAttempt(1, { carrier_call_id: "c1", updated_at: 7 })
        )
      })
    )

    check("tell when those begun after a moment began, oldest first", ({ attempts }) =>
      Effect.gen(function* () {
        for (const [n, at] of [30, 10, 20, 20, 5].entries()) {
          yield* attempts.insert(makeAttempt(n, { started_at: at }))
        }
        yield* attempts.insert(makeAttempt(9))
        yield* attempts.insert(makeAttempt(8, { started_at: 25, customer_id: other }))
        assert.deepStrictEqual(yield* attempts.startedSince(ws, null, 10), [20, 20, 30])
        yield* attempts.update(makeAttempt(9, { started_at: 15 }))
        assert.deepStrictEqual(yield* attempts.startedSince(ws, null, 10), [15, 20, 20, 30])
        assert.deepStrictEqual(yield* attempts.startedSince(ws, null, 30), [])
      })
    )

    check("of one campaign tell when they began", ({ attempts }) =>
      Effect.gen(function* () {
        for (const [n, campaign_id] of ["camp_1", "camp_2", null, "camp_1", "camp_10", "camp_1"].entries()) {
          yield* attempts.insert(makeAttempt(n, { campaign_id, started_at: 50 - n }))
        }
        yield* attempts.insert(makeAttempt(7, { campaign_id: "camp_1", started_at: 49, customer_id: other }))
        yield* attempts.insert(makeAttempt(8, { campaign_id: "camp_1" }))
        assert.deepStrictEqual(yield* attempts.startedSince(ws, "camp_1", 44), [45, 47, 50])
        assert.deepStrictEqual(yield* attempts.startedSince(ws, "camp_1", 45), [47, 50])
        assert.deepStrictEqual(yield* attempts.startedSince(ws, "camp_3", 0), [])
        assert.deepStrictEqual(yield* attempts.startedSince(ws, null, 44), [45, 46, 47, 48, 49, 50])
      })
    )

    check("of one campaign are listed newest first, and counted, by recipient, status and channel", (all) =>
      Effect.gen(function* () {
        const { attempts } = all
        const at = (n: number) =>
          makeAttempt(n, {
            campaign_id: n % 2 === 0 ? "camp_1" : "camp_10",
            recipient_id: `rcpt_${n % 3}`,
            status: n % 4 === 0 ? "failed" : "completed",
            channel: n % 5 === 0 ? "msg" : "voice"
          })
        // Stored in no order, with rows of no campaign and of another workspace among them.
        for (let k = 0; k < 60; k++) yield* attempts.insert(at((k * 37) % 60))
        yield* attempts.insert(makeAttempt(70))
        yield* attempts.insert({ ...at(72), customer_id: other })
        const cases: ReadonlyArray<
          readonly [Parameters<typeof attempts.ofCampaign>[2], (n: number) => boolean]
        > = [
          [{}, () => true],
          [{ recipient_id: undefined, status: undefined, channel: undefined }, () => true],
          [{ status: "failed" }, (n) => n % 4 === 0],
          [{ status: "cancelled" }, () => false],
          [{ channel: "msg" }, (n) => n % 5 === 0],
          [{ recipient_id: "rcpt_1" }, (n) => n % 3 === 1],
          [{ recipient_id: "rcpt_9" }, () => false],
          [{ recipient_id: "rcpt_2", status: "completed" }, (n) => n % 3 === 2 && n % 4 !== 0],
          [
            { recipient_id: "rcpt_0", status: "failed", channel: "msg" },
            (n) => n % 3 === 0 && n % 4 === 0 && n % 5 === 0
          ]
        ]
        for (const [filter, admits] of cases) {
          const expected = Array.from({ length: 60 }, (_, n) => 59 - n)
            .filter((n) => n % 2 === 0 && admits(n))
            .map(at)
          const name = JSON.stringify(filter)
          assert.strictEqual(yield* attempts.countOfCampaign(ws, "camp_1", filter), expected.length, name)
          const pages = yield* Effect.forEach([0, 4, 8, 12, 16, 20, 24, 28, 32], (offset) =>
            attempts.ofCampaign(ws, "camp_1", filter, { limit: 4, offset })
          )
          assert.deepStrictEqual(pages.flat(), expected, name)
          assert.isTrue(
            pages.every((rows, n) => rows.length === Math.max(0, Math.min(4, expected.length - 4 * n)))
          )
        }
        assert.deepStrictEqual(yield* attempts.ofCampaign(other, "camp_1", {}, page), [
          { ...at(72), customer_id: other }
        ])
        assert.deepStrictEqual(yield* attempts.ofCampaign(ws, "camp_2", {}, page), [])
        assert.strictEqual(yield* attempts.countOfCampaign(ws, "camp_2", {}), 0)
        yield* attempts.update({ ...at(2), status: "failed", campaign_id: "camp_2", recipient_id: "rcpt_9" })
        assert.strictEqual(yield* attempts.countOfCampaign(ws, "camp_1", { status: "failed" }), 16)
        assert.strictEqual(yield* attempts.countOfCampaign(ws, "camp_2", {}), 0)
      })
    )

    check("of one campaign, or of all, are counted by what they came to, the newest as far as asked", (all) =>
      Effect.gen(function* () {
        const { attempts, calls, recipients } = all
        const zone = "Asia/Kolkata"
        yield* recipients.insert([
          makeRecipient(1, { campaign_id: "camp_1", timezone: zone }),
          makeRecipient(2, { campaign_id: "camp_1", timezone: null })
        ])
        const call_config = RawJson('{"call_time":{"timezone":"Europe/Paris"}}')
        yield* calls.insert(makeCall(1, { call_config }))
        const at = Date.UTC(2026, 2, 2, 9)
        const add = (n: number, over: Partial<Attempt>) =>
          attempts.insert(
            makeAttempt(n, {
              campaign_id: "camp_1",
              recipient_id: makeRecipient(1).id,
              attempt_number: 1,
              status: "completed",
              started_at: at + n,
              created_at: at + n,
              ...over
            })
          )
        const answered = { outcome: "answered", duration_seconds: 60.25, completed_at: at + 70_000 } as const
        yield* add(1, { ...answered, sub_status: "user_hangup" })
        yield* add(2, { ...answered, sub_status: "max_call_length" })
        yield* add(3, { ...answered, attempt_number: 2, recipient_id: makeRecipient(2).id })
        yield* add(4, { outcome: "failed", sub_status: "invalid_number", completed_at: at + 1_004 })
        yield* add(5, { status: "in_progress", answered_at: at + 9 })
        yield* add(6, { status: "scheduled" })
        yield* add(7, { started_at: null })
        yield* add(8, { channel: "msg", outcome: "delivered" })
        yield* add(900_000, { outcome: "busy", completed_at: at + 902_000 })
        yield* add(10, {
          campaign_id: null,
          recipient_id: null,
          outcome: "no_answer",
          completed_at: at + 30_010
        })
        yield* add(11, {
          campaign_id: "camp_2",
          outcome: "voicemail",
          completed_at: at + 20_011,
          duration_seconds: 5
        })
        yield* add(12, { customer_id: other, outcome: "busy", completed_at: at + 12 })

        const group = {
          campaign_id: "camp_1",
          timezone: zone,
          call_config: null,
          at,
          is_retry: false,
          is_final: false,
          started_at: null,
          answered_at: null,
          count: 1
        } as const
        const talk = { outcome: "answered", seconds: 60, is_cut: false, count: 1 } as const
        const busy = { ...group, at: at + 900_000, outcome: "busy", rang: 2_000 } as const
        const open = { ...group, outcome: null, started_at: at + 5, answered_at: at + 9, rang: 0 } as const
        const ofCampaign = [
          { ...group, outcome: "answered", count: 2, rang: 19_497 },
          { ...group, timezone: null, outcome: "answered", is_retry: true, rang: 9_747 },
          { ...group, outcome: "failed", is_final: true, rang: 1_000 },
          open,
          busy
        ] as const
        const of = (campaign_id: string | null, since = 0, limit = 100) =>
          Effect.map(attempts.observed(ws, campaign_id, since, limit), sorted)
        assert.deepStrictEqual(
          yield* of("camp_1"),
          sorted({
            attempts: ofCampaign,
            talks: [
              { ...talk, count: 2 },
              { ...talk, is_cut: true }
            ]
          })
        )
        assert.deepStrictEqual(
          yield* of(null),
          sorted({
            attempts: [
              ...ofCampaign,
              {
                ...group,
                campaign_id: null,
                timezone: null,
                call_config,
                outcome: "no_answer",
                rang: 30_000
              },
              { ...group, campaign_id: "camp_2", timezone: null, outcome: "voicemail", rang: 15_000 }
            ],
            talks: [
              { ...talk, count: 2 },
              { ...talk, is_cut: true },
              { outcome: "voicemail", seconds: 5, is_cut: false, count: 1 }
            ]
          })
        )
        assert.deepStrictEqual(yield* of("camp_1", at + 9), sorted({ attempts: [busy], talks: [] }))
        assert.deepStrictEqual(yield* of("camp_1", 0, 1), sorted({ attempts: [busy], talks: [] }))
        assert.deepStrictEqual(yield* of(null, 0, 1), sorted({ attempts: [busy], talks: [] }))
        assert.deepStrictEqual(yield* of("camp_3"), { attempts: [], talks: [] })
      })
    )
  })
}

/** The groups in one order, whatever the store's. */
const sorted = ({ attempts, talks }: Observed): Observed => ({
  attempts: attempts
    .map(
      ({
        answered_at,
        at,
        call_config,
        campaign_id,
        count,
        is_final,
        is_retry,
        outcome,
        rang,
        started_at,
        timezone
      }) => ({
        campaign_id,
        timezone,
        call_config,
        at,
        is_retry,
        outcome,
        is_final,
        started_at,
        answered_at,
        count,
        rang
      })
    )
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  talks: talks
    .map(({ count, is_cut, outcome, seconds }) => ({ outcome, seconds, is_cut, count }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
})
