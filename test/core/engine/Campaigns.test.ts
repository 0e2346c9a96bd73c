import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { isOpen } from "../../../core/model/calls/CallingWindow.ts"
import { statsOf } from "../../../core/model/campaigns/CampaignCounters.ts"
import { toJson } from "../../../core/model/campaigns/Recipient.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { DoNotCallList } from "../../../core/usecases/DoNotCallList.ts"
import { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import { Recipients } from "../../../core/usecases/Recipients.ts"
import * as Platform from "../../Platform.ts"

const config = (value: object) => RawJson(JSON.stringify(value))

const standing = Effect.fnUntraced(function* (tenant: Platform.Tenant, id: string) {
  const { campaign, counters } = yield* (yield* Campaigns).get(tenant.workspace.id, id)
  return { status: campaign.status, reason: campaign.status_reason, ...statsOf(counters) }
})

const start = Effect.fnUntraced(function* (tenant: Platform.Tenant, id: string) {
  return yield* (yield* Campaigns).start(tenant.workspace.id, id)
})

const dialled = Effect.flatMap(CarrierLedger, ({ dials }) => dials)

/** The dials of each campaign, told apart by the numbers called. */
const among = (dials: ReadonlyArray<{ readonly to_number: string }>, numbers: ReadonlyArray<string>) => {
  const known = new Set(numbers)
  return dials.filter(({ to_number }) => known.has(to_number)).length
}

describe("a campaign", () => {
  it.scoped("says in its progress when the next recipient is due to be tried again", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const call_config = config({ call_retry_config: { retry_count: 1, retry_busy: 30 } })
      const { id } = yield* Platform.campaign(tenant, Platform.callees(3, "0001"), { call_config })
      const progress = Effect.flatMap(Campaigns, (campaigns) =>
        campaigns.progress(tenant.workspace.id, id, { interval: "hour" })
      )
      assert.isNull((yield* progress).next_retry_at)
      yield* start(tenant, id)
      yield* TestClock.adjust("10 minutes")
      const { next_retry_at, stats } = yield* progress
      assert.strictEqual(stats.retry_scheduled, 3)
      const calls = yield* (yield* Calls).list(
        tenant.workspace.id,
        { campaign_id: id },
        { limit: 10, offset: 0 }
      )
      assert.strictEqual(next_retry_at, Math.min(...calls.data.map(({ due_at }) => due_at!)))
      yield* TestClock.adjust("40 minutes")
      assert.isNull((yield* progress).next_retry_at)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("calls every recipient once, with the recipient's variables, and is completed", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const numbers = Platform.callees(30, "0123")
      const { id } = yield* Platform.campaign(tenant, numbers, { metadata: RawJson('{"batch":1.0}') })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* dialled, [])
      assert.strictEqual((yield* standing(tenant, id)).status, "draft")
      yield* start(tenant, id)
      yield* TestClock.adjust("10 minutes")
      const dials = yield* dialled
      assert.deepStrictEqual(dials.map(({ to_number }) => to_number).sort(), [...numbers].sort())
      assert.deepStrictEqual(yield* standing(tenant, id), {
        status: "completed",
        reason: null,
        total: 30,
        pending: 0,
        in_progress: 0,
        retry_scheduled: 0,
        completed: 30,
        failed: 0,
        skipped: 0,
        attempts: 30,
        answered: 30
      })
      const bodies = (yield* (yield* WebhookInbox).entries).map(({ message }) => message.body)
      const ends = bodies.filter((body) => body.includes('"event_type":"call_completed"'))
      assert.strictEqual(ends.length, 30)
      for (const body of ends) {
        assert.include(body, `"campaign_id":"${id}"`)
        assert.include(body, '"metadata":{"batch":1.0}')
      }
      const repository = yield* Repository
      assert.deepStrictEqual(yield* repository.workspaces.withWork, [])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "retries by the campaign's configuration, from the same caller ID, and follows every outcome",
    () =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const { workspace } = tenant
        const other = yield* (yield* PhoneNumbers).add(workspace.id, { number: "+14155550199", label: null })
        const outcomes = ["0123", "0001", "0002", "0004", "0007", "0010"]
        const numbers = outcomes.map((digits, i) => Platform.callees(1, digits, i)[0]!)
        const { id } = yield* Platform.campaign(tenant, numbers, {
          from_phone_number_id: other.id,
          call_config: config({ call_retry_config: { retry_count: 2, retry_busy: 5, retry_not_picked: 5 } })
        })
        yield* start(tenant, id)
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual((yield* standing(tenant, id)).retry_scheduled, 3)
        for (let i = 0; i < 20; i++) yield* TestClock.adjust("2 minutes")
        const dials = yield* dialled
        assert.deepStrictEqual([...new Set(dials.map(({ from_number }) => from_number))], ["+14155550199"])
        const { data } = yield* (yield* Recipients).list(workspace.id, id, {}, { limit: 100, offset: 0 })
        const told = new Map(
          data.map(({ outcome, phone_number, status }) => [
            phone_number.slice(-4),
            [status, (JSON.parse(outcome!) as { outcome: string; attempt_count: number }).attempt_count]
          ])
        )
        assert.deepStrictEqual(Object.fromEntries(told), {
          "0123": ["completed", 1],
          "0001": ["failed", 3],
          "0002": ["failed", 3],
          "0004": ["completed", 1],
          "0007": ["failed", 1],
          "0010": ["completed", 2]
        })
        const { attempts, status } = yield* standing(tenant, id)
        assert.deepStrictEqual([status, attempts], ["completed", 11])
        const campaigns = yield* Campaigns
        const page = yield* campaigns.attempts(workspace.id, id, {}, { limit: 100, offset: 0 })
        assert.deepStrictEqual([page.total, page.data.length], [11, 11])
        const progress = yield* campaigns.progress(workspace.id, id, { interval: "day" })
        assert.deepStrictEqual(
          progress.series.map(({ attempts, outcomes }) => [attempts, outcomes]),
          [[11, { answered: 2, busy: 4, failed: 1, no_answer: 3, voicemail: 1 }]]
        )
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("starts by itself at its time, and fails when it has no recipient to call by then", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 1, 9))
      const tenant = yield* Platform.tenant()
      const scheduled_for = Date.UTC(2026, 4, 1, 15)
      const { id } = yield* Platform.campaign(tenant, Platform.callees(3, "0123"), { scheduled_for })
      const empty = yield* Platform.campaign(tenant, [], { scheduled_for })
      yield* TestClock.adjust("359 minutes")
      assert.strictEqual((yield* standing(tenant, id)).status, "scheduled")
      assert.deepStrictEqual(yield* dialled, [])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* dialled)[0]?.at, scheduled_for)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
      const failed = yield* standing(tenant, empty.id)
      assert.deepStrictEqual([failed.status, failed.reason], ["failed", "no_recipients"])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("paused, starts no dial and lets running calls end; resumed, goes on where it stood", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const campaigns = yield* Campaigns
      const numbers = Platform.callees(40, "0123")
      const { id } = yield* Platform.campaign(tenant, numbers, { max_concurrency: 10 })
      yield* start(tenant, id)
      yield* TestClock.adjust("5 seconds")
      yield* campaigns.update(tenant.workspace.id, id, { status: "paused" })
      const before = (yield* dialled).length
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual((yield* dialled).length, before)
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual(
        [paused.status, paused.reason, paused.in_progress, paused.completed, paused.pending],
        ["paused", "user", 0, before, 40 - before]
      )
      yield* campaigns.update(tenant.workspace.id, id, { max_concurrency: 40 })
      yield* start(tenant, id)
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual((yield* dialled).length, 40)
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
      assert.strictEqual(new Set((yield* dialled).map(({ to_number }) => to_number)).size, 40)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("cancelled, skips the recipients that are left, retries too, and lets running calls end", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const campaigns = yield* Campaigns
      const numbers = [...Platform.callees(10, "0001"), ...Platform.callees(2_500, "0123", 100)]
      const { id } = yield* Platform.campaign(tenant, numbers, {
        max_concurrency: 20,
        call_config: config({ call_retry_config: { retry_count: 3, retry_busy: 60 } })
      })
      yield* start(tenant, id)
      yield* TestClock.adjust("20 seconds")
      const running = yield* standing(tenant, id)
      assert.strictEqual(running.retry_scheduled, 10)
      yield* campaigns.update(tenant.workspace.id, id, { status: "cancelled" })
      const before = (yield* dialled).length
      yield* TestClock.adjust("4 hours")
      const left = yield* standing(tenant, id)
      assert.strictEqual((yield* dialled).length, before)
      assert.deepStrictEqual(
        [left.status, left.pending, left.in_progress, left.retry_scheduled, left.total],
        ["cancelled", 0, 0, 0, 2_510]
      )
      assert.strictEqual(left.skipped + left.completed, 2_510)
      const again = yield* Effect.flip(start(tenant, id))
      assert.strictEqual(again._tag, "CampaignRefused")
      const balance = yield* (yield* Credits).balance(tenant.workspace.id)
      const attempts = yield* (yield* Repository).attempts.ofCampaign(
        tenant.workspace.id,
        id,
        {},
        { limit: 10_000, offset: 0 }
      )
      assert.strictEqual(balance, 1_000 - attempts.reduce((sum, { credits }) => sum + credits, 0))
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a window that closes in the middle of a run stops it until the next opening", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 4, 15, 58))
      const tenant = yield* Platform.tenant()
      const call_time = { call_start_time: "09:00", call_end_time: "17:00", timezone: "Europe/London" }
      const { id } = yield* Platform.campaign(tenant, Platform.callees(100, "0123"), {
        calls_per_minute: 20,
        call_config: config({ call_time })
      })
      yield* start(tenant, id)
      for (let i = 0; i < 26; i++) yield* TestClock.adjust("1 hour")
      const dials = yield* dialled
      assert.strictEqual(dials.length, 100)
      for (const { at } of dials) assert.isTrue(isOpen(call_time, at))
      assert.strictEqual(dials.filter(({ at }) => at < Date.UTC(2026, 4, 4, 16)).length, 40)
      assert.strictEqual(dials[40]?.at, Date.UTC(2026, 4, 5, 8))
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a recipient's own timezone moves the window there, for the first dial and for retries", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 4, 0))
      const tenant = yield* Platform.tenant()
      const call_time = { call_start_time: "09:00", call_end_time: "10:00", timezone: "Europe/London" }
      const { id } = yield* Platform.campaign(tenant, Platform.callees(1, "0001"), {
        call_config: config({ call_time, call_retry_config: { retry_count: 1, retry_busy: 120 } })
      })
      const zones = ["Asia/Tokyo", "America/New_York"]
      yield* (yield* Recipients).add(
        tenant.workspace.id,
        id,
        zones.map((timezone, i) => ({
          phone_number: Platform.callees(1, "0001", 10 + i)[0]!,
          timezone,
          variables: RawJson("{}")
        }))
      )
      yield* start(tenant, id)
      for (let i = 0; i < 50; i++) yield* TestClock.adjust("1 hour")
      const times = (yield* dialled).map(({ at }) => new Date(at).toISOString().slice(0, 16))
      assert.deepStrictEqual(times, [
        "2026-05-04T00:00",
        "2026-05-04T08:00",
        "2026-05-04T13:00",
        "2026-05-05T00:00",
        "2026-05-05T08:00",
        "2026-05-05T13:00"
      ])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a campaign may ask for the zones of its recipients' numbers, and their own go first", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 4, 4, 0))
      const tenant = yield* Platform.tenant()
      const call_time = { call_start_time: "09:00", call_end_time: "17:00", timezone: "UTC" }
      const { id } = yield* Platform.campaign(tenant, [], {
        call_config: config({ call_time }),
        recipient_timezone: "by_number"
      })
      const recipients = yield* Recipients
      const people = [
        ["+12125550123", null],
        ["+14155550123", null],
        ["+33140000123", "Asia/Tokyo"],
        // Of no area: the window is open from its opening on the Cocos Islands to its end on Lord Howe.
        ["+61590000123", null]
      ] as const
      const added = yield* recipients.add(
        tenant.workspace.id,
        id,
        people.map(([phone_number, timezone]) => ({ phone_number, timezone, variables: RawJson("{}") }))
      )
      assert.strictEqual(added[0]!.timezone, "America/New_York")
      const moved = { timezone: "Europe/Paris" }
      const changed = yield* recipients.change(tenant.workspace.id, id, added[1]!.id, moved)
      assert.strictEqual(changed.timezone, "Europe/Paris")
      const back = yield* recipients.change(tenant.workspace.id, id, added[1]!.id, { timezone: null })
      assert.strictEqual(back.timezone, "America/Los_Angeles")
      yield* start(tenant, id)
      for (let i = 0; i < 40; i++) yield* TestClock.adjust("30 minutes")
      const times = (yield* dialled).map(({ at }) => new Date(at).toISOString().slice(0, 16))
      assert.deepStrictEqual(times, [
        "2026-05-04T00:00",
        "2026-05-04T02:30",
        "2026-05-04T13:00",
        "2026-05-04T16:00"
      ])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a campaign may skip the public holidays of its recipients' countries, with retries too", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 11, 24, 20))
      const tenant = yield* Platform.tenant()
      const call_time = { call_start_time: "09:00", call_end_time: "17:00", timezone: "Europe/Paris" }
      const { id } = yield* Platform.campaign(tenant, [], {
        call_config: config({ call_time, call_retry_config: { retry_count: 1, retry_busy: 6 * 1_440 } }),
        skip_public_holidays: true
      })
      const recipients = yield* Recipients
      const people = [
        // Christmas is a holiday of France and Britain, the day after in Britain alone, and neither in Japan.
        ["+33140000123", null],
        ["+442079460123", "Europe/London"],
        ["+81312345678", null],
        // Busy: the retry falls on New Year's Day.
        ["+33140000001", "Asia/Tokyo"]
      ] as const
      const added = yield* recipients.add(
        tenant.workspace.id,
        id,
        people.map(([phone_number, timezone]) => ({ phone_number, timezone, variables: RawJson("{}") }))
      )
      assert.deepStrictEqual(
        added.map(({ timezone }) => timezone),
        ["#FR", "Europe/London#GB", "#JP", "Asia/Tokyo#FR"]
      )
      const moved = yield* recipients.change(tenant.workspace.id, id, added[3]!.id, {
        timezone: "Asia/Seoul"
      })
      assert.strictEqual(moved.timezone, "Asia/Seoul#FR")
      assert.include(toJson(moved), `"timezone":"Asia/Seoul"`)
      yield* start(tenant, id)
      for (let i = 0; i < 10 * 24; i++) yield* TestClock.adjust("1 hour")
      const times = (yield* dialled).map(({ at, to_number }) => [
        to_number,
        new Date(at).toISOString().slice(0, 16)
      ])
      assert.deepStrictEqual(times, [
        ["+81312345678", "2026-12-25T08:00"],
        ["+33140000001", "2026-12-26T00:00"],
        ["+33140000123", "2026-12-26T08:00"],
        ["+442079460123", "2026-12-27T09:00"],
        ["+33140000001", "2027-01-02T00:00"]
      ])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped(
    "a window that is changed while it runs holds for what is dialled from then on, retries too",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.UTC(2026, 4, 4, 12))
        const tenant = yield* Platform.tenant()
        const numbers = [...Platform.callees(1, "0001"), ...Platform.callees(60, "0123", 10)]
        const { id } = yield* Platform.campaign(tenant, numbers, {
          calls_per_minute: 1,
          call_config: config({ call_retry_config: { retry_count: 1, retry_busy: 10 } })
        })
        yield* start(tenant, id)
        yield* TestClock.adjust("5 minutes")
        const early = (yield* dialled).length
        const call_time = { call_start_time: "13:00", call_end_time: "20:00", timezone: "UTC" }
        yield* (yield* Campaigns).update(tenant.workspace.id, id, {
          call_config: config({ call_time, call_retry_config: { retry_count: 1, retry_busy: 10 } })
        })
        for (let i = 0; i < 12; i++) yield* TestClock.adjust("10 minutes")
        const later = (yield* dialled).slice(early)
        assert.isAbove(later.length, 50)
        for (const { at } of later) assert.isTrue(isOpen(call_time, at))
        assert.strictEqual(among(later, [numbers[0]!]), 1)
      }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is paused when credits run out, and goes on once there are some", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({}, 5)
      const { id } = yield* Platform.campaign(tenant, Platform.callees(20, "0123"))
      yield* start(tenant, id)
      yield* TestClock.adjust("10 minutes")
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual([paused.status, paused.reason], ["paused", "insufficient_credits"])
      assert.strictEqual(paused.failed, 0)
      assert.strictEqual(yield* (yield* Credits).balance(tenant.workspace.id), 0)
      yield* (yield* Credits).topUp(tenant.workspace.id, 1_000, null)
      yield* start(tenant, id)
      yield* TestClock.adjust("20 minutes")
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.completed], ["completed", 20])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("is paused by its circuit breaker when more than half have failed of at least 20 dials", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const numbers = [...Platform.callees(9, "0123"), ...Platform.callees(200, "0003", 100)]
      const { id } = yield* Platform.campaign(tenant, numbers, { max_concurrency: 1 })
      yield* start(tenant, id)
      for (let i = 0; i < 60; i++) yield* TestClock.adjust("1 minute")
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual([paused.status, paused.reason], ["paused", "failure_rate"])
      assert.strictEqual(paused.attempts, 20)
      yield* start(tenant, id)
      for (let i = 0; i < 60; i++) yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* standing(tenant, id)).attempts, 40)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("calls that are not answered do not trip the breaker", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const numbers = [...Platform.callees(40, "0002"), ...Platform.callees(40, "0001", 100)]
      const { id } = yield* Platform.campaign(tenant, numbers)
      yield* start(tenant, id)
      for (let i = 0; i < 10; i++) yield* TestClock.adjust("1 minute")
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.failed], ["completed", 80])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("whose agent or caller ID is gone is paused, and no recipient is used up", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const agents = yield* Agents
      const { id } = yield* Platform.campaign(tenant, Platform.callees(20, "0123"), { max_concurrency: 2 })
      yield* start(tenant, id)
      yield* TestClock.adjust("5 seconds")
      yield* agents.update(tenant.workspace.id, tenant.agent.id, { published: false })
      yield* TestClock.adjust("10 minutes")
      const paused = yield* standing(tenant, id)
      assert.deepStrictEqual(
        [paused.status, paused.reason, paused.completed, paused.pending],
        ["paused", "agent_not_published", 2, 18]
      )
      yield* agents.update(tenant.workspace.id, tenant.agent.id, { published: true })
      yield* (yield* PhoneNumbers).remove(tenant.workspace.id, tenant.number.id)
      yield* start(tenant, id)
      yield* TestClock.adjust("1 minute")
      const stopped = yield* standing(tenant, id)
      assert.deepStrictEqual([stopped.status, stopped.reason], ["paused", "phone_number_not_found"])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("skips numbers on the do-not-call list, whether they were there before or came later", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const list = yield* DoNotCallList
      const numbers = Platform.callees(10, "0123")
      yield* list.add(tenant.workspace.id, numbers.slice(0, 3))
      const { id } = yield* Platform.campaign(tenant, numbers)
      assert.strictEqual((yield* standing(tenant, id)).skipped, 3)
      yield* list.add(tenant.workspace.id, numbers.slice(3, 5))
      yield* start(tenant, id)
      yield* TestClock.adjust("10 minutes")
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.skipped, done.completed], ["completed", 5, 5])
      assert.strictEqual((yield* dialled).length, 5)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("one whose recipients are all to be skipped is completed as soon as it starts", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const numbers = Platform.callees(2, "0123")
      yield* (yield* DoNotCallList).add(tenant.workspace.id, numbers)
      const { id } = yield* Platform.campaign(tenant, numbers)
      yield* start(tenant, id)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* standing(tenant, id)).status, "completed")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("recipients that come while it runs are called with it", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, Platform.callees(1, "0123"))
      yield* start(tenant, id)
      yield* TestClock.adjust("2 seconds")
      yield* (yield* Recipients).add(tenant.workspace.id, id, [
        { phone_number: Platform.callees(1, "0123", 5)[0]!, timezone: null, variables: RawJson("{}") }
      ])
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* dialled).length, 2)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a recipient's call that is cancelled by itself leaves the campaign running", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, Platform.callees(3, "0123"), { max_concurrency: 1 })
      yield* start(tenant, id)
      yield* TestClock.adjust("8 seconds")
      const calls = yield* Calls
      const { data } = yield* calls.list(tenant.workspace.id, { campaign_id: id }, { limit: 10, offset: 0 })
      yield* calls.cancel(tenant.workspace.id, data[0]!.call_id)
      yield* TestClock.adjust("10 minutes")
      const done = yield* standing(tenant, id)
      assert.deepStrictEqual([done.status, done.completed, done.skipped], ["completed", 2, 1])
    }).pipe(Effect.provide(Platform.layer()))
  )
})

describe("pacing", () => {
  it.scoped("max_concurrency, calls_per_minute and the workspace's caps all hold at once, exactly", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 12, calls_per_second: 2 })
      const repository = yield* Repository
      const { id } = yield* Platform.campaign(tenant, Platform.callees(120, "0123"), {
        max_concurrency: 8,
        calls_per_minute: 10
      })
      yield* start(tenant, id)
      for (let i = 0; i < 900; i++) {
        yield* TestClock.adjust("1 second")
        assert.isAtMost(yield* repository.calls.countLive(tenant.workspace.id), 8)
      }
      const dials = yield* dialled
      assert.strictEqual(dials.length, 120)
      const within = (at: number, span: number) =>
        dials.filter((other) => other.at > at - span && other.at <= at).length
      for (const { at } of dials) {
        assert.isAtMost(within(at, 60_000), 10)
        assert.isAtMost(within(at, 1_000), 2)
      }
      // Nothing is held back for longer than the caps ask: ten a minute, twelve minutes.
      assert.isAtMost(dials.at(-1)!.at - dials[0]!.at, 12 * 60_000)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("campaigns of one workspace share its slots equally, whichever came first", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 12 })
      const repository = yield* Repository
      const lists = [0, 1, 2].map((i) => Platform.callees(400, "0123", i * 1_000))
      const live = (id: string) =>
        Effect.map(repository.campaigns.counters(tenant.workspace.id, id), (counters) =>
          counters._tag === "Some" ? counters.value.in_progress : -1
        )
      const first = yield* Platform.campaign(tenant, lists[0]!)
      yield* start(tenant, first.id)
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* live(first.id), 12)
      const second = yield* Platform.campaign(tenant, lists[1]!)
      const third = yield* Platform.campaign(tenant, lists[2]!, { max_concurrency: 2 })
      yield* start(tenant, second.id)
      yield* start(tenant, third.id)
      for (let i = 0; i < 300; i++) yield* TestClock.adjust("1 second")
      for (let i = 0; i < 60; i++) {
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(
          [yield* live(first.id), yield* live(second.id), yield* live(third.id)],
          [5, 5, 2]
        )
      }
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("with a cap on dials a second, campaigns take turns", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ calls_per_second: 3 })
      const lists = [0, 1].map((i) => Platform.callees(60, "0007", i * 1_000))
      for (const numbers of lists) {
        const { id } = yield* Platform.campaign(tenant, numbers)
        // Unanswerable numbers end at once; the breaker must not look at them.
        yield* start(tenant, id)
      }
      yield* TestClock.adjust("3 seconds")
      const dials = yield* dialled
      assert.isAtLeast(dials.length, 9)
      const counts = lists.map((numbers) => among(dials, numbers))
      assert.isAtMost(Math.abs(counts[0]! - counts[1]!), 1)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("single calls go before campaigns", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant({ max_concurrency: 4 })
      const numbers = Platform.callees(200, "0123")
      const { id } = yield* Platform.campaign(tenant, numbers)
      yield* start(tenant, id)
      yield* TestClock.adjust("2 seconds")
      const single: Array<string> = []
      for (let i = 0; i < 6; i++) single.push((yield* Platform.place(tenant, "0123")).to_number)
      yield* TestClock.adjust("80 seconds")
      const dials = (yield* dialled).map(({ to_number }) => to_number)
      assert.deepStrictEqual(dials.slice(4, 10), single)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("a pace that is changed while it runs holds from then on", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, Platform.callees(300, "0123"), { calls_per_minute: 5 })
      yield* start(tenant, id)
      yield* TestClock.adjust("150 seconds")
      assert.strictEqual((yield* dialled).length, 15)
      yield* (yield* Campaigns).update(tenant.workspace.id, id, { calls_per_minute: 60 })
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* dialled).length, 70)
    }).pipe(Effect.provide(Platform.layer()))
  )
})
