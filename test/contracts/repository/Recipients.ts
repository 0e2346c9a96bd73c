import { Effect, Exit, Option } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import type { Call } from "../../../core/model/calls/Call.ts"
import type { Recipient } from "../../../core/model/campaigns/Recipient.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { PageRequest } from "../../../core/model/Page.ts"
import type { RecipientFilter } from "../../../core/ports/RecipientRows.ts"
import type { Check } from "./Check.ts"
import {
  makeAttempt,
  makeCall,
  makeImport,
  makeRecipient,
  makeState,
  other,
  page,
  start,
  ws
} from "./Fixtures.ts"

const camp = "camp_000001"
const endOfTime = 8_640_000_000_000_000

const raw = RawJson(
  `{ "b":1.0,"a":1e400, "a":-0,"n":90071992547409931234567890,\n"é\\u0000":"𝒳👩‍👩‍👧'\\"?$1", "__proto__":{}}`
)

const full = makeRecipient(1, {
  status: "retry_scheduled",
  timezone: "America/Argentina/Buenos_Aires",
  call_id: "call_1",
  variables: raw,
  outcome: RawJson(` ${raw}`),
  next_action_at: endOfTime,
  updated_at: endOfTime
})

const ids = (recipients: ReadonlyArray<Recipient>) => recipients.map(({ id }) => Number(id.slice(5)))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

export const recipientRows = (check: Check) =>
  describe("recipients", () => {
    check("are found by what was supplied and learnt of them, until it is replaced or gone", (repository) =>
      Effect.gen(function* () {
        const { campaigns, people, recipients } = repository
        yield* campaigns.insert(makeState(1))
        const all = [1, 2, 3, 4].map((n) => makeRecipient(n, { status: n === 4 ? "failed" : "completed" }))
        yield* recipients.insert(all)
        yield* recipients.insert([makeRecipient(9, { customer_id: other })])
        for (const recipient of all) {
          const n = all.indexOf(recipient) + 1
          yield* recipients.index(recipient, "variables", [["variables.city", n === 3 ? "Oslo" : "Paris"]])
          yield* recipients.index(recipient, "review", [
            ["answers.budget", n < 3 ? "high" : "low"],
            ["qualification_status", "qualified"],
            ["sentiment", n === 1 ? "negative" : "positive"]
          ])
        }
        const found = (filter: RecipientFilter, slice: PageRequest = page, owner = ws) =>
          Effect.map(recipients.list(owner, "camp_000001", filter, slice), ({ data, total }) => {
            assert.isAtLeast(total, data.length)
            return data.map(({ id }) => Number(id.slice(-1)))
          })
        assert.deepStrictEqual(yield* found({ qualification_status: "qualified" }), [4, 3, 2, 1])
        assert.deepStrictEqual(yield* found({ sentiment: "positive", variables: { city: "Paris" } }), [4, 2])
        assert.deepStrictEqual(yield* found({ answers: { budget: "high" } }), [2, 1])
        assert.deepStrictEqual(yield* found({ answers: { budget: "low" }, status: "completed" }), [3])
        assert.deepStrictEqual(
          yield* found({ sentiment: "positive", phone_number: all[1]!.phone_number }),
          [2]
        )
        assert.deepStrictEqual(yield* found({ sentiment: "neutral" }), [])
        assert.deepStrictEqual(yield* found({ sentiment: "positive" }, page, other), [])
        const qualified = { qualification_status: "qualified" }
        assert.deepStrictEqual(yield* found(qualified, { limit: 2, offset: 1 }), [3, 2])
        assert.deepStrictEqual(yield* found(qualified, { ...page, limit: 2, after: all[3]!.id }), [3, 2])
        assert.deepStrictEqual(yield* found(qualified, { ...page, limit: 2, before: all[0]!.id }), [3, 2])
        yield* recipients.index(all[0]!, "review", [["sentiment", "positive"]])
        assert.deepStrictEqual(yield* found({ sentiment: "negative" }), [])
        assert.deepStrictEqual(yield* found(qualified), [4, 3, 2])
        assert.deepStrictEqual(yield* found({ variables: { city: "Paris" } }), [4, 2, 1])
        yield* recipients.removeOne(ws, "camp_000001", all[3]!.id)
        yield* people.eraseRecipient(all[1]!)
        assert.deepStrictEqual(yield* found({ variables: { city: "Paris" } }), [1])
        yield* recipients.remove(ws, "camp_000001", 9)
        yield* recipients.insert([all[2]!])
        assert.deepStrictEqual(yield* found(qualified), [])
      })
    )

    check("are changed, and removed one by one, for their own workspace alone", ({ recipients }) =>
      Effect.gen(function* () {
        const [first, second] = [makeRecipient(1), makeRecipient(2)]
        yield* recipients.insert([first, second])
        const changed = {
          ...first,
          variables: RawJson('{"a":1.0}'),
          timezone: "Asia/Tokyo",
          updated_at: start + 9
        }
        yield* recipients.change({ ...changed, status: "failed", created_at: 1 })
        yield* recipients.change({ ...changed, customer_id: other, timezone: "Europe/Paris" })
        assertSome(yield* recipients.get(ws, first.campaign_id, first.id), changed)
        yield* recipients.removeOne(other, first.campaign_id, first.id)
        yield* recipients.removeOne(ws, first.campaign_id, second.id)
        const { data } = yield* recipients.list(ws, first.campaign_id, {}, page)
        assert.deepStrictEqual(data, [changed])
        const listOf = (filter: object) => recipients.list(ws, first.campaign_id, filter, page)
        assert.deepStrictEqual((yield* listOf({ phone_number: first.phone_number })).data, [changed])
        assert.strictEqual((yield* listOf({ phone_number: second.phone_number })).total, 0)
        assert.strictEqual((yield* listOf({ phone_number: first.phone_number, status: "failed" })).total, 0)
        assert.deepStrictEqual(yield* recipients.zones(ws, first.campaign_id), ["Asia/Tokyo"])
      })
    )

    check("come back as they were stored, to their workspace and campaign alone", ({ recipients }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* recipients.insert([full]), [null])
        assert.deepStrictEqual(yield* recipients.insert([]), [])
        assertSome(yield* recipients.get(ws, camp, full.id), full)
        assert.deepStrictEqual(yield* recipients.list(ws, camp, {}, page), { data: [full], total: 1 })
        assert.deepStrictEqual(yield* recipients.after(ws, camp, "", 9), [full])
        yield* recipients.insert([makeRecipient(2)])
        for (const [workspace_id, campaign_id] of [
          [other, camp],
          [ws, "camp_000002"]
        ] as const) {
          assertNone(yield* recipients.get(workspace_id, campaign_id, full.id))
          assert.deepStrictEqual(yield* recipients.list(workspace_id, campaign_id, {}, page), {
            data: [],
            total: 0
          })
          assert.deepStrictEqual(yield* recipients.after(workspace_id, campaign_id, "", 9), [])
          assert.deepStrictEqual(yield* recipients.pending(workspace_id, campaign_id, null, 9), [])
          assert.deepStrictEqual(yield* recipients.zones(workspace_id, campaign_id), [])
          assert.strictEqual(yield* recipients.skip(workspace_id, campaign_id, start, 9), 0)
          yield* recipients.update({ ...full, customer_id: workspace_id, campaign_id, status: "failed" })
        }
        assertSome(yield* recipients.get(ws, camp, full.id), full)
        assertSome(yield* recipients.get(ws, camp, "rcpt_000002"), makeRecipient(2))
        const both = yield* recipients.many(ws, camp, ["rcpt_000009", "rcpt_000002", full.id])
        assert.sameDeepMembers([...both], [full, makeRecipient(2)])
        assert.deepStrictEqual(yield* recipients.many(other, camp, [full.id]), [])
        assert.deepStrictEqual(yield* recipients.many(ws, "camp_000009", [full.id]), [])
        assert.deepStrictEqual(yield* recipients.many(ws, camp, []), [])
      })
    )

    check("are removed slice by slice, then their campaign with all that it counted", (repository) =>
      Effect.gen(function* () {
        const { campaigns, imports, recipients } = repository
        const state = makeState(1)
        yield* campaigns.insert(state)
        yield* campaigns.insert(makeState(2))
        yield* recipients.insert(upTo(5).map((n) => makeRecipient(n)))
        yield* recipients.insert([makeRecipient(1, { campaign_id: "camp_000002" })])
        yield* imports.insert(makeImport(1), 1)
        yield* campaigns.countOutcome(ws, camp, 0, "busy", 1)
        assert.strictEqual(yield* recipients.remove(other, camp, 9), 0)
        assert.strictEqual(yield* recipients.remove(ws, camp, 3), 3)
        assert.deepStrictEqual(ids(yield* recipients.after(ws, camp, "", 9)), [3, 4])
        assert.strictEqual(yield* recipients.remove(ws, camp, 3), 2)
        yield* campaigns.remove(other, camp)
        assertSome(yield* campaigns.get(ws, camp), state)
        yield* campaigns.remove(ws, camp)
        assertNone(yield* campaigns.get(ws, camp))
        assertNone(yield* campaigns.counters(ws, camp))
        assert.deepStrictEqual(yield* campaigns.outcomes(ws, camp, 0, 9, 1), [])
        assert.deepStrictEqual(yield* imports.list(ws, camp, page), { data: [], total: 0 })
        assertSome(yield* campaigns.get(ws, "camp_000002"), makeState(2))
        assert.lengthOf(yield* recipients.after(ws, "camp_000002", "", 9), 1)
      })
    )

    check("have a phone number once in a campaign: a later one is told the holder's id", ({ recipients }) =>
      Effect.gen(function* () {
        const again = (n: number, of: number, over: Partial<Recipient> = {}) =>
          makeRecipient(n, { phone_number: makeRecipient(of).phone_number, ...over })
        assert.deepStrictEqual(
          yield* recipients.insert([
            makeRecipient(1),
            makeRecipient(2),
            again(3, 1),
            again(4, 2),
            again(5, 1)
          ]),
          [null, null, "rcpt_000001", "rcpt_000002", "rcpt_000001"]
        )
        assert.deepStrictEqual(
          yield* recipients.insert([again(6, 2), makeRecipient(7), again(8, 7), again(9, 3)]),
          ["rcpt_000002", null, "rcpt_000007", null]
        )
        const elsewhere = [
          again(1, 1, { customer_id: other }),
          again(3, 2, { customer_id: other }),
          again(4, 2, { campaign_id: "camp_000002" })
        ]
        assert.deepStrictEqual(yield* recipients.insert(elsewhere), [null, null, null])
        assert.deepStrictEqual(ids((yield* recipients.list(ws, camp, {}, page)).data), [9, 7, 2, 1])
        assertNone(yield* recipients.get(ws, camp, "rcpt_000003"))
        assertSome(yield* recipients.get(other, camp, "rcpt_000003"), elsewhere[1]!)
        assertSome(yield* recipients.get(ws, "camp_000002", "rcpt_000004"), elsewhere[2]!)
        yield* recipients.update({ ...makeRecipient(1), status: "completed" })
        assert.deepStrictEqual(yield* recipients.insert([again(10, 1)]), ["rcpt_000001"])
      })
    )

    check("die when an id is stored a second time: nothing of the request is", ({ recipients }) =>
      Effect.gen(function* () {
        yield* recipients.insert([makeRecipient(1)])
        const request = [makeRecipient(2), { ...makeRecipient(1), phone_number: "+33140000000" }]
        assert.isTrue(Exit.isFailure(yield* Effect.exit(recipients.insert(request))))
        assert.deepStrictEqual(yield* recipients.list(ws, camp, {}, page), {
          data: [makeRecipient(1)],
          total: 1
        })
      })
    )

    check("are stored by the thousand, one in three a repetition", ({ recipients }) =>
      Effect.gen(function* () {
        const numbered = (n: number) =>
          makeRecipient(n, { phone_number: `+33${n % 3 === 2 ? Math.floor(n / 6) * 3 : n}` })
        const answers = yield* recipients.insert(upTo(3_000).map(numbered))
        const holders = new Map<string, string>()
        for (const [n, answer] of answers.entries()) {
          const { id, phone_number } = numbered(n)
          assert.strictEqual(answer, holders.get(phone_number) ?? null)
          if (answer === null) holders.set(phone_number, id)
        }
        assert.strictEqual(
          (yield* recipients.list(ws, camp, {}, { limit: 1, offset: 0 })).total,
          holders.size
        )
        assert.deepStrictEqual(
          yield* recipients.insert(upTo(3_000).map((n) => ({ ...numbered(n), id: `rcpt_x${n}` }))),
          upTo(3_000).map((n) => holders.get(numbered(n).phone_number)!)
        )
      })
    )

    check("let one of fifty racing requests have a number", ({ recipients, transaction }) =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(
          upTo(50),
          (n) => transaction(ws, recipients.insert([makeRecipient(n, { phone_number: "+33140000000" })])),
          { concurrency: "unbounded" }
        )
        const winner = answers.findIndex(([answer]) => answer === null)
        for (const [n, answer] of answers.entries())
          assert.deepStrictEqual(answer, [n === winner ? null : makeRecipient(winner).id])
      })
    )

    check("are listed newest first, page by page, by status", ({ recipients }) =>
      Effect.gen(function* () {
        const recipient = (n: number) =>
          makeRecipient(n, {
            status: n % 3 === 0 ? "completed" : "pending",
            timezone: n % 4 === 0 ? "Europe/Paris" : null,
            created_at: start
          })
        yield* recipients.insert(upTo(30).map((n) => recipient((n * 7) % 30)))
        yield* recipients.insert([makeRecipient(40, { customer_id: other })])
        yield* recipients.insert([makeRecipient(41, { campaign_id: "camp_000002" })])
        const cases = [
          [{}, () => true],
          [{ status: undefined }, () => true],
          [{ status: "completed" }, (n: number) => n % 3 === 0],
          [{ status: "pending" }, (n: number) => n % 3 !== 0],
          [{ status: "failed" }, () => false],
          [{ phone_number: "0012" }, (n: number) => n === 12],
          [{ phone_number: "6000012" }, (n: number) => n === 12],
          [{ phone_number: "5000012" }, () => false],
          [{ phone_number: "00012", status: "completed" }, (n: number) => n === 12],
          [{ phone_number: "01415556000012" }, () => false]
        ] as const
        for (const [filter, admits] of cases) {
          const expected = upTo(30).reverse().filter(admits).map(recipient)
          const pages = yield* Effect.forEach([0, 7, 14, 21, 28, 35], (offset) =>
            recipients.list(ws, camp, filter, { limit: 7, offset })
          )
          assert.deepStrictEqual(
            pages.flatMap(({ data }) => data),
            expected
          )
          for (const { total } of pages) assert.strictEqual(total, expected.length)
        }
        yield* recipients.update({ ...recipient(1), status: "failed" })
        assert.deepStrictEqual(ids((yield* recipients.list(ws, camp, { status: "failed" }, page)).data), [1])
        assert.strictEqual((yield* recipients.list(ws, camp, {}, page, 4_711)).total, 4_711)
      })
    )

    check("are read slice by slice, oldest first, each once", ({ recipients }) =>
      Effect.gen(function* () {
        yield* recipients.insert(upTo(25).map((n) => makeRecipient((n * 7) % 25)))
        yield* recipients.insert([makeRecipient(3, { customer_id: other })])
        const read: Array<ReadonlyArray<Recipient>> = []
        for (let after = ""; read.at(-1)?.length !== 0; after = read.at(-1)!.at(-1)?.id ?? after) {
          read.push(yield* recipients.after(ws, camp, after, 10))
        }
        assert.deepStrictEqual(
          read.map(({ length }) => length),
          [10, 10, 5, 0]
        )
        assert.deepStrictEqual(
          read.flat(),
          upTo(25).map((n) => makeRecipient(n))
        )
      })
    )

    check("who are not done are counted by what they wait for, and their calls under way are told", (all) =>
      Effect.gen(function* () {
        const { attempts, calls, recipients } = all
        const zone = (n: number) => (n % 2 === 0 ? "Asia/Kolkata" : null)
        yield* recipients.insert(
          upTo(10).map((n) =>
            makeRecipient(n, {
              timezone: zone(n),
              status: n < 5 ? "pending" : n < 9 ? "retry_scheduled" : "failed"
            })
          )
        )
        const waits = { phase: "waiting", campaign_id: camp, attempt_count: 2 } as const
        const add = (n: number, over: Partial<Call>) =>
          calls.insert(makeCall(n, { recipient_id: makeRecipient(n).id, ...waits, ...over }))
        const due_at = start - (start % 60_000)
        yield* add(5, { due_at: due_at + 1_000 })
        yield* add(7, { due_at: due_at + 3_000 })
        yield* add(6, { due_at: due_at + 3_000, redial: true })
        yield* add(8, { due_at: due_at + 60_000 })
        yield* add(9, { phase: "done", due_at: null })
        yield* add(1, { campaign_id: "camp_000002", due_at })
        const under = { campaign_id: camp, status: "in_progress", started_at: 5, attempt_number: 3 } as const
        yield* attempts.insert(
          makeAttempt(1, { ...under, recipient_id: makeRecipient(2).id, answered_at: 7 })
        )
        yield* attempts.insert(
          makeAttempt(2, { ...under, recipient_id: makeRecipient(3).id, status: "failed" })
        )
        yield* attempts.insert(makeAttempt(3, { ...under, campaign_id: "camp_000002" }))
        const open = yield* recipients.open(ws, camp)
        assert.sameDeepMembers(
          [...open.waiting],
          [
            { timezone: null, attempts: 0, due_at: null, count: 2 },
            { timezone: "Asia/Kolkata", attempts: 0, due_at: null, count: 3 },
            { timezone: null, attempts: 2, due_at: due_at + 2_000, count: 2 },
            { timezone: "Asia/Kolkata", attempts: 1, due_at: due_at + 3_000, count: 1 },
            { timezone: "Asia/Kolkata", attempts: 2, due_at: due_at + 60_000, count: 1 }
          ]
        )
        assert.deepStrictEqual(open.calls, [
          { timezone: "Asia/Kolkata", attempts: 3, started_at: 5, answered_at: 7 }
        ])
        assert.deepStrictEqual(yield* recipients.open(other, camp), { waiting: [], calls: [] })
      })
    )

    check("wait in the queue of their timezone, oldest first; each zone is told once", ({ recipients }) =>
      Effect.gen(function* () {
        const zones = [null, "Asia/Kolkata", "Europe/Paris", "Europe/Paris2", "America/New_York"]
        const recipient = (n: number) => makeRecipient(n, { timezone: zones[n % 5]! })
        yield* recipients.insert(upTo(50).map((n) => recipient((n * 7) % 50)))
        yield* recipients.insert([makeRecipient(60, { timezone: "Asia/Tokyo", status: "skipped" })])
        yield* recipients.insert([makeRecipient(61, { timezone: "Asia/Tokyo", customer_id: other })])
        assert.sameMembers([...(yield* recipients.zones(ws, camp))], zones)
        assert.deepStrictEqual(yield* recipients.zones(other, camp), ["Asia/Tokyo"])
        assert.deepStrictEqual(yield* recipients.pending(ws, camp, null, 3), [0, 5, 10].map(recipient))
        assert.deepStrictEqual(
          ids(yield* recipients.pending(ws, camp, "Europe/Paris", 99)),
          [2, 7, 12, 17, 22, 27, 32, 37, 42, 47]
        )
        assert.deepStrictEqual(yield* recipients.pending(ws, camp, "Asia/Tokyo", 9), [])
        assert.deepStrictEqual(yield* recipients.pending(ws, camp, "Asia", 9), [])
        for (const n of upTo(50)) {
          if (n % 5 < 2) yield* recipients.update({ ...recipient(n), status: "in_progress" })
        }
        yield* recipients.update({ ...recipient(2), status: "in_progress" })
        assert.sameMembers([...(yield* recipients.zones(ws, camp))], zones.slice(2))
        assert.deepStrictEqual(ids(yield* recipients.pending(ws, camp, "Europe/Paris", 2)), [7, 12])
        assert.deepStrictEqual(yield* recipients.pending(ws, camp, null, 9), [])
        yield* recipients.update({ ...recipient(0), status: "pending" })
        assert.sameMembers([...(yield* recipients.zones(ws, camp))], [null, ...zones.slice(2)])
        yield* recipients.skip(ws, camp, start, 99)
        assert.deepStrictEqual(yield* recipients.zones(ws, camp), [])
      })
    )

    check("are updated in what becomes of them, all else stays", ({ recipients }) =>
      Effect.gen(function* () {
        yield* recipients.insert([makeRecipient(1, { timezone: "Asia/Kolkata" }), makeRecipient(2)])
        const changed = {
          status: full.status,
          call_id: full.call_id,
          outcome: full.outcome,
          next_action_at: full.next_action_at,
          updated_at: full.updated_at
        }
        yield* recipients.update({
          ...makeRecipient(1),
          ...changed,
          phone_number: makeRecipient(2).phone_number,
          timezone: "Asia/Tokyo",
          variables: RawJson("{}"),
          created_at: 1
        })
        assertSome(
          yield* recipients.get(ws, camp, "rcpt_000001"),
          makeRecipient(1, { timezone: "Asia/Kolkata", ...changed })
        )
        assertSome(yield* recipients.get(ws, camp, "rcpt_000002"), makeRecipient(2))
        yield* recipients.update(makeRecipient(3))
        assert.strictEqual((yield* recipients.list(ws, camp, {}, page)).total, 2)
      })
    )

    check("are updated together, be they of one campaign or of several", ({ recipients }) =>
      Effect.gen(function* () {
        const elsewhere = makeRecipient(3, { campaign_id: "camp_000002" })
        yield* recipients.insert([makeRecipient(1), makeRecipient(2)])
        yield* recipients.insert([elsewhere])
        const done = { status: "completed", updated_at: start + 9 } as const
        const changed = [
          { ...makeRecipient(2), ...done },
          { ...elsewhere, ...done }
        ] as const
        yield* recipients.update(...changed)
        for (const recipient of [makeRecipient(1), ...changed]) {
          assertSome(yield* recipients.get(ws, recipient.campaign_id, recipient.id), recipient)
        }
      })
    )

    check(
      "whom a messaging campaign has written to are heard, and the latest they said counts",
      (repository) =>
        Effect.gen(function* () {
          const { campaigns, recipients } = repository
          const { phone_number } = makeRecipient(1)
          const of = (n: number, campaign: number, over: Partial<Recipient> = {}) =>
            makeRecipient(n, {
              campaign_id: `camp_00000${campaign}`,
              phone_number,
              call_id: `msg_${n}`,
              ...over
            })
          for (const [n, over] of [
            [1, {}],
            [2, { from_phone_number_id: "pn_2" }],
            [3, { channel: "voice" }],
            [4, {}],
            [5, {}]
          ] as const) {
            yield* campaigns.insert(makeState(n, { channel: "msg", ...over }))
          }
          yield* campaigns.insert(makeState(1, { channel: "msg", customer_id: other }))
          const written = [
            of(1, 1, { status: "completed" }),
            of(2, 2),
            of(3, 3),
            of(4, 4, { status: "in_progress" }),
            of(5, 5, { call_id: null })
          ]
          const neighbour = makeRecipient(6, { call_id: "msg_6" })
          const stranger = of(7, 1, { customer_id: other })
          yield* recipients.insert([...written, neighbour, stranger])
          const heard = Effect.map(
            Effect.forEach([...written, neighbour, stranger], ({ campaign_id, customer_id, id }) =>
              recipients.get(customer_id, campaign_id, id)
            ),
            (found) => found.map((each) => Option.getOrThrow(each).last_customer_message_at)
          )
          const hear = (at: number, number = phone_number, from = "pn_1", text: string | null = null) =>
            recipients.heard(ws, from, number, at, text)
          yield* hear(start + 50)
          assert.deepStrictEqual(yield* heard, [start + 50, null, null, start + 50, null, null, null])
          yield* hear(start + 20)
          yield* hear(start + 50)
          assert.deepStrictEqual(yield* heard, [start + 50, null, null, start + 50, null, null, null])
          yield* hear(start + 60, phone_number, "pn_2")
          yield* hear(start + 70, phone_number, "pn_3")
          yield* hear(start + 80, "+14155559999")
          assert.deepStrictEqual(yield* heard, [start + 50, start + 60, null, start + 50, null, null, null])
          yield* recipients.heard(other, "pn_1", phone_number, start + 90, null)
          assert.deepStrictEqual((yield* heard).at(-1), start + 90)
          yield* hear(start + 91, phone_number, "pn_1", "Yes, 9 o'clock \u{1f600}")
          yield* hear(start + 90, phone_number, "pn_1", "Too late")
          yield* hear(endOfTime)
          const last_customer_message = "Yes, 9 o'clock \u{1f600}"
          assertSome(yield* recipients.get(ws, camp, written[0]!.id), {
            ...written[0]!,
            last_customer_message_at: endOfTime,
            last_customer_message
          })
          // What becomes of them later leaves it as it is, and so do lists.
          const failed = { ...written[0]!, status: "failed", last_customer_message_at: null } as const
          yield* recipients.update({ ...failed, last_customer_message: null })
          yield* recipients.skip(ws, camp, start, 9)
          const [known] = (yield* recipients.list(ws, camp, { status: "failed" }, page)).data
          assert.deepInclude(known, {
            status: "failed",
            last_customer_message_at: endOfTime,
            last_customer_message
          })
        })
    )

    check("that are pending are skipped, so many at a time", ({ recipients }) =>
      Effect.gen(function* () {
        yield* recipients.insert(
          upTo(20).map((n) =>
            makeRecipient(n, {
              status: n % 4 === 0 ? "completed" : "pending",
              timezone: n % 3 === 0 ? "Asia/Kolkata" : null,
              next_action_at: n
            })
          )
        )
        yield* recipients.insert([makeRecipient(21, { campaign_id: "camp_000002" })])
        assert.strictEqual(yield* recipients.skip(ws, camp, start + 99, 4), 4)
        assert.strictEqual((yield* recipients.list(ws, camp, { status: "pending" }, page)).total, 11)
        assert.strictEqual(yield* recipients.skip(ws, camp, start + 99, 100), 11)
        assert.strictEqual(yield* recipients.skip(ws, camp, start + 99, 100), 0)
        assert.deepStrictEqual(
          (yield* recipients.list(ws, camp, {}, page)).data.toReversed(),
          upTo(20).map((n) =>
            makeRecipient(n, {
              status: n % 4 === 0 ? "completed" : "skipped",
              timezone: n % 3 === 0 ? "Asia/Kolkata" : null,
              next_action_at: n,
              updated_at: n % 4 === 0 ? start + n : start + 99
            })
          )
        )
        assert.strictEqual((yield* recipients.list(ws, "camp_000002", { status: "pending" }, page)).total, 1)
      })
    )

    check("are as before when a unit fails, and their numbers free again", ({ recipients, transaction }) =>
      Effect.gen(function* () {
        yield* recipients.insert([full, makeRecipient(2)])
        const exit = yield* Effect.exit(
          transaction(
            ws,
            Effect.gen(function* () {
              yield* recipients.insert([makeRecipient(3, { timezone: "Asia/Kolkata" })])
              yield* recipients.insert([makeRecipient(4, { campaign_id: "camp_000002" })])
              yield* recipients.update({ ...full, status: "completed", outcome: null })
              assert.deepStrictEqual(yield* recipients.zones(ws, camp), [null, "Asia/Kolkata"])
              assert.strictEqual(yield* recipients.skip(ws, camp, 1, 9), 2)
              return yield* Effect.fail("no")
            })
          )
        )
        assert.deepStrictEqual(exit, Exit.fail("no"))
        assert.deepStrictEqual(yield* recipients.list(ws, camp, {}, page), {
          data: [makeRecipient(2), full],
          total: 2
        })
        assert.deepStrictEqual(yield* recipients.zones(ws, camp), [null])
        assert.deepStrictEqual(yield* recipients.pending(ws, camp, null, 9), [makeRecipient(2)])
        assert.deepStrictEqual(ids((yield* recipients.list(ws, camp, { status: "pending" }, page)).data), [2])
        assert.deepStrictEqual(
          yield* recipients.insert([
            makeRecipient(5, { phone_number: makeRecipient(3).phone_number }),
            makeRecipient(6, { phone_number: makeRecipient(4).phone_number, campaign_id: "camp_000002" })
          ]),
          [null, null]
        )
        assert.isTrue(Option.isSome(yield* recipients.get(ws, "camp_000002", "rcpt_000006")))
      })
    )
  })
