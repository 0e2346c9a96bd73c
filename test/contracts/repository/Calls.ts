import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
import type { Call } from "../../../core/model/calls/Call.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { PageRequest } from "../../../core/model/Page.ts"
import type { Check } from "./Check.ts"
import { makeAttempt, makeCall, other, page, start, ws } from "./Fixtures.ts"

const full = makeCall(1, {
  status: "retry_scheduled",
  outcome: "busy",
  sub_status: "carrier_error",
  error: { code: "x", message: "" },
  callee_name: "Zoë 𝒳",
  scheduled_for: start + 60_000,
  attempt_count: 2,
  session_id: "sess_2",
  completed_at: null,
  idempotency_key: "k-1",
  campaign_id: "camp_1",
  recipient_id: "rcpt_1",
  attempt_id: "att_2",
  redial: true,
  cancel_requested: true,
  credits_held: 3,
  transitions: `[1,"placed","queued"]`
})

const ids = (calls: ReadonlyArray<Call>) => calls.map(({ call_id }) => Number(call_id.slice(5)))

export const callRows = (check: Check) => {
  describe("calls", () => {
    check("come back as they were stored, to their workspace alone", ({ calls }) =>
      Effect.gen(function* () {
        assertNone(yield* calls.insert(full))
        assertSome(yield* calls.get(ws, full.call_id), full)
        assert.deepStrictEqual(yield* calls.many(ws, ["call_000009", full.call_id]), [full])
        assert.deepStrictEqual(yield* calls.many(other, [full.call_id]), [])
        assert.deepStrictEqual(yield* calls.many(ws, []), [])
        assertNone(yield* calls.get(other, full.call_id))
        assertNone(yield* calls.get(ws, "call_000009"))
        assert.deepStrictEqual(yield* calls.list(other, {}, page), { data: [], total: 0 })
        assert.deepStrictEqual(yield* calls.dialable(other, "camp_1", Infinity, 9), [])
        assertNone(yield* calls.nextWaiting(other, "camp_1"))
        assert.isFalse(yield* calls.update({ ...full, customer_id: other, version: 1 }))
        assertSome(yield* calls.get(ws, full.call_id), full)
      })
    )

    check("keep supplied JSON byte for byte", ({ calls }) =>
      Effect.gen(function* () {
        const raw = RawJson(
          `{ "b":1.0,"a":1e400, "a":-0,"n":90071992547409931234567890,\n"é\\u0000\\ud83d":"𝒳👩‍👩‍👧'\\"?$1", "__proto__":{}}`
        )
        const call = makeCall(1, {
          custom_variables: raw,
          call_config: RawJson(` ${raw}`),
          smart_formatter: RawJson("{}"),
          metadata: RawJson(`{"k":"${"x".repeat(16_000)}"}`)
        })
        yield* calls.insert(call)
        assertSome(yield* calls.get(ws, call.call_id), call)
      })
    )

    check("refuse a second call of the same idempotency key and tell the first one's id", ({ calls }) =>
      Effect.gen(function* () {
        const call = makeCall(1, { idempotency_key: "order:7" })
        assertNone(yield* calls.insert(call))
        assertSome(
          yield* calls.insert(makeCall(2, { idempotency_key: "order:7", to_number: "+33" })),
          call.call_id
        )
        assertNone(yield* calls.insert(makeCall(3, { idempotency_key: "order:7", customer_id: other })))
        assertNone(yield* calls.insert(makeCall(4)))
        assertNone(yield* calls.insert(makeCall(5)))
        assertSome(yield* calls.byKey(ws, "order:7"), call.call_id)
        assertSome(yield* calls.byKey(other, "order:7"), "call_000003")
        assertNone(yield* calls.byKey(ws, "order:8"))
        assertNone(yield* calls.get(ws, "call_000002"))
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 3)
      })
    )

    check("are stored many at once, but for those whose key is taken, and counted by status", ({ calls }) =>
      Effect.gen(function* () {
        yield* calls.insert(makeCall(1, { idempotency_key: "a" }))
        const all = Array.from({ length: 25 }, (_, n) => makeCall(n + 2))
        const taken = yield* calls.insertMany([
          ...all,
          makeCall(50, { idempotency_key: "a" }),
          makeCall(51, { idempotency_key: "b", status: "failed" }),
          makeCall(52, { idempotency_key: "b" })
        ])
        assert.strictEqual(taken.get("a"), "call_000001")
        assert.include([undefined, "call_000051"], taken.get("b"))
        assertSome(yield* calls.get(ws, all[24]!.call_id), all[24]!)
        assertNone(yield* calls.get(ws, "call_000050"))
        assertNone(yield* calls.get(ws, "call_000052"))
        assert.deepStrictEqual(yield* calls.insertMany([makeCall(60)]), new Map())
        const ids = [...all.map(({ call_id }) => call_id), "call_000051", "call_none"]
        const counts = yield* calls.countByStatus(ws, ids)
        assert.deepStrictEqual(Object.fromEntries(counts), { queued: 25, failed: 1 })
        assert.strictEqual((yield* calls.countByStatus(other, ids)).size, 0)
      })
    )

    check("let one of fifty racers have an idempotency key", ({ calls, transaction }) =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) => transaction(ws, calls.insert(makeCall(n, { idempotency_key: "k" }))),
          { concurrency: "unbounded" }
        )
        const winners = answers.flatMap((answer, n) => (Option.isNone(answer) ? [n] : []))
        assert.strictEqual(winners.length, 1)
        const winner = makeCall(winners[0]!).call_id
        for (const answer of answers)
          assert.strictEqual(
            Option.getOrElse(answer, () => winner),
            winner
          )
        assert.strictEqual((yield* calls.list(ws, {}, page)).total, 1)
      })
    )

    check("are updated only from the version before", ({ calls }) =>
      Effect.gen(function* () {
        yield* calls.insert(makeCall(1))
        const next: Call = {
          ...makeCall(1),
          status: "completed",
          outcome: "answered",
          sub_status: "user_hangup",
          error: { code: "a", message: "b", details: { carrier_code: "c", carrier_message: null } },
          scheduled_for: 1,
          attempt_count: 1,
          session_id: "s",
          attempt_id: "t",
          redial: true,
          cancel_requested: true,
          credits_held: 0,
          call_config: RawJson('{"max_call_length":60,  "é":1.0}'),
          phase: "done",
          due_at: null,
          updated_at: start + 5,
          completed_at: start + 5,
          version: 1
        }
        assert.isFalse(yield* calls.update({ ...next, version: 0 }))
        assert.isFalse(yield* calls.update({ ...next, version: 2 }))
        assertSome(yield* calls.get(ws, next.call_id), makeCall(1))
        assert.isTrue(yield* calls.update(next))
        assert.isFalse(yield* calls.update(next))
        assertSome(yield* calls.get(ws, next.call_id), next)
        assert.isFalse(yield* calls.update(makeCall(2, { version: 1 })))
      })
    )

    check("keep what was supplied on creation whatever an update says", ({ calls }) =>
      Effect.gen(function* () {
        yield* calls.insert(full)
        yield* calls.update({
          ...makeCall(1, { agent_id: "agent_9", created_at: 1, to_number: "+1", price_per_minute: 9 }),
          status: "cancelled",
          version: 1
        })
        const stored = Option.getOrThrow(yield* calls.get(ws, full.call_id))
        assert.strictEqual(stored.status, "cancelled")
        assert.deepStrictEqual(
          [stored.agent_id, stored.created_at, stored.to_number, stored.price_per_minute],
          [full.agent_id, full.created_at, full.to_number, full.price_per_minute]
        )
        assert.deepStrictEqual(
          [stored.idempotency_key, stored.campaign_id, stored.recipient_id, stored.callee_name],
          [full.idempotency_key, full.campaign_id, full.recipient_id, full.callee_name]
        )
      })
    )

    check("are updated together, each from the version before", ({ calls }) =>
      Effect.gen(function* () {
        yield* calls.insertMany([1, 2, 3].map((n) => makeCall(n)))
        const next = (n: number, version: number) => makeCall(n, { version, attempt_count: n })
        assert.isTrue(yield* calls.update(next(1, 1), next(2, 1)))
        assert.isFalse(yield* calls.update(next(1, 2), makeCall(2, { version: 1 }), next(3, 1)))
        const stored = [next(1, 2), next(2, 1), next(3, 1)]
        for (const call of stored) assertSome(yield* calls.get(ws, call.call_id), call)
      })
    )

    check("let one of fifty racing updates of a version win", ({ calls }) =>
      Effect.gen(function* () {
        yield* calls.insert(makeCall(1))
        const won = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) => calls.update(makeCall(1, { version: 1, attempt_count: n })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(won.filter(Boolean).length, 1)
        assert.strictEqual(
          Option.getOrThrow(yield* calls.get(ws, "call_000001")).attempt_count,
          won.indexOf(true)
        )
      })
    )

    check("are listed newest first, page by page, with the total", ({ calls }) =>
      Effect.gen(function* () {
        for (const n of [3, 1, 5, 2, 4]) yield* calls.insert(makeCall(n))
        yield* calls.insert(makeCall(6, { customer_id: other }))
        const pages = yield* Effect.forEach([0, 2, 4, 6], (offset) =>
          calls.list(ws, {}, { limit: 2, offset })
        )
        assert.deepStrictEqual(
          pages.map(({ data }) => ids(data)),
          [[5, 4], [3, 2], [1], []]
        )
        assert.deepStrictEqual(
          pages.map(({ total }) => total),
          [5, 5, 5, 5]
        )
        yield* calls.update(makeCall(1, { version: 1, updated_at: start + 99 }))
        assert.deepStrictEqual(ids((yield* calls.list(ws, {}, page)).data), [5, 4, 3, 2, 1])
      })
    )

    check("are found by any one of what they have, each with its total", ({ attempts, calls }) =>
      Effect.gen(function* () {
        const statuses = ["queued", "completed", "failed"] as const
        for (let n = 0; n < 30; n++) {
          const call = makeCall(n, {
            status: statuses[n % 3]!,
            outcome: n % 3 === 2 ? "busy" : null,
            from_phone_number_id: `pn_${n % 4}`,
            to_number: `+1415555${String(n % 5).padStart(4, "0")}`,
            idempotency_key: n % 7 === 0 ? `key_${n}` : null
          })
          yield* calls.insert(call)
          yield* calls.index(call, [
            ["order", String(n % 6)],
            ...(n % 2 === 0 ? [["source", "web"] as const] : []),
            ["table", String(n % 4)]
          ])
        }
        yield* calls.insert(makeCall(3, { customer_id: other, status: "failed", outcome: "busy" }))
        yield* attempts.insert(makeAttempt(7, { call_id: "call_000011" }))
        const matching = (admits: (n: number) => boolean) =>
          Array.from({ length: 30 }, (_, n) => 29 - n).filter(admits)
        const cases: ReadonlyArray<readonly [Parameters<typeof calls.list>[1], (n: number) => boolean]> = [
          [{ status: ["completed", "failed"] }, (n) => n % 3 !== 0],
          [{ status: ["queued", "queued"] }, (n) => n % 3 === 0],
          [{ outcome: "busy" }, (n) => n % 3 === 2],
          [{ outcome: "failed" }, () => false],
          [{ from_phone_number_id: "pn_3" }, (n) => n % 4 === 3],
          [{ to_number: "+14155550002" }, (n) => n % 5 === 2],
          [{ to_number: "0002" }, (n) => n % 5 === 2],
          [{ to_number: "5550002" }, (n) => n % 5 === 2],
          [{ to_number: "6660002" }, () => false],
          [{ to_number: "+33155550002" }, () => false],
          [{ idempotency_key: "key_14" }, (n) => n === 14],
          [{ session_id: "sess_000007" }, (n) => n === 11],
          [{ session_id: "sess_000008" }, () => false],
          [{ metadata: { order: "4" } }, (n) => n % 6 === 4],
          [{ metadata: { order: "4", source: "web" }, from_phone_number_id: "pn_0" }, (n) => n % 12 === 4],
          [{ metadata: { order: "4" }, status: ["queued", "completed"] }, (n) => n % 6 === 4 && n % 3 !== 2],
          [{ metadata: { nothing: "4" } }, () => false],
          [
            { any_metadata: { keys: ["order", "table", "nothing"], value: "3" } },
            (n) => n % 6 === 3 || n % 4 === 3
          ],
          [
            {
              any_metadata: { keys: ["order", "table"], value: "1" },
              status: ["queued", "failed"],
              outcome: "busy"
            },
            (n) => n % 3 === 2 && (n % 6 === 1 || n % 4 === 1)
          ],
          [
            { any_metadata: { keys: ["order", "table"], value: "1" }, metadata: { source: "web" } },
            () => false
          ],
          [
            { any_metadata: { keys: ["source"], value: "web" }, metadata: { order: "4" } },
            (n) => n % 6 === 4
          ],
          [{ any_metadata: { keys: [], value: "web" } }, () => false],
          [{ status: ["completed", "failed"], outcome: "busy", to_number: "0001" }, (n) => n % 15 === 11]
        ]
        for (const [filter, admits] of cases) {
          const found = yield* calls.list(ws, filter, page)
          const expected = matching(admits)
          assert.deepStrictEqual(ids(found.data), expected, JSON.stringify(filter))
          assert.strictEqual(found.total, expected.length)
          const at = { limit: 2, offset: 1 }
          assert.deepStrictEqual(ids((yield* calls.list(ws, filter, at)).data), expected.slice(1, 3))
          const third = found.data[2]?.call_id
          if (third === undefined) continue
          const behind = yield* calls.list(ws, filter, { ...at, after: third })
          assert.deepStrictEqual(ids(behind.data), expected.slice(4, 6), JSON.stringify(filter))
          const before = yield* calls.list(ws, filter, { limit: 1, offset: 1, before: third })
          assert.deepStrictEqual(ids(before.data), expected.slice(0, 1), JSON.stringify(filter))
        }
      })
    )

    check("are filtered by status, agent, campaign and time of creation, together", ({ calls }) =>
      Effect.gen(function* () {
        for (let n = 0; n < 40; n++) {
          yield* calls.insert(
            makeCall(n, {
              status: n % 2 === 0 ? "queued" : "completed",
              agent_id: `agent_${n % 3}`,
              campaign_id: n % 5 === 0 ? null : `camp_${n % 5}`
            })
          )
        }
        const matching = (admits: (n: number) => boolean) =>
          Array.from({ length: 40 }, (_, n) => 39 - n).filter(admits)
        const cases: ReadonlyArray<readonly [Parameters<typeof calls.list>[1], (n: number) => boolean]> = [
          [{ status: "completed" }, (n) => n % 2 === 1],
          [{ agent_id: "agent_2" }, (n) => n % 3 === 2],
          [{ campaign_id: "camp_4" }, (n) => n % 5 === 4],
          [{ created_after: start + 10 }, (n) => n >= 10],
          [{ created_before: start + 10 }, (n) => n < 10],
          [{ status: "queued", agent_id: "agent_1", created_after: start + 5 }, (n) => n % 6 === 4 && n >= 5],
          [
            { status: "completed", agent_id: "agent_0", campaign_id: "camp_3", created_before: start + 33 },
            (n) => n % 30 === 3 && n < 33
          ],
          [{ status: "cancelled" }, () => false],
          [{ status: undefined }, () => true]
        ]
        for (const [filter, admits] of cases) {
          const expected = matching(admits)
          const { data, total } = yield* calls.list(ws, filter, { limit: 100, offset: 1 })
          assert.deepStrictEqual(ids(data), expected.slice(1), JSON.stringify(filter))
          assert.strictEqual(total, expected.length, JSON.stringify(filter))
        }
        yield* calls.update(makeCall(0, { status: "cancelled", version: 1 }))
        assert.deepStrictEqual(ids((yield* calls.list(ws, { status: "cancelled" }, page)).data), [0])
      })
    )

    check(
      "are listed from a call on within a range of times, whether that call is in it or not",
      ({ calls }) =>
        Effect.gen(function* () {
          const all = [0, 1, 2, 3, 4, 5]
          const timeOf = (n: number) => start + Math.floor(n / 2)
          for (const n of all) yield* calls.insert(makeCall(n, { created_at: timeOf(n) }))
          for (const since of [undefined, start + 1, start + 2]) {
            for (const until of [undefined, start + 1, start + 2]) {
              const range = { created_after: since, created_before: until }
              const isIn = (n: number) => timeOf(n) >= (since ?? 0) && timeOf(n) < (until ?? Infinity)
              for (const n of all) {
                const { call_id } = makeCall(n)
                const list = (place: Partial<PageRequest>) =>
                  Effect.map(calls.list(ws, range, { ...page, ...place }), ({ data }) => ids(data))
                const when = JSON.stringify([range, n])
                const older = all.filter((m) => m < n && isIn(m)).toReversed()
                const newer = all.filter((m) => m > n && isIn(m)).toReversed()
                assert.deepStrictEqual(yield* list({ after: call_id }), older, when)
                assert.deepStrictEqual(yield* list({ before: call_id }), newer, when)
              }
            }
          }
        })
    )

    check(
      "are listed and counted without messages, which are stored, due and live as they are",
      ({ calls }) =>
        Effect.gen(function* () {
          const message = (n: number, over: Partial<Call> = {}) =>
            makeCall(n, {
              call_id: `msg_${String(n).padStart(6, "0")}`,
              channel: "msg",
              campaign_id: "camp_1",
              ...over
            })
          for (const n of [0, 2, 4]) yield* calls.insert(makeCall(n))
          yield* calls.insert(makeCall(6, { campaign_id: "camp_1" }))
          for (const n of [1, 3, 5]) yield* calls.insert(message(n))
          yield* calls.insert(message(7, { phase: "live", status: "in_progress" }))
          assert.deepStrictEqual(ids((yield* calls.list(ws, {}, page)).data), [6, 4, 2, 0])
          const second = yield* calls.list(ws, {}, { limit: 2, offset: 1 })
          assert.deepStrictEqual([ids(second.data), second.total], [[4, 2], 4])
          for (const [filter, expected] of [
            [{ campaign_id: "camp_1" }, [6]],
            [{ status: "in_progress" }, []],
            [{ agent_id: "agent_1", created_after: start + 3 }, [6, 4]]
          ] as const) {
            const { data, total } = yield* calls.list(ws, filter, page)
            assert.deepStrictEqual([ids(data), total], [expected, expected.length], JSON.stringify(filter))
          }
          assertSome(yield* calls.get(ws, "msg_000003"), message(3))
          assert.deepStrictEqual(
            (yield* calls.dialable(ws, "camp_1", start + 6, 9)).map(({ call_id }) => call_id),
            ["msg_000001", "msg_000003", "msg_000005", "call_000006"]
          )
          assert.deepStrictEqual(yield* calls.live(ws, "", 9), [
            message(7, { phase: "live", status: "in_progress" })
          ])
          assert.strictEqual(yield* calls.countLive(ws), 0)
          assert.isTrue(
            yield* calls.update(message(3, { status: "completed", due_at: null, phase: "done", version: 1 }))
          )
          assert.strictEqual((yield* calls.list(ws, { status: "completed" }, page)).total, 0)
        })
    )

    check("are due in their phase, earliest first, up to the limit", ({ calls }) =>
      Effect.gen(function* () {
        const due = [50, 20, 20, 90, 10]
        for (const [n, at] of due.entries()) {
          yield* calls.insert(makeCall(n, { due_at: at }))
          yield* calls.insert(makeCall(n + 10, { due_at: at + 1, phase: "live" }))
          yield* calls.insert(makeCall(n + 20, { due_at: null, phase: "done" }))
          yield* calls.insert(makeCall(n + 30, { due_at: null }))
        }
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, null, 50, 10)), [4, 1, 2, 0])
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, null, 49, 2)), [4, 1])
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, null, 9, 10)), [])
        assert.deepStrictEqual(ids(yield* calls.overdue(ws, 51, 10)), [14, 11, 12, 10])
        assert.deepStrictEqual(ids(yield* calls.overdue(ws, 51, 2)), [14, 11])
        assertSome(yield* calls.nextWaiting(ws, null), 10)
        assertSome(yield* calls.nextOverdue(ws), 11)
        yield* calls.update(makeCall(4, { due_at: 70, version: 1 }))
        yield* calls.update(makeCall(14, { due_at: null, phase: "done", version: 1 }))
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, null, 100, 10)), [1, 2, 0, 4, 3])
        assertSome(yield* calls.nextWaiting(ws, null), 20)
        assertSome(yield* calls.nextOverdue(ws), 21)
        yield* calls.update(makeCall(1, { due_at: 5, phase: "live", version: 1 }))
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, null, 100, 10)), [2, 0, 4, 3])
        assert.deepStrictEqual(ids(yield* calls.overdue(ws, 21, 10)), [1, 11, 12])
        yield* calls.insert(makeCall(41, { due_at: 11, phase: "done", status: "completed" }))
        yield* calls.insert(makeCall(42, { due_at: 22, phase: "done", status: "completed" }))
        assertSome(yield* calls.nextOverdue(ws), 5)
        assert.deepStrictEqual(ids(yield* calls.overdue(ws, 22, 10)), [1, 41, 11, 12, 42])
        assert.deepStrictEqual(ids(yield* calls.overdue(ws, 22, 2)), [1, 41])
        assert.notInclude(ids(yield* calls.live(ws, "", 99)), 41)
        yield* calls.update(makeCall(1, { due_at: null, phase: "done", version: 2 }))
        assertSome(yield* calls.nextOverdue(ws), 11)
        assertNone(yield* calls.nextOverdue(other))
        assert.deepStrictEqual(yield* calls.overdue(other, Infinity, 10), [])
      })
    )

    check("wait in the queue of their campaign, or in that of no campaign", ({ calls }) =>
      Effect.gen(function* () {
        const campaigns = [null, "camp_1", "camp_2", "camp_10"]
        for (let n = 0; n < 24; n++) {
          const campaign_id = campaigns[n % 4]!
          yield* calls.insert(makeCall(n, { campaign_id, due_at: 100 - n }))
          yield* calls.insert(makeCall(n, { campaign_id, due_at: 1, customer_id: other }))
        }
        yield* calls.insert(makeCall(50, { campaign_id: "camp_1", due_at: 2, phase: "live" }))
        yield* calls.insert(makeCall(51, { campaign_id: "camp_1", due_at: null, phase: "done" }))
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, null, 100, 9)), [20, 16, 12, 8, 4, 0])
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, "camp_1", 100, 9)), [21, 17, 13, 9, 5, 1])
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, "camp_2", 90, 2)), [22, 18])
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, "camp_10", 85, 9)), [23, 19, 15])
        assert.deepStrictEqual(ids(yield* calls.dialable(ws, "camp_3", 100, 9)), [])
        assertSome(yield* calls.nextWaiting(ws, null), 80)
        assertSome(yield* calls.nextWaiting(ws, "camp_1"), 79)
        assertNone(yield* calls.nextWaiting(ws, "camp_3"))
        yield* calls.update(makeCall(21, { phase: "live", version: 1 }))
        assertSome(yield* calls.nextWaiting(ws, "camp_1"), 83)
        assertSome(yield* calls.nextOverdue(ws), 2)
        assert.deepStrictEqual(ids(yield* calls.live(ws, "", 9)), [21, 50])
      })
    )

    check("that are live are counted, and read by id a part at a time", ({ calls }) =>
      Effect.gen(function* () {
        for (const n of [4, 2, 9, 7]) yield* calls.insert(makeCall(n, { phase: "live", due_at: 100 - n }))
        yield* calls.insert(makeCall(5))
        yield* calls.insert(makeCall(6, { phase: "live", customer_id: other }))
        assert.strictEqual(yield* calls.countLive(ws), 4)
        assert.strictEqual(yield* calls.countLive("ws_c"), 0)
        assert.deepStrictEqual(ids(yield* calls.live(ws, "", 3)), [2, 4, 7])
        assert.deepStrictEqual(ids(yield* calls.live(ws, "call_000007", 3)), [9])
        assert.deepStrictEqual(ids(yield* calls.live(ws, "call_000009", 3)), [])
      })
    )
  })
}
