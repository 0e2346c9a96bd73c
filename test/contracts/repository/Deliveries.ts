import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect, Option } from "effect"
import type { Delivery } from "../../../core/model/webhooks/Webhook.ts"
import type { ClaimedDelivery } from "../../../core/ports/DeliveryRows.ts"
import type { Repository } from "../../../core/ports/Repository.ts"
import type { Check } from "./Check.ts"
import { makeDelivery, makeEvent, makeWebhook, other, page, settle, start, ws } from "./Fixtures.ts"

const webhook = "whk_000001"

/** Event n with its delivery n, in the lane of the call. */
const append = (
  { deliveries }: Repository["Type"],
  n: number,
  subject_id = "call_000001",
  over: Partial<Delivery> = {}
) =>
  deliveries.append([
    { event: makeEvent(n, { subject_id }), deliveries: [makeDelivery(n, { subject_id, ...over })] }
  ])

const nextOf = (claimed: Option.Option<ClaimedDelivery>) => Option.map(claimed, ({ delivery }) => delivery.id)

const timeOf = ({ deliveries }: Repository["Type"], n: number) =>
  Effect.map(deliveries.get(ws, makeDelivery(n).id), (found) => Option.getOrThrow(found).next_attempt_at)

const delivered = (n: number, over: Partial<Delivery> = {}) =>
  makeDelivery(n, {
    status: "delivered",
    attempts: 1,
    response_status: 204,
    delivered_at: start + 50,
    updated_at: start + 50,
    ...over
  })

export const deliveryRows = (check: Check) =>
  describe("deliveries", () => {
    check("make the first of a lane due at once, the others wait", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        yield* append(repository, 1)
        yield* append(repository, 2)
        yield* append(repository, 3, "call_000002")
        yield* deliveries.append([
          {
            event: makeEvent(4),
            deliveries: [
              makeDelivery(4),
              makeDelivery(5, { event_id: "evt_000004", webhook_id: "whk_000002" })
            ]
          }
        ])
        assert.deepStrictEqual(yield* Effect.forEach([1, 2, 3, 4, 5], (n) => timeOf(repository, n)), [
          start + 1,
          null,
          start + 3,
          null,
          start + 4
        ])
        assertSome(yield* deliveries.get(ws, "dlv_000001"), makeDelivery(1, { next_attempt_at: start + 1 }))
        assertNone(yield* deliveries.get(other, "dlv_000001"))
      })
    )

    check("of several events at once are in their lanes as if they had come one by one", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        const both = (n: number, subject_id: string) => ({
          event: makeEvent(n, { subject_id }),
          deliveries: [
            makeDelivery(n, { subject_id }),
            makeDelivery(n + 10, { subject_id, event_id: makeEvent(n).id, webhook_id: "whk_000002" })
          ]
        })
        yield* append(repository, 1)
        yield* deliveries.append([])
        yield* deliveries.append([both(2, "call_000001"), both(3, "call_000001"), both(4, "call_000002")])
        assert.deepStrictEqual(
          yield* Effect.forEach([1, 2, 3, 4, 12, 13, 14], (n) => timeOf(repository, n)),
          [start + 1, null, null, start + 4, start + 2, null, start + 4]
        )
        const claimed = yield* deliveries.claim(ws, webhook, start + 99, start + 100, 9)
        assert.deepStrictEqual(
          claimed.map(({ body, delivery }) => [delivery.id, body]),
          [1, 4].map((n) => [makeDelivery(n).id, makeEvent(n).body])
        )
        assert.deepStrictEqual(
          nextOf(yield* settle(deliveries, delivered(1), start + 100)),
          Option.some("dlv_000002")
        )
      })
    )

    check("store an event that no webhook receives", ({ deliveries }) =>
      Effect.gen(function* () {
        yield* deliveries.append([{ event: makeEvent(1), deliveries: [] }])
        assert.deepStrictEqual(yield* deliveries.list(ws, { webhook_id: webhook }, page), {
          data: [],
          total: 0
        })
      })
    )

    check("are claimed when due, earliest first, each once, with the event's body", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [3, 1, 2]) yield* append(repository, n, `call_${n}`)
        yield* append(repository, 4, "call_1")
        assert.deepStrictEqual(yield* deliveries.claim(other, webhook, start + 99, 0, 9), [])
        assert.deepStrictEqual(yield* deliveries.claim(ws, "whk_000002", start + 99, 0, 9), [])
        assert.deepStrictEqual(yield* deliveries.claim(ws, webhook, start, start + 99, 9), [])
        const until = start + 1_000
        assert.deepStrictEqual(yield* deliveries.claim(ws, webhook, start + 10, until, 2), [
          {
            delivery: makeDelivery(1, { subject_id: "call_1", next_attempt_at: until }),
            body: makeEvent(1).body
          },
          {
            delivery: makeDelivery(2, { subject_id: "call_2", next_attempt_at: until }),
            body: makeEvent(2).body
          }
        ])
        const rest = yield* deliveries.claim(ws, webhook, start + 10, until, 9)
        assert.deepStrictEqual(
          rest.map(({ delivery }) => delivery.id),
          ["dlv_000003"]
        )
        assert.deepStrictEqual(yield* deliveries.claim(ws, webhook, until - 1, until, 9), [])
        assert.strictEqual((yield* deliveries.claim(ws, webhook, until, until + 1, 9)).length, 3)
      })
    )

    check("are claimed by one of many claimants each", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (let n = 0; n < 60; n++) yield* append(repository, n, `call_${n}`)
        const claims = yield* Effect.replicateEffect(
          deliveries.claim(ws, webhook, start + 99, start + 1_000, 7),
          20,
          { concurrency: "unbounded" }
        )
        const claimed = claims.flat().map(({ delivery }) => delivery.id)
        assert.strictEqual(claimed.length, 60)
        assert.strictEqual(new Set(claimed).size, 60)
      })
    )

    check("hand the lane on once delivered or dead, in the order of ids", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        yield* append(repository, 1)
        yield* append(repository, 3)
        yield* append(repository, 2)
        yield* append(repository, 4, "call_000002")
        const until = start + 500
        const second = yield* settle(deliveries, delivered(1, { next_attempt_at: start + 90 }), until)
        assertSome(second, { delivery: makeDelivery(2, { next_attempt_at: until }), body: makeEvent(2).body })
        assertSome(yield* deliveries.get(ws, "dlv_000001"), delivered(1))
        assert.strictEqual(yield* timeOf(repository, 2), until)
        assert.strictEqual(yield* timeOf(repository, 3), null)
        const third = yield* settle(
          deliveries,
          makeDelivery(2, { status: "dead", attempts: 10, last_error: "timed out" }),
          until
        )
        assertSome(nextOf(third), "dlv_000003")
        assertNone(yield* settle(deliveries, delivered(3), until))
      })
    )

    check("hand on several lanes at once, each once, and tell each try what is behind it", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 3, 5]) yield* append(repository, n)
        for (const n of [2, 4]) yield* append(repository, n, "call_000002")
        yield* append(repository, 6, "call_000003")
        // Redelivered, it is under way beside the head of its lane.
        yield* deliveries.redeliver(makeDelivery(3, { next_attempt_at: start + 9 }))
        const of = (n: number, over: Partial<Delivery> = {}) => ({
          delivery: delivered(n, over),
          response_body: null,
          until: start + 500 + n
        })
        const later = { status: "pending", delivered_at: null, next_attempt_at: start + 900 } as const
        const heads = yield* deliveries.settle(ws, [
          of(1),
          of(2, { subject_id: "call_000002" }),
          of(3),
          of(6, { subject_id: "call_000003", ...later }),
          of(9)
        ])
        const [first, second, ...others] = heads.map(nextOf)
        assertSome(second!, "dlv_000004")
        assert.strictEqual(yield* timeOf(repository, 4), start + 502)
        assert.deepStrictEqual(
          [first!, ...others].filter(Option.isSome).map(({ value }) => value),
          ["dlv_000005"]
        )
        assert.strictEqual(others.length, 3)
        assert.strictEqual(yield* timeOf(repository, 6), start + 900)
        assert.deepStrictEqual(yield* deliveries.settle(ws, []), [])
      })
    )

    check("stay at the head of their lane while a try is to be repeated", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        yield* append(repository, 1)
        yield* append(repository, 2)
        const again = makeDelivery(1, {
          attempts: 1,
          response_status: 500,
          last_error: "HTTP 500",
          next_attempt_at: start + 5_000,
          updated_at: start + 60
        })
        assertNone(yield* settle(deliveries, again, start + 99))
        assertSome(yield* deliveries.get(ws, "dlv_000001"), again)
        assert.deepStrictEqual(yield* deliveries.claim(ws, webhook, start + 4_999, start, 9), [])
        assert.strictEqual((yield* deliveries.claim(ws, webhook, start + 5_000, start + 9_999, 9)).length, 1)
      })
    )

    check("are settled once: what is no longer pending, or another's, is left alone", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 2, 3]) yield* append(repository, n)
        assertNone(yield* settle(deliveries, delivered(1, { customer_id: other }), start))
        yield* settle(deliveries, delivered(1), start + 99)
        assertNone(yield* settle(deliveries, makeDelivery(1, { status: "dead", attempts: 7 }), start + 99))
        assertSome(yield* deliveries.get(ws, "dlv_000001"), delivered(1))
        assert.strictEqual(yield* timeOf(repository, 3), null)
        assertNone(yield* settle(deliveries, delivered(9), start))
      })
    )

    check("are tried again whatever their lane does, and disturb nothing in it", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 2, 3]) yield* append(repository, n)
        yield* settle(deliveries, makeDelivery(1, { status: "dead", attempts: 10 }), start + 500)
        yield* deliveries.redeliver(makeDelivery(1, { attempts: 0, next_attempt_at: start + 60 }))
        yield* deliveries.redeliver(makeDelivery(2, { customer_id: other, next_attempt_at: start + 1 }))
        const claimed = yield* deliveries.claim(ws, webhook, start + 60, start + 600, 9)
        assert.deepStrictEqual(
          claimed.map(({ delivery }) => delivery.id),
          ["dlv_000001"]
        )
        // The second is under way already: it is neither handed out twice nor overtaken.
        assertNone(yield* settle(deliveries, delivered(1), start + 700))
        assert.strictEqual(yield* timeOf(repository, 2), start + 500)
        assert.strictEqual(yield* timeOf(repository, 3), null)
        assertSome(nextOf(yield* settle(deliveries, delivered(2), start + 700)), "dlv_000003")
      })
    )

    check("never strand a lane, in whatever order its members end", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        yield* append(repository, 1)
        yield* settle(deliveries, makeDelivery(1, { status: "dead" }), start)
        yield* append(repository, 2)
        yield* deliveries.redeliver(makeDelivery(1, { next_attempt_at: start + 5 }))
        yield* append(repository, 3)
        yield* settle(deliveries, delivered(2), start + 500)
        const next = nextOf(yield* settle(deliveries, delivered(1), start + 500))
        assertSome(next, "dlv_000003")
      })
    )

    check("become dead together when their endpoint is given up", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 2]) yield* append(repository, n)
        yield* append(repository, 3, "call_000002", { webhook_id: "whk_000002" })
        yield* append(repository, 4, "call_000003")
        yield* settle(deliveries, delivered(4), start)
        assert.strictEqual(yield* deliveries.bury(other, webhook, start + 70), 0)
        assert.strictEqual(yield* deliveries.bury(ws, webhook, start + 70), 2)
        assert.strictEqual(yield* deliveries.bury(ws, webhook, start + 80), 0)
        assert.deepStrictEqual(yield* deliveries.claim(ws, webhook, start + 99, start, 9), [])
        assertSome(
          yield* deliveries.get(ws, "dlv_000001"),
          makeDelivery(1, { status: "dead", updated_at: start + 70 })
        )
        assert.strictEqual(yield* timeOf(repository, 3), start + 3)
        yield* append(repository, 5)
        assert.strictEqual(yield* timeOf(repository, 5), start + 5)
      })
    )

    check("are listed by endpoint and status, newest first", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 2, 3]) yield* append(repository, n, `call_${n}`)
        yield* append(repository, 4, "call_4", { webhook_id: "whk_000002" })
        yield* settle(deliveries, delivered(2), start)
        const list = (status?: Delivery["status"], request = page) =>
          Effect.map(deliveries.list(ws, { webhook_id: webhook, status }, request), ({ data, total }) => ({
            ids: data.map(({ id }) => Number(id.slice(4))),
            total
          }))
        assert.deepStrictEqual(yield* list(), { ids: [3, 2, 1], total: 3 })
        assert.deepStrictEqual(yield* list("pending"), { ids: [3, 1], total: 2 })
        assert.deepStrictEqual(yield* list("delivered"), { ids: [2], total: 1 })
        assert.deepStrictEqual(yield* list("dead"), { ids: [], total: 0 })
        assert.deepStrictEqual(yield* list(undefined, { limit: 1, offset: 1 }), { ids: [2], total: 3 })
        assert.deepStrictEqual(yield* deliveries.list(other, { webhook_id: webhook }, page), {
          data: [],
          total: 0
        })
      })
    )

    check("are listed by call, which campaigns and tests of an endpoint are not", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        yield* append(repository, 1)
        yield* append(repository, 2, "call_000002")
        yield* append(repository, 3, "call_000001", { event_type: "call_completed" })
        yield* append(repository, 4, "call_000001", { webhook_id: "whk_000002" })
        yield* append(repository, 5, "camp_1", { event_type: "campaign_paused", call_id: null })
        yield* settle(deliveries, delivered(1), start)
        const list = (call_id: string, status?: Delivery["status"]) =>
          Effect.map(
            deliveries.list(ws, { webhook_id: webhook, call_id, status }, page),
            ({ data, total }) => ({ ids: data.map(({ id }) => Number(id.slice(4))), total })
          )
        assert.deepStrictEqual(yield* list("call_000001"), { ids: [3, 1], total: 2 })
        assert.deepStrictEqual(yield* list("call_000001", "pending"), { ids: [3], total: 1 })
        assert.deepStrictEqual(yield* list("call_000003"), { ids: [], total: 0 })
        assert.deepStrictEqual(yield* list("camp_1"), { ids: [], total: 0 })
        const elsewhere = yield* deliveries.list(other, { webhook_id: webhook, call_id: "call_000001" }, page)
        assert.strictEqual(elsewhere.total, 0)
      })
    )

    check("tell what was sent, and what the last try was answered", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        yield* append(repository, 1)
        const request_body = makeEvent(1).body
        assertSome(yield* deliveries.bodies(ws, "dlv_000001"), { request_body, response_body: null })
        assertNone(yield* deliveries.bodies(other, "dlv_000001"))
        assertNone(yield* deliveries.bodies(ws, "dlv_000002"))
        const failed = makeDelivery(1, { attempts: 1, response_status: 500, next_attempt_at: start + 60 })
        yield* settle(deliveries, failed, start + 99, "no “room” 🎿")
        assertSome(yield* deliveries.bodies(ws, "dlv_000001"), {
          request_body,
          response_body: "no “room” 🎿"
        })
        yield* settle(deliveries, delivered(1), start + 99)
        assertSome(yield* deliveries.bodies(ws, "dlv_000001"), { request_body, response_body: null })
      })
    )

    check("of other subjects than calls name no call, and have lanes of their own", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        const of = { subject_id: "camp_000001", event_type: "campaign_started" } as const
        yield* deliveries.append([
          { event: makeEvent(1, of), deliveries: [makeDelivery(1, { ...of, call_id: null })] }
        ])
        yield* append(repository, 2)
        assert.deepStrictEqual(yield* Effect.forEach([1, 2], (n) => timeOf(repository, n)), [
          start + 1,
          start + 2
        ])
        const { data } = yield* deliveries.list(ws, { webhook_id: webhook }, page)
        assert.deepStrictEqual(
          data.map(({ call_id, subject_id }) => [call_id, subject_id]),
          [
            ["call_000001", "call_000001"],
            [null, "camp_000001"]
          ]
        )
      })
    )

    check("are sent once more from one on, piece by piece, each lane in order", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 2, 3, 5]) yield* append(repository, n)
        yield* append(repository, 4, "call_000002")
        yield* append(repository, 6, "call_000003", { webhook_id: "whk_000002" })
        for (const n of [1, 2, 3]) yield* settle(deliveries, delivered(n), start)
        yield* settle(deliveries, delivered(4, { status: "dead" }), start)
        const again = (from: string, limit: number) =>
          deliveries.redeliverFrom(ws, webhook, from, ["delivered", "dead"], start + 80, limit)
        const newest = (before: string | null, limit: number) =>
          Effect.map(deliveries.newest(ws, webhook, before, limit), (found) => found.map(({ id }) => id))
        assert.deepStrictEqual(yield* newest(null, 2), ["dlv_000005", "dlv_000004"])
        assert.deepStrictEqual(yield* newest("dlv_000004", 9), ["dlv_000003", "dlv_000002", "dlv_000001"])

        const nothing = yield* deliveries.redeliverFrom(other, webhook, "dlv_000002", ["dead"], start, 2)
        assert.deepStrictEqual(nothing, { redelivered: 0, next: null })
        assert.deepStrictEqual(yield* again("dlv_000002", 2), { redelivered: 2, next: "dlv_000004" })
        assert.deepStrictEqual(yield* again("dlv_000004", 2), { redelivered: 1, next: null })
        assertSome(
          yield* deliveries.get(ws, "dlv_000002"),
          makeDelivery(2, { response_status: 204, next_attempt_at: start + 80, updated_at: start + 80 })
        )
        const times = yield* Effect.forEach([1, 2, 3, 4], (n) => timeOf(repository, n))
        assert.deepStrictEqual(times, [null, start + 80, null, start + 80])
        const claimed = yield* deliveries.claim(ws, webhook, start + 80, start + 500, 9)
        assert.includeMembers(
          claimed.map(({ delivery }) => delivery.id),
          ["dlv_000002", "dlv_000004"]
        )
        const behind = yield* settle(deliveries, delivered(2), start + 500)
        assertSome(nextOf(behind), "dlv_000003")
        const only = yield* deliveries.redeliverFrom(ws, webhook, "dlv_000001", ["dead"], start + 90, 9)
        assert.strictEqual(only.redelivered, 0)
      })
    )

    check("are forgotten by age with their events, unless they are pending", (repository) =>
      Effect.gen(function* () {
        const { deliveries } = repository
        for (const n of [1, 2, 3, 4]) yield* append(repository, n, `call_${n}`)
        for (const n of [1, 3, 4]) yield* settle(deliveries, delivered(n), start)
        const kept = Effect.map(deliveries.list(ws, { webhook_id: webhook }, page), ({ data }) =>
          data.map(({ id }) => id)
        )
        assert.isFalse(yield* deliveries.forget(ws, start, 9))
        assert.isFalse(yield* deliveries.forget(other, start + 99, 9))
        assert.isTrue(yield* deliveries.forget(ws, start + 3, 2))
        assert.deepStrictEqual(yield* kept, ["dlv_000004", "dlv_000003", "dlv_000002"])
        while (yield* deliveries.forget(ws, start + 3, 2));
        assert.deepStrictEqual(yield* kept, ["dlv_000004", "dlv_000002"])
        assertNone(yield* deliveries.bodies(ws, "dlv_000003"))
        assert.isTrue(Option.isSome(yield* deliveries.bodies(ws, "dlv_000002")))
        const redelivered = yield* deliveries.claim(ws, webhook, start + 9, start + 99, 9)
        assert.deepStrictEqual(
          redelivered.map(({ body }) => body),
          [makeEvent(2).body]
        )
      })
    )

    check("tell when the next one of an active endpoint is due", (repository) =>
      Effect.gen(function* () {
        const { deliveries, webhooks } = repository
        assertNone(yield* deliveries.nextDue(ws))
        yield* webhooks.insert(makeWebhook(1))
        yield* webhooks.insert(makeWebhook(2))
        yield* append(repository, 2, "call_000002")
        yield* append(repository, 1, "call_000001", { webhook_id: "whk_000002" })
        assertSome(yield* deliveries.nextDue(ws), start + 1)
        yield* webhooks.update(makeWebhook(2, { status: "disabled", disabled_reason: "user" }))
        assertSome(yield* deliveries.nextDue(ws), start + 2)
        assertNone(yield* deliveries.nextDue(other))
        yield* deliveries.claim(ws, webhook, start + 9, start + 800, 1)
        assertSome(yield* deliveries.nextDue(ws), start + 800)
        yield* settle(deliveries, delivered(2), start)
        assertNone(yield* deliveries.nextDue(ws))
      })
    )
  })
