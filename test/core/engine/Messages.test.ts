import { Clock, Context, Effect, Layer, Option, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import * as SimulatedSender from "../../../adapters/simulated/SimulatedSender.ts"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import { inMemory } from "../../../apps/platform/InMemory.ts"
import { platform } from "../../../apps/platform/Platform.ts"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { isOpen } from "../../../core/model/calls/CallingWindow.ts"
import * as Machine from "../../../core/model/calls/CallMachine.ts"
import * as PlaceCall from "../../../core/model/calls/PlaceCall.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { DoNotCallList } from "../../../core/usecases/DoNotCallList.ts"
import { Recipients } from "../../../core/usecases/Recipients.ts"
import { Templates } from "../../../core/usecases/Templates.ts"
import * as Platform from "../../Platform.ts"
import * as Messaging from "./MessageTenant.ts"

const { attempts, campaign, json, messages, recipients, standing, start } = Messaging

const minutes = (count: number) => Effect.replicateEffect(TestClock.adjust("1 minute"), count)
const retries = (call_retry_config: object) => ({ call_config: json({ call_retry_config }) })
const balance = ({ workspace }: Messaging.Tenant) =>
  Effect.flatMap(Credits, (credits) => credits.balance(workspace.id))

describe("a messaging campaign", () => {
  it.scoped("sends every recipient one message, filled with what is known of them, and is completed", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const numbers = Platform.callees(30, "0123").map((number, i) => `${number.slice(0, -4)}${2_000 + i}`)
      const { id } = yield* campaign(tenant, numbers)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* messages, [])
      yield* start(tenant, id)
      yield* TestClock.adjust("1 minute")
      const sent = yield* messages
      assert.deepStrictEqual(
        Object.fromEntries(sent.map(({ parameters, to_number }) => [to_number, parameters.body.get("1")])),
        Object.fromEntries(numbers.map((number) => [number, number.slice(-4)]))
      )
      assert.strictEqual(sent.length, 30)
      for (const { from_number, template } of sent) {
        assert.deepStrictEqual([from_number, template], [tenant.number.number, "greeting"])
      }
      const { answered: _, ...counters } = yield* standing(tenant, id)
      assert.deepStrictEqual(counters, {
        status: "completed",
        reason: null,
        total: 30,
        pending: 0,
        in_progress: 0,
        retry_scheduled: 0,
        completed: 30,
        failed: 0,
        skipped: 0,
        attempts: 30
      })
      for (const attempt of yield* attempts(tenant, id)) {
        assert.deepInclude(attempt, { channel: "msg", status: "completed", outcome: "delivered", credits: 1 })
        assert.strictEqual(attempt.carrier_call_id, `simmsg_${attempt.id}`)
      }
      assert.strictEqual(yield* balance(tenant), 1_000 - 30)
      assert.deepStrictEqual(yield* (yield* Inbox.WebhookInbox).entries, [])
      const repository = yield* Repository
      assert.deepStrictEqual(yield* repository.workspaces.withWork, [])
      const listed = yield* (yield* Calls).list(tenant.workspace.id, {}, { limit: 9, offset: 0 })
      assert.deepStrictEqual(listed, { data: [], total: 0 })
      assert.strictEqual((yield* (yield* CarrierLedger).counts).dials, 0)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("retries what failed and nothing else, follows every outcome, and pays for what went out", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const digits = ["0123", "0003", "0005", "0007", "0008", "0009", "0010"]
      const numbers = digits.map((each, i) => Platform.callees(1, each, i)[0]!)
      const { id } = yield* campaign(tenant, numbers, retries({ retry_count: 2, retry_failed: 5 }))
      yield* start(tenant, id)
      yield* minutes(1)
      assert.strictEqual((yield* standing(tenant, id)).retry_scheduled, 1)
      assert.strictEqual((yield* standing(tenant, id)).in_progress, 2)
      yield* minutes(14)
      const told = [...(yield* recipients(tenant, id)).values()].map(({ outcome, phone_number, status }) => {
        const { attempt_count, outcome: how, sub_status } = JSON.parse(outcome!)
        return [phone_number.slice(-4), [status, how, sub_status, attempt_count]]
      })
      assert.deepStrictEqual(Object.fromEntries(told), {
        "0123": ["completed", "delivered", null, 1],
        "0003": ["failed", "failed", "carrier_error", 3],
        "0005": ["skipped", "rejected", "do_not_call", 1],
        "0007": ["failed", "failed", "invalid_number", 1],
        "0008": ["completed", "sent", null, 1],
        "0009": ["failed", "unknown", "in_doubt", 1],
        "0010": ["completed", "delivered", null, 1]
      })
      const counted = yield* standing(tenant, id)
      assert.deepStrictEqual(
        [counted.status, counted.attempts, counted.completed, counted.failed, counted.skipped],
        ["completed", 9, 3, 3, 1]
      )
      const toFailing = (yield* messages).filter(({ to_number }) => to_number.endsWith("0003"))
      assert.strictEqual(new Set(toFailing.map(({ key }) => key)).size, 3)
      assert.strictEqual(yield* balance(tenant), 1_000 - 3)
      const failed = (yield* attempts(tenant, id)).filter(({ status }) => status === "failed")
      assert.deepStrictEqual(failed.map(({ error_code }) => error_code).sort(), [
        "invalid_number",
        "opted_out",
        "undeliverable",
        "undeliverable",
        "undeliverable"
      ])
      for (const { error_message } of failed) assert.isNotNull(error_message)
      const { series } = yield* (yield* Campaigns).progress(tenant.workspace.id, id, { interval: "day" })
      assert.deepStrictEqual(series[0]?.outcomes, {
        delivered: 2,
        failed: 4,
        rejected: 1,
        sent: 1,
        unknown: 1
      })
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "keeps to calls_per_minute, to its max_concurrency and to the workspace's pace at once, exactly",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Messaging.tenant({ max_concurrency: 1, calls_per_second: 2 })
        const { id } = yield* campaign(tenant, Platform.callees(45, "0123"), {
          calls_per_minute: 10,
          max_concurrency: 3
        })
        yield* start(tenant, id)
        for (let i = 0; i < 300; i++) {
          yield* TestClock.adjust("1 second")
          assert.isAtMost((yield* standing(tenant, id)).in_progress, 3)
        }
        const times = (yield* attempts(tenant, id)).map(({ started_at }) => started_at!).sort((a, b) => a - b)
        assert.strictEqual(times.length, 45)
        const within = (at: number, span: number) =>
          times.filter((other) => other > at - span && other <= at).length
        for (const at of times) {
          assert.isAtMost(within(at, 60_000), 10)
          assert.isAtMost(within(at, 1_000), 2)
        }
        assert.isAtMost(times.at(-1)! - times[0]!, 5 * 60_000)
        assert.strictEqual((yield* standing(tenant, id)).status, "completed")
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("sends and sends again inside its window alone, in the recipient's own zone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 4, 15, 58))
      const tenant = yield* Messaging.tenant()
      const call_time = { call_start_time: "09:00", call_end_time: "17:00", timezone: "Europe/London" }
      const call_config = json({ call_time, call_retry_config: { retry_count: 1, retry_failed: 10 } })
      const numbers = [...Platform.callees(1, "0003"), ...Platform.callees(39, "0123", 10)]
      const { id } = yield* campaign(tenant, numbers, { calls_per_minute: 10, call_config })
      const [tokyo] = Platform.callees(1, "0123", 100)
      yield* (yield* Recipients).add(tenant.workspace.id, id, [
        { phone_number: tokyo!, timezone: "Asia/Tokyo", variables: json({ name: "Ada" }) }
      ])
      yield* start(tenant, id)
      for (let i = 0; i < 26; i++) yield* TestClock.adjust("1 hour")
      const all = yield* recipients(tenant, id)
      const abroad = all.get(tokyo!)!.id
      const sent = yield* attempts(tenant, id)
      assert.strictEqual(sent.length, 42)
      for (const { recipient_id, started_at } of sent) {
        const timezone = recipient_id === abroad ? "Asia/Tokyo" : call_time.timezone
        assert.isTrue(isOpen({ ...call_time, timezone }, started_at!))
      }
      assert.strictEqual(sent.filter(({ started_at }) => started_at! < Date.UTC(2026, 4, 4, 16)).length, 20)
      const second = sent.find(({ attempt_number }) => attempt_number === 2)
      assert.strictEqual(second?.started_at, Date.UTC(2026, 4, 5, 8))
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "paused, sends no more and hears what is on its way to its end; resumed, goes on; cancelled, is over",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Messaging.tenant()
        const campaigns = yield* Campaigns
        const { id } = yield* campaign(tenant, Platform.callees(40, "0123"), { max_concurrency: 10 })
        yield* start(tenant, id)
        yield* TestClock.adjust("1 second")
        yield* campaigns.update(tenant.workspace.id, id, { status: "paused" })
        yield* minutes(10)
        const paused = yield* standing(tenant, id)
        assert.deepStrictEqual(
          [paused.status, paused.reason, paused.in_progress, paused.completed, paused.pending],
          ["paused", "user", 0, 10, 30]
        )
        yield* campaigns.update(tenant.workspace.id, id, { max_concurrency: 15 })
        yield* start(tenant, id)
        yield* TestClock.adjust("1 second")
        yield* campaigns.update(tenant.workspace.id, id, { status: "cancelled" })
        yield* minutes(10)
        const over = yield* standing(tenant, id)
        assert.deepStrictEqual(
          [over.status, over.completed, over.skipped, over.pending, over.in_progress],
          ["cancelled", 25, 15, 0, 0]
        )
        assert.strictEqual((yield* messages).length, 25)
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("starts by itself at its time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 1, 9))
      const tenant = yield* Messaging.tenant()
      const scheduled_for = Date.UTC(2026, 4, 1, 9, 30)
      const { id } = yield* campaign(tenant, Platform.callees(3, "0123"), { scheduled_for })
      yield* minutes(29)
      assert.deepStrictEqual(yield* messages, [])
      yield* minutes(2)
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
      assert.strictEqual((yield* attempts(tenant, id))[0]?.started_at, scheduled_for)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "sends nothing to a number on the do-not-call list, whether it was there before or came later",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Messaging.tenant()
        const list = yield* DoNotCallList
        const numbers = [...Platform.callees(5, "0123"), ...Platform.callees(1, "0003", 50)]
        yield* list.add(tenant.workspace.id, numbers.slice(0, 1))
        const { id } = yield* campaign(tenant, numbers, retries({ retry_count: 1, retry_failed: 1 }))
        yield* list.add(tenant.workspace.id, numbers.slice(1, 3))
        yield* start(tenant, id)
        yield* TestClock.adjust("10 seconds")
        yield* list.add(tenant.workspace.id, numbers.slice(5))
        yield* minutes(5)
        const done = yield* standing(tenant, id)
        assert.deepStrictEqual([done.status, done.skipped, done.completed], ["completed", 4, 2])
        assert.strictEqual((yield* messages).length, 3)
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("fails a recipient who lacks a variable without any attempt, and writes to the others", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const { id } = yield* campaign(tenant, Platform.callees(3, "0123"))
      const poor = Platform.callees(4, "0123", 50)
      const variables = ["{}", '{"name":null}', '{"name":"  "}', '{"name":["Ada"]}']
      yield* (yield* Recipients).add(
        tenant.workspace.id,
        id,
        poor.map((phone_number, i) => ({
          phone_number,
          timezone: null,
          variables: json(JSON.parse(variables[i]!) as object)
        }))
      )
      yield* start(tenant, id)
      yield* minutes(1)
      const all = yield* recipients(tenant, id)
      for (const number of poor) {
        const { call_id, outcome, status } = all.get(number)!
        assert.deepStrictEqual([status, call_id], ["failed", null])
        assert.deepInclude(JSON.parse(outcome!), {
          sub_status: "template_variable_missing",
          attempt_count: 0
        })
      }
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual(
        [done.status, done.completed, done.failed, done.attempts],
        ["completed", 3, 4, 3]
      )
      assert.strictEqual((yield* attempts(tenant, id)).length, 3)
      assert.strictEqual(yield* balance(tenant), 1_000 - 3)
    }).pipe(Effect.provide(Platform.layer()))
  )

  for (const status of ["rejected", "paused", "disabled"] as const) {
    it.scoped(`whose template is ${status} meanwhile is paused, and goes on once it is approved again`, () =>
      Effect.gen(function* () {
        const tenant = yield* Messaging.tenant()
        const { id } = yield* campaign(tenant, Platform.callees(20, "0123"), { max_concurrency: 4 })
        yield* start(tenant, id)
        yield* TestClock.adjust("1 second")
        yield* Messaging.review(tenant, status)
        yield* minutes(3)
        const paused = yield* standing(tenant, id)
        assert.deepStrictEqual(
          [paused.status, paused.reason, paused.completed, paused.pending, paused.failed],
          ["paused", "template_not_approved", 4, 16, 0]
        )
        const refused = yield* Effect.flip(start(tenant, id))
        assert.deepStrictEqual(
          [refused._tag, refused.message],
          ["CampaignRefused", `the campaign's message template is ${status}; it has to be approved`]
        )
        yield* Messaging.review(tenant, "approved")
        yield* start(tenant, id)
        yield* minutes(1)
        const done = yield* standing(tenant, id)
        assert.deepStrictEqual([done.status, done.reason, done.completed], ["completed", null, 20])
        assert.strictEqual(new Set((yield* messages).map(({ to_number }) => to_number)).size, 20)
      }).pipe(Effect.provide(Platform.layer()))
    )
  }

  it.scoped("that waits for a retry is paused when its template is gone, and the retry is not used up", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const { id } = yield* campaign(
        tenant,
        Platform.callees(1, "0003"),
        retries({ retry_count: 3, retry_failed: 1 })
      )
      yield* start(tenant, id)
      yield* TestClock.adjust("10 seconds")
      yield* (yield* Templates).remove(tenant.workspace.id, tenant.template.id)
      yield* minutes(5)
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual(
        [paused.status, paused.reason, paused.retry_scheduled, paused.attempts],
        ["paused", "template_not_found", 1, 1]
      )
      const refused = yield* Effect.flip(start(tenant, id))
      assert.include(refused.message, "template is gone")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("goes on with another template, which the next messages are made of", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const campaigns = yield* Campaigns
      const { id } = yield* campaign(tenant, Platform.callees(4, "0123"), { max_concurrency: 2 })
      yield* start(tenant, id)
      yield* TestClock.adjust("1 second")
      yield* campaigns.update(tenant.workspace.id, id, { status: "paused" })
      const other = yield* (yield* Templates).create(tenant.workspace.id, {
        ...tenant.template,
        name: "farewell"
      })
      yield* campaigns.update(tenant.workspace.id, id, {
        template: json({ id: other.id, variables: { body: { "1": "name" } } })
      })
      yield* start(tenant, id)
      yield* minutes(1)
      const names = (yield* messages).map(({ template }) => template)
      assert.deepStrictEqual(names, ["greeting", "greeting", "farewell", "farewell"])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("whose agent does not write, or is not published, is paused, and no recipient is used up", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const agents = yield* Agents
      const speaking = yield* campaign(tenant, Platform.callees(3, "0123"), { agent_id: tenant.agent.id })
      const { id } = yield* campaign(tenant, Platform.callees(3, "0123"))
      yield* agents.update(tenant.workspace.id, tenant.writer.id, { published: false })
      for (const [campaign_id, reason] of [
        [speaking.id, "agent_not_msg"],
        [id, "agent_not_published"]
      ] as const) {
        yield* start(tenant, campaign_id)
        yield* TestClock.adjust("1 second")
        const paused = yield* standing(tenant, campaign_id)
        assert.deepStrictEqual([paused.status, paused.reason, paused.pending], ["paused", reason, 3])
      }
      assert.deepStrictEqual(yield* messages, [])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is paused when credits run out, and goes on once there are some", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant({}, 5)
      const numbers = [...Platform.callees(2, "0007"), ...Platform.callees(18, "0123", 10)]
      const { id } = yield* campaign(tenant, numbers)
      yield* start(tenant, id)
      yield* minutes(2)
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual([paused.status, paused.reason], ["paused", "insufficient_credits"])
      assert.deepStrictEqual([paused.completed, paused.failed], [3, 2])
      // What was held for numbers without an account has come back.
      assert.strictEqual(yield* balance(tenant), 2)
      yield* start(tenant, id)
      yield* minutes(2)
      assert.strictEqual((yield* standing(tenant, id)).completed, 5)
      assert.strictEqual(yield* balance(tenant), 0)
      yield* (yield* Credits).topUp(tenant.workspace.id, 100, null)
      yield* start(tenant, id)
      yield* minutes(2)
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.completed], ["completed", 18])
      assert.strictEqual(yield* balance(tenant), 87)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is paused by its circuit breaker when more than half of the last 20 messages failed", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const numbers = [...Platform.callees(9, "0123"), ...Platform.callees(60, "0003", 100)]
      const { id } = yield* campaign(tenant, numbers, { max_concurrency: 1 })
      yield* start(tenant, id)
      yield* minutes(5)
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual([paused.status, paused.reason, paused.attempts], ["paused", "failure_rate", 20])
    }).pipe(Effect.provide(Platform.layer()))
  )
})

describe("the provider of messages", () => {
  it.scoped(
    "out of reach is left alone, voice goes on, and afterwards every recipient gets one message",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Messaging.tenant()
        const provider = yield* SimulatedSender.MessageLedger
        const { id } = yield* campaign(tenant, Platform.callees(12, "0123"), { calls_per_minute: 120 })
        const calls = yield* Platform.campaign(tenant, Platform.callees(12, "0123", 50))
        yield* provider.fail(true)
        yield* start(tenant, id)
        yield* start(tenant, calls.id)
        yield* minutes(3)
        assert.strictEqual((yield* standing(tenant, calls.id)).status, "completed")
        const open = yield* standing(tenant, id)
        assert.deepStrictEqual([open.status, open.completed, open.failed], ["running", 0, 0])
        assert.strictEqual(yield* balance(tenant), 1_000 - 24, "twelve calls, and twelve messages held")
        const refused = yield* campaign(tenant, Platform.callees(1, "0123"))
        assert.strictEqual((yield* Effect.flip(start(tenant, refused.id)))._tag, "CarrierUnavailable")
        const single = yield* Platform.place(tenant, "0123")
        yield* minutes(1)
        assert.strictEqual(
          (yield* (yield* Calls).get(tenant.workspace.id, single.call_id)).status,
          "completed"
        )
        yield* provider.fail(false)
        yield* minutes(2)
        const done = yield* standing(tenant, id)
        assert.deepStrictEqual([done.status, done.completed, done.attempts], ["completed", 12, 12])
        const sent = yield* messages
        assert.strictEqual(new Set(sent.map(({ to_number }) => to_number)).size, 12)
        assert.strictEqual(sent.length, 12)
        for (const { attempt_number } of yield* attempts(tenant, id)) assert.strictEqual(attempt_number, 1)
        assert.strictEqual(yield* balance(tenant), 1_000 - 25)
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("goes on while the carrier of calls is out of reach, and neither keeps the loop busy", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const carrier = yield* CarrierLedger
      const provider = yield* SimulatedSender.MessageLedger
      const { id } = yield* campaign(tenant, Platform.callees(12, "0123"), { calls_per_minute: 3 })
      const calls = yield* Platform.campaign(tenant, Platform.callees(6, "0123", 50))
      yield* carrier.fail("unreachable")
      yield* start(tenant, calls.id)
      yield* minutes(1)
      yield* start(tenant, id)
      yield* minutes(2)
      assert.isAtLeast((yield* messages).length, 6)
      yield* provider.fail(true)
      const before = (yield* messages).length
      yield* minutes(10)
      assert.strictEqual((yield* messages).length, before)
      assert.strictEqual((yield* carrier.counts).dials, 0)
      yield* carrier.recover
      yield* minutes(2)
      assert.strictEqual((yield* standing(tenant, calls.id)).status, "completed")
      yield* provider.fail(false)
      yield* minutes(5)
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
      assert.strictEqual((yield* messages).length, 12)
    }).pipe(Effect.provide(Platform.layer()))
  )
})

describe("voice and messages", () => {
  it.scoped("keep to their own channels, and both come to their end", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant({ max_concurrency: 8 })
      const repository = yield* Repository
      const callees = Platform.callees(40, "0123")
      const written = Platform.callees(40, "0123", 20)
      const calls = yield* Platform.campaign(tenant, callees)
      const { id } = yield* campaign(tenant, written)
      yield* start(tenant, calls.id)
      yield* start(tenant, id)
      for (let i = 0; i < 200; i++) {
        yield* TestClock.adjust("1 second")
        assert.isAtMost(yield* repository.calls.countLive(tenant.workspace.id), 8)
      }
      for (const campaign_id of [calls.id, id]) {
        const done = yield* standing(tenant, campaign_id)
        assert.deepStrictEqual([done.status, done.completed], ["completed", 40])
      }
      const dialled = (yield* (yield* CarrierLedger).dials).map(({ to_number }) => to_number)
      assert.sameMembers(dialled, [...callees])
      assert.sameMembers(
        (yield* messages).map(({ to_number }) => to_number),
        [...written]
      )
      const channels = (campaign_id: string) =>
        Effect.map(attempts(tenant, campaign_id), (all) => [...new Set(all.map(({ channel }) => channel))])
      assert.deepStrictEqual(yield* channels(calls.id), ["voice"])
      assert.deepStrictEqual(yield* channels(id), ["msg"])
      const bodies = (yield* (yield* Inbox.WebhookInbox).entries).map(({ message }) => message.body)
      assert.isFalse(bodies.some((body) => body.includes(id)))
      assert.strictEqual(bodies.filter((body) => body.includes('"call_completed"')).length, 40)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("messages take no line: those without a receipt hold up neither calls nor other messages", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant({ max_concurrency: 2 })
      const { id } = yield* campaign(tenant, Platform.callees(40, "0008"))
      yield* start(tenant, id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* messages).length, 40)
      yield* Effect.replicateEffect(Platform.place(tenant, "0123"), 4)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* (yield* CarrierLedger).counts).dials, 2)
      yield* minutes(12)
      assert.strictEqual((yield* (yield* CarrierLedger).counts).dials, 4)
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
    }).pipe(Effect.provide(Platform.layer()))
  )
})

/** Any change wakes the workspace's loop, which looks after what is left of the one before. */
const awake = Effect.fnUntraced(function* ({ workspace }: Messaging.Tenant, id: string) {
  yield* (yield* Campaigns).update(workspace.id, id, { name: "Left" })
})

/** What outlives every process that works on it. */
const outliving = Layer.mergeAll(MemoryRepository.layer, SimulatedSender.layer()).pipe(
  Layer.provide(CarrierReports.layer)
)

describe("a messaging campaign whose process is replaced again and again", () => {
  it.scoped("sends to every recipient once, and pays for each once", () =>
    Effect.gen(function* () {
      // The sender reports to the process that is there.
      const memoMap = yield* Layer.makeMemoMap
      const build = <A, E>(layer: Layer.Layer<A, E>) =>
        Effect.flatMap(Effect.scope, (scope) => Layer.buildWithMemoMap(layer, memoMap, scope))
      const context = yield* build(outliving)
      const [store, sender] = [Layer.succeedContext(context), Layer.succeedContext(context)]
      const process = build(platform({ ...inMemory, store, sender }))
      const { id, tenant } = yield* Effect.scoped(
        Effect.gen(function* () {
          const made = yield* process
          return yield* Effect.gen(function* () {
            const tenant = yield* Messaging.tenant({ calls_per_second: 3 })
            const { id } = yield* campaign(tenant, Platform.callees(60, "0123"))
            yield* start(tenant, id)
            return { id, tenant }
          }).pipe(Effect.provide(Context.merge(context, made)))
        })
      )
      for (const seconds of [1, 2, 1, 3, 2, 1, 5, 1_200]) {
        yield* Effect.scoped(
          Effect.flatMap(process, (made) =>
            Effect.provide(awake(tenant, id), made).pipe(
              Effect.zipRight(TestClock.adjust(`${seconds} seconds`))
            )
          )
        )
      }
      const made = yield* process
      const done = yield* Effect.provide(standing(tenant, id), made)
      assert.deepStrictEqual([done.status, done.completed, done.attempts], ["completed", 60, 60])
      assert.strictEqual(yield* Effect.provide(balance(tenant), made), 1_000 - 60)
      const sent = (yield* Context.get(context, SimulatedSender.MessageLedger).messages).map(
        ({ to_number }) => to_number
      )
      assert.strictEqual(new Set(sent).size, 60)
      assert.strictEqual(sent.length, 60)
    })
  )
})

/** What a process left that died between storing the intent to send and hearing of it. */
const abandoned = Effect.fnUntraced(function* (tenant: Messaging.Tenant, provider_id: string | null) {
  const repository = yield* Repository
  const workspace_id = tenant.workspace.id
  const [number] = Platform.callees(1, "0123")
  const { id } = yield* campaign(tenant, [number!], retries({ retry_count: 5, retry_failed: 1 }))
  const now = yield* Clock.currentTimeMillis
  const recipient = (yield* recipients(tenant, id)).get(number!)!
  const placed = Machine.place(
    PlaceCall.make({
      agent_id: tenant.writer.id,
      to_number: number!,
      custom_variables: recipient.variables,
      call_config: json({ call_retry_config: { retry_count: 5, retry_failed: 1 } })
    }),
    {
      call_id: "msg_left",
      channel: "msg",
      workspace_id,
      from_number: tenant.number.number,
      from_phone_number_id: tenant.number.id,
      price_per_minute: 1,
      campaign_id: id,
      recipient_id: recipient.id
    },
    now
  )
  const ids = { attempt_id: "att_left", session_id: "sess_left", agent_version: null }
  const { attempt, call } = Machine.intend({ call: placed, attempt: null }, ids, 1, now)
  yield* repository.transaction(
    workspace_id,
    Effect.gen(function* () {
      yield* repository.credits.append(workspace_id, [
        {
          id: "led_left",
          customer_id: workspace_id,
          kind: "hold",
          amount: -1,
          reference: "msg_left",
          created_at: now
        }
      ])
      yield* repository.calls.insert(call)
      yield* repository.attempts.insert({ ...attempt!, carrier_call_id: provider_id })
      yield* repository.recipients.update({ ...recipient, status: "in_progress", call_id: "msg_left" })
      const state = Option.getOrThrow(yield* repository.campaigns.get(workspace_id, id))
      yield* repository.campaigns.update({ ...state.campaign, status: "running", started_at: now })
      yield* repository.campaigns.saveCounters({ ...state.counters, pending: 0, in_progress: 1, attempts: 1 })
    })
  )
  return id
})

describe("a message that a process left behind when it died", () => {
  it.scoped("before its provider's answer is unknown two minutes later, and is never sent again", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const id = yield* abandoned(tenant, null)
      yield* TestClock.adjust("1 second")
      yield* awake(tenant, id)
      yield* TestClock.adjust("118 seconds")
      assert.strictEqual((yield* standing(tenant, id)).in_progress, 1)
      yield* TestClock.adjust("2 seconds")
      const [left] = yield* attempts(tenant, id)
      assert.deepInclude(left, { status: "unknown", outcome: "unknown", sub_status: "in_doubt" })
      yield* minutes(5)
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.failed, done.attempts], ["completed", 1, 1])
      assert.deepStrictEqual(yield* messages, [])
      assert.strictEqual(yield* balance(tenant), 1_000)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("after it waits for its receipt, and counts as sent when that never comes", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const id = yield* abandoned(tenant, "wamid_1")
      yield* TestClock.adjust("1 second")
      yield* awake(tenant, id)
      yield* TestClock.adjust("9 minutes")
      assert.strictEqual((yield* standing(tenant, id)).in_progress, 1)
      yield* TestClock.adjust("1 minute")
      const [left] = yield* attempts(tenant, id)
      assert.deepInclude(left, {
        status: "completed",
        outcome: "sent",
        carrier_call_id: "wamid_1",
        credits: 1
      })
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
      assert.deepStrictEqual(yield* messages, [])
      assert.strictEqual(yield* balance(tenant), 999)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("after it is completed by a receipt that another process hears", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const id = yield* abandoned(tenant, "wamid_1")
      const { id: workspace_id } = tenant.workspace
      yield* TestClock.adjust("1 minute")
      const at = yield* Clock.currentTimeMillis
      const delivered = {
        _tag: "Ended",
        at,
        outcome: "delivered",
        sub_status: null,
        duration_seconds: 0,
        error_code: null,
        error_message: null
      } as const
      yield* (yield* CarrierReports).record([
        { workspace_id, key: "att_left", progress: delivered },
        { workspace_id, key: "att_left", progress: { _tag: "Sent", at } },
        { workspace_id, key: "att_left", progress: delivered }
      ])
      yield* TestClock.adjust("1 second")
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.completed], ["completed", 1])
      assert.strictEqual(yield* balance(tenant), 999)
    }).pipe(Effect.provide(Platform.layer()))
  )
})
