import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { type Recipient, toJson } from "../../../core/model/campaigns/Recipient.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import * as Platform from "../../Platform.ts"
import * as Messaging from "./MessageTenant.ts"

const noon = Date.UTC(2026, 4, 4, 12)
const hour = 3_600_000

const windowOf = (recipient: Recipient | undefined) => {
  const record = JSON.parse(toJson(recipient!)) as Record<string, unknown>
  return [record["last_customer_message_at"], record["service_window_expires_at"]]
}

const iso = (millis: number) => new Date(millis).toISOString()

const openSince = (at: number) => [iso(at), iso(at + 24 * hour)]
const never = [null, null]

const reply = Effect.fnUntraced(function* (from_number: string, at: number, to_number = "+14155550100") {
  yield* (yield* CarrierReports).reply({ from_number, to_number, at })
})

/** A tenant, and a campaign that has written to `numbers` at noon. */
const written = Effect.fnUntraced(function* (numbers: ReadonlyArray<string>) {
  yield* TestClock.setTime(noon)
  const tenant = yield* Messaging.tenant()
  const { id } = yield* Messaging.campaign(tenant, numbers)
  yield* Messaging.start(tenant, id)
  yield* TestClock.adjust("5 seconds")
  const window = (number: string) =>
    Effect.map(Messaging.recipients(tenant, id), (all) => windowOf(all.get(number)))
  return { tenant, id, window }
})

describe("a reply", () => {
  it.scoped("opens a service window of 24 hours, of its sender alone", () =>
    Effect.gen(function* () {
      const [quiet, talker] = [...Platform.callees(1, "0123"), ...Platform.callees(1, "0010")]
      const { window } = yield* written([quiet!, talker!])
      assert.deepStrictEqual(yield* window(talker!), never)
      // The simulated person answers ten seconds after the message.
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* window(talker!), openSince(noon + 10_000))
      assert.deepStrictEqual(yield* window(quiet!), never)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("that comes twice, late or out of order never moves the window back", () =>
    Effect.gen(function* () {
      const [number] = Platform.callees(1, "0123")
      const { window } = yield* written([number!])
      for (const [at, latest] of [
        [noon + 3 * hour, noon + 3 * hour],
        [noon + 3 * hour, noon + 3 * hour],
        [noon + hour, noon + 3 * hour],
        [noon + 5 * hour, noon + 5 * hour],
        [noon + 4 * hour, noon + 5 * hour]
      ] as const) {
        yield* reply(number!, at)
        assert.deepStrictEqual(yield* window(number!), openSince(latest))
      }
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("leaves what becomes of the message as it is, and a later try leaves the window", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(noon)
      const tenant = yield* Messaging.tenant()
      const [number] = Platform.callees(1, "0003")
      const { id } = yield* Messaging.campaign(tenant, [number!], {
        call_config: Messaging.json({ call_retry_config: { retry_count: 1, retry_failed: 10 } })
      })
      yield* Messaging.start(tenant, id)
      yield* TestClock.adjust("2 seconds")
      yield* reply(number!, noon + 2_000)
      const before = (yield* Messaging.recipients(tenant, id)).get(number!)!
      assert.strictEqual(before.status, "retry_scheduled")
      for (let i = 0; i < 11; i++) yield* TestClock.adjust("1 minute")
      const after = (yield* Messaging.recipients(tenant, id)).get(number!)!
      assert.deepStrictEqual([after.status, ...windowOf(after)], ["failed", ...openSince(noon + 2_000)])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("before anything was sent, from a stranger, or to a number of no workspace changes nothing", () =>
    Effect.gen(function* () {
      const [first, waiting] = Platform.callees(2, "0123")
      yield* TestClock.setTime(noon)
      const tenant = yield* Messaging.tenant()
      const { id } = yield* Messaging.campaign(tenant, [first!, waiting!], { calls_per_minute: 1 })
      yield* reply(first!, noon)
      yield* Messaging.start(tenant, id)
      yield* TestClock.adjust("1 second")
      yield* reply("+14155559999", noon)
      yield* reply(first!, noon, "+14155550199")
      yield* reply(waiting!, noon)
      const all = yield* Messaging.recipients(tenant, id)
      for (const number of [first, waiting]) assert.deepStrictEqual(windowOf(all.get(number!)), never)
      yield* reply(first!, noon + hour)
      const then = yield* Messaging.recipients(tenant, id)
      assert.deepStrictEqual(windowOf(then.get(first!)), openSince(noon + hour))
      assert.deepStrictEqual(windowOf(then.get(waiting!)), never)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("to a number that several workspaces have is heard by each that has written to the person", () =>
    Effect.gen(function* () {
      const [number] = Platform.callees(1, "0123")
      const first = yield* written([number!])
      const second = yield* written([number!])
      const third = yield* written(Platform.callees(1, "0123", 7))
      yield* reply(number!, noon + hour)
      assert.deepStrictEqual(yield* first.window(number!), openSince(noon + hour))
      assert.deepStrictEqual(yield* second.window(number!), openSince(noon + hour))
      const [other] = yield* Messaging.recipients(third.tenant, third.id)
      assert.deepStrictEqual(windowOf(other![1]), never)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is for every messaging campaign from that number, and for none that calls", () =>
    Effect.gen(function* () {
      const [number] = Platform.callees(1, "0123")
      const { id, tenant, window } = yield* written([number!])
      const again = yield* Messaging.campaign(tenant, [number!])
      const calls = yield* Platform.campaign(tenant, [number!])
      for (const each of [again, calls]) yield* Messaging.start(tenant, each.id)
      for (let i = 0; i < 6; i++) yield* TestClock.adjust("10 seconds")
      yield* reply(number!, noon + hour)
      assert.deepStrictEqual(yield* window(number!), openSince(noon + hour))
      const at = (campaign_id: string) =>
        Effect.map(Messaging.recipients(tenant, campaign_id), (all) => windowOf(all.get(number!)))
      assert.deepStrictEqual(yield* at(again.id), openSince(noon + hour))
      assert.deepStrictEqual(yield* at(calls.id), never)
      assert.notStrictEqual(id, again.id)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("wakes no workspace and starts no work", () =>
    Effect.gen(function* () {
      const [number] = Platform.callees(1, "0123")
      yield* written([number!])
      yield* reply(number!, noon + hour)
      assert.deepStrictEqual(yield* (yield* Repository).workspaces.withWork, [])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("that asks for no more puts its sender on the list of numbers that are not called", () =>
    Effect.gen(function* () {
      const [stopping, talking] = Platform.callees(2, "0123")
      const { tenant } = yield* written([stopping!, talking!])
      const reports = yield* CarrierReports
      const said = (from_number: string, text: string) =>
        reports.reply({ from_number, to_number: "+14155550100", at: noon + hour, text })
      yield* said(stopping!, "STOP!")
      yield* said(talking!, "Can you stop by on Friday?")
      const { doNotCall } = yield* Repository
      assert.isTrue(yield* doNotCall.contains(tenant.workspace.id, stopping!))
      assert.isFalse(yield* doNotCall.contains(tenant.workspace.id, talking!))
    }).pipe(Effect.provide(Platform.layer()))
  )
})
