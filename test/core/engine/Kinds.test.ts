import { Clock, Effect, Layer, Schema, Stream, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import * as Housekeeping from "../../../core/engine/Housekeeping.ts"
import { day, hour } from "../../../core/model/Codecs.ts"
import { EventType } from "../../../core/model/webhooks/Webhook.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Imports } from "../../../core/usecases/Imports.ts"
import { Runs } from "../../../core/usecases/Runs.ts"
import { Suites } from "../../../core/usecases/Suites.ts"
import { Webhooks } from "../../../core/usecases/Webhooks.ts"
import { csvFile } from "../../adapters/tables/Fixtures.ts"
import { makeImport } from "../../contracts/repository/Fixtures.ts"
import * as Platform from "../../Platform.ts"
import * as Messaging from "./MessageTenant.ts"

const Body = Schema.parseJson(
  Schema.Struct({
    id: Schema.String,
    event_type: Schema.String,
    call_id: Schema.NullOr(Schema.String),
    agent_id: Schema.NullOr(Schema.String),
    campaign_id: Schema.NullOr(Schema.String),
    recipient_id: Schema.NullOr(Schema.String),
    metadata: Schema.Unknown,
    data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
)
const read = Schema.decodeSync(Body)

/** An endpoint that names every kind of event. */
const endpoint = ({ workspace }: Pick<Platform.Tenant, "workspace">) =>
  Effect.flatMap(Webhooks, (webhooks) =>
    webhooks.create(workspace.id, { url: "https://example.com/all", event_types: EventType.literals })
  )

/** What an endpoint has received, oldest first. */
const received = (webhook_id: string) =>
  Effect.flatMap(WebhookInbox, ({ entries }) =>
    Effect.map(entries, (found) =>
      found
        .filter(({ message }) => message.webhook_id === webhook_id)
        .map(({ message }) => ({ ...read(message.body), text: message.body }))
    )
  )

const typesOf = (events: ReadonlyArray<{ readonly event_type: string }>) =>
  events.map(({ event_type }) => event_type)

describe("events", () => {
  it.scoped("tell of a campaign that runs, is paused, goes on and is over, in order, to who names them", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id: all } = yield* endpoint(tenant)
      const metadata = '{"batch":1.0,"id":12345678901234567890}'
      const { id } = yield* Platform.campaign(tenant, Platform.callees(3, "0123"), {
        metadata: metadata as never,
        max_concurrency: 1
      })
      const campaigns = yield* Campaigns
      yield* campaigns.start(tenant.workspace.id, id)
      yield* campaigns.start(tenant.workspace.id, id)
      yield* TestClock.adjust("1 second")
      yield* campaigns.update(tenant.workspace.id, id, { status: "paused" })
      yield* TestClock.adjust("10 minutes")
      yield* campaigns.start(tenant.workspace.id, id)
      yield* TestClock.adjust("10 minutes")
      const events = (yield* received(all)).filter(({ event_type }) => event_type.startsWith("campaign_"))
      assert.deepStrictEqual(typesOf(events), [
        "campaign_started",
        "campaign_paused",
        "campaign_started",
        "campaign_completed"
      ])
      for (const event of events) {
        assert.include(event.text, `"metadata":${metadata},"data":{`)
        assert.deepInclude(event, { call_id: null, campaign_id: id, agent_id: tenant.agent.id })
      }
      assert.deepInclude(events[1]!.data, { id, status: "paused", status_reason: "user" })
      assert.deepInclude(events[3]!.data["stats"], { total: 3, completed: 3 })
      const others = typesOf(yield* received(tenant.webhook.id))
      assert.sameMembers([...new Set(others)], ["call_started", "call_completed", "recording_completed"])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("tell that a campaign is over when it is cancelled", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id: all } = yield* endpoint(tenant)
      const { id } = yield* Platform.campaign(tenant, Platform.callees(2, "0123"))
      yield* (yield* Campaigns).update(tenant.workspace.id, id, { status: "cancelled" })
      yield* TestClock.adjust("1 minute")
      const [event, ...more] = yield* received(all)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(event, { event_type: "campaign_completed", campaign_id: id })
      assert.strictEqual(event!.data["status"], "cancelled")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("tell how far each message has got", () =>
    Effect.gen(function* () {
      const tenant = yield* Messaging.tenant()
      const { id: all } = yield* endpoint(tenant)
      const { id } = yield* Messaging.campaign(tenant, ["+14155550123", "+14155550003"])
      yield* Messaging.start(tenant, id)
      yield* TestClock.adjust("1 hour")
      const statuses = (yield* received(all)).filter(({ event_type }) => event_type === "message_status")
      const recipients = yield* Messaging.recipients(tenant, id)
      const of = (number: string) =>
        statuses
          .filter(({ recipient_id }) => recipient_id === recipients.get(number)!.id)
          .map(({ data }) => data["message_status"])
      assert.deepStrictEqual(of("+14155550123"), ["sent", "delivered"])
      assert.strictEqual(of("+14155550003").at(-1), "failed")
      const attempts = yield* Messaging.attempts(tenant, id)
      assert.includeMembers(
        statuses.map(({ data }) => data["id"]),
        attempts.map((attempt) => attempt.id)
      )
      for (const { call_id, data } of statuses) assert.strictEqual(call_id, data["call_id"])
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("tell that an import and a test run have come to their end", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { agent, workspace } = tenant
      const { id: all } = yield* endpoint(tenant)
      const { id } = yield* Platform.campaign(tenant, [])
      const file = csvFile([["phone"], ["+14155550123"], ["none"]])
      yield* Effect.scoped(
        Effect.flatMap(
          (yield* Imports).upload(workspace.id, id, { filename: "people.csv", file }),
          Stream.runDrain
        )
      )
      const wanted = { agent_id: agent.id, count: 1, judges: ["safety"], hint: null, name: null }
      const suite = yield* (yield* Suites).generate(workspace.id, wanted, "key_1")
      const run = yield* (yield* Runs).start(workspace.id, suite.id)
      yield* TestClock.adjust("1 hour")
      const [imported, ran] = yield* received(all)
      assert.deepInclude(imported, { event_type: "import_completed", campaign_id: id, agent_id: agent.id })
      assert.deepInclude(imported!.data, { status: "completed_with_errors", accepted_rows: 1 })
      assert.notProperty(imported!.data, "errors")
      assert.notInclude(imported!.text, "none")
      assert.deepInclude(ran, { event_type: "test_run_completed", campaign_id: null, agent_id: agent.id })
      assert.deepInclude(ran!.data, { id: run.id, status: "completed" })
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("tell once of an import whose process has died, and of none that goes on", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { workspace } = tenant
      const { id: all } = yield* endpoint(tenant)
      const { id } = yield* Platform.campaign(tenant, [])
      const { imports } = yield* Repository
      const { closeAllOverdue, get, upload } = yield* Imports
      const error = { row: 3, error: "missing", value: "" }
      const cutShort = makeImport(1, {
        customer_id: workspace.id,
        campaign_id: id,
        total_rows: 2,
        accepted_rows: 1,
        rejected_rows: 1
      })
      yield* imports.insert(cutShort, 60_000)
      yield* imports.addErrors(cutShort, [error])
      const file = csvFile([["phone"], ["+14155550123"]])
      const parts = yield* upload(workspace.id, id, { filename: "people.csv", file })
      yield* TestClock.adjust("1 hour")
      yield* Effect.all([closeAllOverdue, closeAllOverdue], { concurrency: "unbounded", discard: true })
      yield* closeAllOverdue
      assert.deepStrictEqual(yield* get(workspace.id, id, cutShort.id), {
        ...cutShort,
        status: "failed",
        errors: [error],
        completed_at: 3_600_000
      })
      yield* Stream.runDrain(parts)
      yield* TestClock.adjust("1 hour")
      const told = yield* received(all)
      assert.deepStrictEqual(
        told.map(({ data, event_type }) => [event_type, data["status"], data["accepted_rows"]]),
        [
          ["import_completed", "failed", 1],
          ["import_completed", "completed", 1]
        ]
      )
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("try one endpoint out, whatever it names, unless it is disabled", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      yield* endpoint(tenant)
      const webhooks = yield* Webhooks
      const tested = yield* webhooks.test(tenant.workspace.id, tenant.webhook.id)
      assert.deepInclude(tested, { status: "pending", event_type: "webhook_test", call_id: null })
      yield* TestClock.adjust("1 second")
      const entries = yield* (yield* WebhookInbox).entries
      assert.deepStrictEqual(
        entries.map(({ message }) => message.webhook_id),
        [tenant.webhook.id]
      )
      assert.notInclude(entries[0]!.message.body, "whsec_")
      yield* webhooks.update(tenant.workspace.id, tenant.webhook.id, { status: "disabled" })
      const refused = yield* Effect.flip(webhooks.test(tenant.workspace.id, tenant.webhook.id))
      assert.strictEqual(refused._tag, "WebhookDisabled")
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("are all sent once more from a time on, in the order of each call, and not those before", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const inbox = yield* WebhookInbox
      const webhooks = yield* Webhooks
      yield* Platform.place(tenant, "0123")
      yield* TestClock.adjust("10 minutes")
      const since = yield* Clock.currentTimeMillis
      const later = [yield* Platform.place(tenant, "0123"), yield* Platform.place(tenant, "0123")]
      yield* TestClock.adjust("10 minutes")
      yield* inbox.clear
      const again = yield* webhooks.redeliverSince(tenant.workspace.id, tenant.webhook.id, { since })
      assert.deepStrictEqual(again, { webhook_id: tenant.webhook.id, redelivered: 6 })
      yield* TestClock.adjust("1 minute")
      const events = yield* received(tenant.webhook.id)
      assert.strictEqual(events.length, 6)
      for (const { call_id } of later) {
        assert.deepStrictEqual(typesOf(events.filter((event) => event.call_id === call_id)), [
          "call_started",
          "call_completed",
          "recording_completed"
        ])
      }
      const dead = yield* webhooks.redeliverSince(tenant.workspace.id, tenant.webhook.id, {
        since: 0,
        status: "dead"
      })
      assert.strictEqual(dead.redelivered, 0)
    }).pipe(Effect.provide(Platform.layer()))
  )

  it.scoped("keep what an endpoint was sent and answered for thirty days", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { webhook, workspace } = tenant
      const webhooks = yield* Webhooks
      yield* (yield* WebhookInbox).respond(() => ({
        _tag: "Acknowledged",
        status: 200,
        body: `no\u0000ted \ud800${"x".repeat(5_000)}`
      }))
      const { id } = yield* webhooks.test(workspace.id, webhook.id)
      yield* Layer.build(Housekeeping.layer)
      yield* TestClock.adjust("1 second")
      const { delivery, request_body, response_body } = yield* webhooks.delivery(workspace.id, webhook.id, id)
      assert.strictEqual(delivery.status, "delivered")
      assert.strictEqual(read(request_body).event_type, "webhook_test")
      assert.isTrue(response_body!.startsWith("noted \ufffdxxx"))
      assert.isAtMost(response_body!.length, 4_096)
      yield* TestClock.adjust(30 * day - hour)
      yield* webhooks.delivery(workspace.id, webhook.id, id)
      yield* TestClock.adjust(2 * hour)
      const gone = yield* Effect.flip(webhooks.delivery(workspace.id, webhook.id, id))
      assert.strictEqual(gone._tag, "DeliveryNotFound")
    }).pipe(Effect.provide(Platform.layer()))
  )
})
