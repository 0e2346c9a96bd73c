import { Effect, Queue, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { Webhook as Verifier } from "standardwebhooks"
import { signatureHeaders } from "../../../adapters/shared/Signature.ts"
import * as HttpSink from "../../../adapters/webhooks/HttpSink.ts"
import {
  verifyWebhook,
  type VerifyWebhookOptions,
  type WebhookEvent,
  WebhookVerificationError
} from "../../../apps/client/main.ts"
import { bareSubject, eventBody, ofCall, ofCampaign } from "../../../core/engine/Outbox.ts"
import { toJson } from "../../../core/model/calls/Call.ts"
import { toJson as campaignJson } from "../../../core/model/campaigns/Campaign.ts"
import { ImportSummary } from "../../../core/model/campaigns/CampaignImport.ts"
import type { Review } from "../../../core/model/conversations/Review.ts"
import { statusJson } from "../../../core/model/calls/MessageStatus.ts"
import { toJson as recordingJson } from "../../../core/model/recordings/Recording.ts"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import { isOfCall, SentType, Webhook } from "../../../core/model/webhooks/Webhook.ts"
import { WebhookSink } from "../../../core/ports/WebhookSink.ts"
import {
  makeAttempt,
  makeCall,
  makeImport,
  makeRecording,
  makeRun,
  makeState,
  makeWebhook
} from "../../contracts/repository/Fixtures.ts"
import { asText, listen } from "../../Listener.ts"
import { ask } from "./Rig.ts"

const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_Kl9MmYBSTKiKL1yBKJfO5xxlCHkXqYWh"]
const [secret, other] = secrets as [string, string]
const body = '{"event_type":"call_completed","metadata":{"n":1.0},"name":"Zoë ☎"}'

const signed = (
  over: { readonly body?: string; readonly secrets?: ReadonlyArray<string> } = {},
  at = Date.now()
) => signatureHeaders({ id: "evt_1", body, secrets: [secret], ...over }, at)

const refusal = (options: Partial<VerifyWebhookOptions>) =>
  Effect.promise(async () => {
    try {
      await verifyWebhook({ secret, headers: signed(), body, ...options })
      return null
    } catch (error) {
      return error instanceof WebhookVerificationError ? error.reason : (error as Error).name
    }
  })

const call = makeCall(1)
const attempt = makeAttempt(1)
const recording = makeRecording(1)
const campaign = makeState(1)
const ofTheCampaign = `${campaign.campaign.id} ${campaign.campaign.status} 0`

const review: Review = {
  summary: "Ada will come.",
  sentiment: "positive",
  qualification_status: "qualified",
  answers: { guests: 2 }
}

const data: Readonly<Record<SentType, string>> = {
  call_started: toJson(call),
  call_completed: toJson(call),
  recording_completed: recordingJson(recording),
  call_reviewed: JSON.stringify({ session_id: attempt.session_id, agent_version: 2, ...review }),
  campaign_started: campaignJson(campaign),
  campaign_paused: campaignJson(campaign),
  campaign_completed: campaignJson(campaign),
  message_status: statusJson(attempt),
  import_completed: JSON.stringify(Schema.encodeSync(ImportSummary)(makeImport(1))),
  test_run_completed: JSON.stringify(Schema.encodeSync(RunSummary)(makeRun(1))),
  webhook_test: JSON.stringify(Schema.encodeSync(Webhook)(makeWebhook(1)))
}

const isOfCampaign = (type: SentType) => type.startsWith("campaign_") || type === "import_completed"

const subjectOf = (type: SentType) =>
  isOfCall(type)
    ? ofCall(call, attempt)
    : isOfCampaign(type)
      ? ofCampaign(campaign.campaign)
      : bareSubject(call.customer_id, "run_1")

/** What an event says, as its type lets a program read it. */
const told = (event: WebhookEvent): string => {
  switch (event.event_type) {
    case "call_started":
    case "call_completed":
      return `${event.call_id} ${event.data.status} ${event.data.to_number_masked.slice(-4)}`
    case "recording_completed":
      return `${event.call_id} ${event.data.id} ${event.data.duration_seconds}`
    case "call_reviewed":
      return `${event.call_id} ${event.data.session_id} ${event.data.summary}`
    case "campaign_started":
    case "campaign_paused":
    case "campaign_completed":
      return `${event.campaign_id} ${event.data.status} ${event.data.stats.total}`
    case "message_status":
      return `${event.call_id} ${event.data.id} ${event.data.message_status}`
    case "import_completed":
      return `${event.campaign_id} ${event.data.accepted_rows}`
    case "test_run_completed":
      return `${event.call_id} ${event.data.counts.total}`
    case "webhook_test":
      return `${event.call_id} ${event.data.url}`
  }
}

describe("a webhook event", () => {
  it.scopedLive("verifies as the platform sends it, and is of its type", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      const sink = yield* WebhookSink
      const seen: Array<string> = []
      for (const event_type of SentType.literals) {
        const head = { id: "evt_1", event_type, created_at: 0 }
        const sent = eventBody(head, subjectOf(event_type), data[event_type])
        yield* sink.deliver({
          id: "evt_1",
          webhook_id: "whk_1",
          url: `${server.url}/`,
          secrets: [secret],
          body: sent
        })
        const { body, headers } = yield* Queue.take(server.received)
        const event = yield* ask(() => verifyWebhook({ secret, headers, body }))
        assert.deepStrictEqual(event, JSON.parse(sent))
        assert.sameMembers(Object.keys(event), fields)
        seen.push(told(event))
      }
      assert.deepStrictEqual(seen, [
        `${call.call_id} ${call.status} ${call.to_number.slice(-4)}`,
        `${call.call_id} ${call.status} ${call.to_number.slice(-4)}`,
        `${call.call_id} ${recording.id} ${recording.duration_seconds}`,
        `${call.call_id} ${attempt.session_id} Ada will come.`,
        ofTheCampaign,
        ofTheCampaign,
        ofTheCampaign,
        `${call.call_id} ${attempt.id} ${attempt.outcome ?? "sent"}`,
        `${campaign.campaign.id} ${makeImport(1).accepted_rows}`,
        `null ${makeRun(1).counts.total}`,
        `null ${makeWebhook(1).url}`
      ])
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true })))
  )

  it.effect("verifies as Standard Webhooks signs it", () =>
    Effect.gen(function* () {
      const now = new Date()
      const headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
        "webhook-signature": new Verifier(secret).sign("msg_1", now, body)
      }
      assert.deepStrictEqual(
        (yield* ask(() => verifyWebhook({ secret, headers, body }))) as unknown,
        JSON.parse(body)
      )
    })
  )

  it.effect("verifies with its headers and its body in any form that a runtime has", () =>
    Effect.gen(function* () {
      const lower = signed()
      const upper = Object.fromEntries(
        Object.entries(lower).map(([name, value]) => [name.toUpperCase(), value])
      )
      const bytes = new TextEncoder().encode(body)
      for (const headers of [lower, upper, new Headers(lower)]) {
        for (const form of [body, bytes, bytes.buffer, Buffer.from(body)]) {
          assert.isNull(yield* refusal({ headers, body: form }))
        }
      }
    })
  )

  it.effect("verifies during a rotation with either secret, and with any of several", () =>
    Effect.gen(function* () {
      const headers = signed({ secrets })
      assert.isNull(yield* refusal({ headers, secret: other }))
      assert.isNull(yield* refusal({ headers: signed(), secret: undefined, secrets: [other, secret] }))
      assert.isNull(yield* refusal({ headers: signed({ secrets: [other] }), secrets: [other] }))
    })
  )

  it.effect("does not verify with another secret, body, id or time", () =>
    Effect.gen(function* () {
      const headers = signed()
      const later = String(Number(headers["webhook-timestamp"]) + 1)
      for (const over of [
        { secret: other },
        { body: `${body} ` },
        { headers: { ...headers, "webhook-id": "evt_2" } },
        { headers: { ...headers, "webhook-timestamp": later } }
      ]) {
        assert.strictEqual(yield* refusal(over), "no_matching_signature")
      }
    })
  )

  it.effect("does not verify without each of its headers", () =>
    Effect.gen(function* () {
      for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"]) {
        assert.strictEqual(yield* refusal({ headers: { ...signed(), [name]: undefined } }), "missing_headers")
      }
    })
  )

  it.effect("does not verify five minutes before or after its time, or what is allowed instead", () =>
    Effect.gen(function* () {
      const at = (seconds: number) => ({ headers: signed({}, Date.now() + seconds * 1_000) })
      assert.isNull(yield* refusal(at(-295)))
      assert.isNull(yield* refusal(at(295)))
      assert.strictEqual(yield* refusal(at(-302)), "too_old")
      assert.strictEqual(yield* refusal(at(305)), "too_new")
      assert.strictEqual(yield* refusal({ ...at(-62), toleranceSeconds: 60 }), "too_old")
      assert.isNull(yield* refusal({ ...at(-3_000), toleranceSeconds: 3_600 }))
      for (const timestamp of ["now", "1e9", "-1", "0x10", " 1"]) {
        const headers = { ...signed(), "webhook-timestamp": timestamp }
        assert.strictEqual(yield* refusal({ headers }), "invalid_timestamp")
      }
    })
  )

  it.effect("takes no signature of another scheme or form for a match", () =>
    Effect.gen(function* () {
      const { "webhook-signature": good } = signed()
      for (const signature of [
        "v1",
        "v1,",
        "v1,%%",
        good.replace("v1,", "v1a,"),
        good.slice(3),
        `${good}A`
      ]) {
        const headers = { ...signed(), "webhook-signature": signature }
        assert.strictEqual(yield* refusal({ headers }), "no_matching_signature")
      }
      const headers = { ...signed(), "webhook-signature": `v1a,AAAA v1,%% ${good}` }
      assert.isNull(yield* refusal({ headers }))
    })
  )

  it.effect("does not verify with a body that is signed and is not JSON in UTF-8", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusal({ headers: signed({ body: "{" }), body: "{" }), "invalid_body")
    })
  )

  it.effect("asks for a secret that is one", () =>
    Effect.gen(function* () {
      for (const wrong of ["whsec_", "", "whsec_%"]) {
        assert.strictEqual(yield* refusal({ secret: wrong }), "TypeError")
      }
      assert.strictEqual(yield* refusal({ secret: undefined }), "TypeError")
    })
  )

  it.effect.prop(
    "verifies whatever its body and its secret",
    [FastCheck.json(), FastCheck.uint8Array({ minLength: 24, maxLength: 64 })],
    ([text, key]) =>
      Effect.gen(function* () {
        const own = `whsec_${Buffer.from(key).toString("base64")}`
        const headers = signed({ body: text, secrets: [own] })
        const event = yield* ask(() => verifyWebhook({ secret: own, headers, body: text }))
        assert.deepStrictEqual(event as unknown, JSON.parse(text))
      }),
    { fastCheck: { numRuns: 30 } }
  )
})

/** Of the type of events, checked against it by the compiler. */
const fields = Object.keys({
  id: true,
  event_type: true,
  created_at: true,
  customer_id: true,
  call_id: true,
  agent_id: true,
  session_id: true,
  campaign_id: true,
  recipient_id: true,
  attempt_number: true,
  metadata: true,
  data: true
} satisfies Record<keyof WebhookEvent, true>)
