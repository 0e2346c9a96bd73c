import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, TestClock } from "effect"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { fromJson } from "../../../core/model/calls/PlaceCall.ts"
import type { DeliveryResult, WebhookMessage } from "../../../core/ports/WebhookSink.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Webhooks } from "../../../core/usecases/Webhooks.ts"
import * as Platform from "../../Platform.ts"

const failed = (status: number | null, retry_after: number | null = null): DeliveryResult => ({
  _tag: "Failed",
  status,
  error: status === null ? "timeout" : `http ${status}`,
  retry_after
})
const acknowledged: DeliveryResult = { _tag: "Acknowledged", status: 204 }

interface Event {
  readonly id: string
  readonly event_type: string
  readonly call_id: string
}
const eventOf = (message: WebhookMessage) => JSON.parse(message.body) as Event

const inOrder = ["call_started", "call_completed", "recording_completed"]

/** What was acknowledged, by call, in the order in which it arrived. */
const received = Effect.gen(function* () {
  const byCall = new Map<string, Array<string>>()
  for (const { message, result } of yield* (yield* WebhookInbox).entries) {
    if (result._tag !== "Acknowledged") continue
    const { call_id, event_type } = eventOf(message)
    byCall.set(call_id, [...(byCall.get(call_id) ?? []), event_type])
  }
  return byCall
})

const allDeliveries = Effect.fnUntraced(function* (tenant: Platform.Tenant) {
  const page = yield* (yield* Webhooks).deliveries(
    tenant.workspace.id,
    tenant.webhook.id,
    {},
    { limit: 100, offset: 0 }
  )
  return page.data
})

describe("webhook lanes", () => {
  it.scoped(
    "metadata reaches every receiver byte for byte, whatever the store and the retries in between",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const inbox = yield* WebhookInbox
        let tries = 0
        yield* inbox.respond(() => (tries++ % 2 === 0 ? failed(500) : acknowledged))
        const texts = [
          '{"b":1.0,"a":1e400}',
          '{"id":12345678901234567890,"id":12345678901234567891}',
          '{ "spaced" : [ 1 ,2 ] }',
          '{"\\u00e9":"é\\ud83d\\ude00😀","__proto__":{"x":1}}'
        ]
        const calls = yield* Calls
        const sent = new Map<string, string>()
        for (const metadata of texts) {
          const request = yield* fromJson(
            `{"agent_id":"${tenant.agent.id}","to_number":"+14155550123","metadata":${metadata}}`
          )
          sent.set((yield* calls.place(tenant.workspace.id, request)).call_id, metadata)
        }
        for (let i = 0; i < 10; i++) yield* TestClock.adjust("1 minute")
        const entries = yield* inbox.entries
        assert.isAtLeast(entries.length, texts.length * 3)
        for (const { message } of entries) {
          assert.include(message.body, `"metadata":${sent.get(eventOf(message).call_id)},"data":{`)
        }
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "a receiver that is down is tried on schedule, and gets every event in order once it is back",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const inbox = yield* WebhookInbox
        yield* inbox.respond(() => failed(500))
        const { call_id } = yield* Platform.place(tenant, "0123")
        yield* TestClock.adjust("10 minutes")
        yield* TestClock.adjust("75 hours")
        const tries = (yield* inbox.entries).map(({ at, message }) => ({ at, ...eventOf(message) }))
        assert.deepStrictEqual(
          [...new Set(tries.map(({ event_type }) => event_type))],
          ["call_started"],
          "what comes behind waits for the head of its lane"
        )
        const waits = tries.slice(1).map(({ at }, i) => (at - tries[i]!.at) / 60_000)
        const schedule = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440]
        waits.forEach((wait, i) => {
          assert.isAtLeast(wait, schedule[i]!)
          assert.isAtMost(wait, schedule[i]! * 1.1 + 0.001)
        })
        yield* inbox.respond(() => acknowledged)
        yield* TestClock.adjust("27 hours")
        assert.deepStrictEqual((yield* received).get(call_id), inOrder)
        const call = yield* (yield* Calls).get(tenant.workspace.id, call_id)
        assert.strictEqual(call.status, "completed", "the call itself is not affected")
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "after the last try an event is dead, the next of its lane goes out, and it can be sent again",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const inbox = yield* WebhookInbox
        yield* inbox.respond((message) =>
          eventOf(message).event_type === "call_started" ? failed(null) : acknowledged
        )
        const { call_id } = yield* Platform.place(tenant, "0123")
        for (let i = 0; i < 12; i++) yield* TestClock.adjust("26 hours")
        assert.deepStrictEqual((yield* received).get(call_id), ["call_completed", "recording_completed"])
        const dead = (yield* allDeliveries(tenant)).find(({ status }) => status === "dead")
        assert.deepStrictEqual(
          [dead?.event_type, dead?.attempts, dead?.last_error],
          ["call_started", 10, "timeout"]
        )
        yield* inbox.respond(() => acknowledged)
        yield* (yield* Webhooks).redeliver(tenant.workspace.id, tenant.webhook.id, dead!.id)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* received).get(call_id)?.at(-1), "call_started")
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a call whose events are refused holds up no other call", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      const blocked = yield* Platform.place(tenant, "0123")
      yield* inbox.respond((message) =>
        eventOf(message).call_id === blocked.call_id ? failed(500) : acknowledged
      )
      const others = yield* Effect.forEach(Array.from({ length: 200 }), () => Platform.place(tenant, "0123"))
      yield* TestClock.adjust("2 minutes")
      const byCall = yield* received
      for (const { call_id } of others) assert.deepStrictEqual(byCall.get(call_id), inOrder)
      assert.isUndefined(byCall.get(blocked.call_id))
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("endpoints that hang share what one workspace may have under way", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const webhooks = yield* Webhooks
      for (let i = 1; i < 8; i++) {
        yield* webhooks.create(tenant.workspace.id, {
          url: `https://hooks.example.com/${i}`,
          event_types: []
        })
      }
      const underWay = new Map<string, number>()
      const late = Effect.unsafeMakeLatch()
      yield* (yield* WebhookInbox).respond(({ webhook_id }) => {
        underWay.set(webhook_id, (underWay.get(webhook_id) ?? 0) + 1)
        return Effect.as(late.await, acknowledged)
      })
      yield* Effect.replicateEffect(Platform.place(tenant, "0123"), 140)
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(
        [...underWay.values()],
        Array.from({ length: 8 }, () => 64)
      )
      yield* late.open
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a receiver that answers slowly still gets each call's events one after the other", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      const underWay = new Map<string, number>()
      let overlap = 0
      yield* inbox.respond((message) => {
        const { call_id } = eventOf(message)
        return Effect.sync(() => {
          underWay.set(call_id, (underWay.get(call_id) ?? 0) + 1)
          overlap = Math.max(overlap, underWay.get(call_id)!)
        }).pipe(
          Effect.zipRight(Effect.sleep("14 seconds")),
          Effect.zipRight(
            Effect.sync(() => {
              underWay.set(call_id, underWay.get(call_id)! - 1)
              return acknowledged
            })
          )
        )
      })
      const calls = yield* Effect.forEach(Array.from({ length: 20 }), () => Platform.place(tenant, "0123"))
      yield* TestClock.adjust("5 minutes")
      const byCall = yield* received
      for (const { call_id } of calls) assert.deepStrictEqual(byCall.get(call_id), inOrder)
      assert.strictEqual(overlap, 1)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("410 disables the endpoint; what waited for it is dead, and new events are not kept for it", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      yield* inbox.respond(() => ({ _tag: "Gone", status: 410 }))
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("5 minutes")
      const [webhook] = (yield* (yield* Webhooks).list(tenant.workspace.id, { limit: 1, offset: 0 })).data
      assert.deepStrictEqual([webhook?.status, webhook?.disabled_reason], ["disabled", "gone"])
      const before = yield* allDeliveries(tenant)
      assert.isTrue(before.every(({ status }) => status === "dead"))
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual((yield* allDeliveries(tenant)).length, before.length)
      assert.strictEqual((yield* inbox.entries).length, 1)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("an endpoint that answers 410 is sent nothing of what waits behind it", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      yield* inbox.respond(() => failed(500))
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("5 minutes")
      const tries = (yield* inbox.entries).length
      assert.isAbove((yield* allDeliveries(tenant)).length, 1)
      yield* inbox.respond(() => ({ _tag: "Gone", status: 410 }))
      yield* TestClock.adjust("1 day")
      assert.strictEqual((yield* inbox.entries).length, tries + 1)
      assert.isTrue((yield* allDeliveries(tenant)).every(({ status }) => status === "dead"))
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("Retry-After is honoured when it is later than the schedule", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      yield* inbox.respond(() => failed(429, Duration.toMillis("1 hour")))
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("3 hours")
      const tries = (yield* inbox.entries).map(({ at }) => at)
      assert.isAtLeast(tries.length, 2)
      tries.slice(1).forEach((at, i) => assert.isAtLeast(at - tries[i]!, 3_600_000))
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("after a rotation both secrets sign for 24 hours, then the new one alone", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      const rotated = yield* (yield* Webhooks).rotate(tenant.workspace.id, tenant.webhook.id)
      assert.notStrictEqual(rotated.secret, tenant.webhook.secret)
      yield* Platform.place(tenant, "0001")
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust("24 hours")
      yield* Platform.place(tenant, "0001")
      yield* TestClock.adjust("1 minute")
      const secrets = (yield* inbox.entries).map(({ message }) => message.secrets)
      assert.deepStrictEqual(secrets, [[rotated.secret, tenant.webhook.secret], [rotated.secret]])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("an endpoint gets the kinds that it asked for, and no others", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const webhooks = yield* Webhooks
      yield* webhooks.update(tenant.workspace.id, tenant.webhook.id, { event_types: ["call_completed"] })
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("5 minutes")
      const entries = yield* (yield* WebhookInbox).entries
      assert.deepStrictEqual(
        entries.map(({ message }) => eventOf(message).event_type),
        ["call_completed"]
      )
    }).pipe(Effect.provide(Platform.layer()))
  )
})
