import { Qualification, Sentiment } from "../../../core/model/conversations/Review.ts"
import { type EventType, isOfCall, receives, type SentType } from "../../../core/model/webhooks/Webhook.ts"
import * as CampaignExamples from "./CampaignExamples.ts"
import * as Examples from "./Examples.ts"
import * as SuiteExamples from "./SuiteExamples.ts"

type Json = Readonly<Record<string, unknown>>

const text = (description?: string) => ({ type: "string", ...(description && { description }) })
const textOrNull = (description: string) => ({ anyOf: [{ type: "string" }, { type: "null" }], description })

/** The body of an event. Source: contract, "Events". */
const bodyOf = (type: SentType, data: Json): Json => ({
  type: "object",
  required: [
    "id",
    "event_type",
    "created_at",
    "customer_id",
    "call_id",
    "agent_id",
    "session_id",
    "campaign_id",
    "recipient_id",
    "attempt_number",
    "metadata",
    "data"
  ],
  properties: {
    id: text("The event's id, the same at every try and at every receiver"),
    event_type: { type: "string", enum: [type] },
    created_at: { $ref: "#/components/schemas/Timestamp" },
    customer_id: text("The workspace"),
    call_id: isOfCall(type)
      ? text(type === "message_status" ? "The message" : undefined)
      : textOrNull("Null: the event is not of a call"),
    agent_id: type === "webhook_test" ? textOrNull("Null") : text(),
    session_id: textOrNull("The attempt's session; null before the first dial"),
    campaign_id: textOrNull("The campaign that the event belongs to, if there is one"),
    recipient_id: textOrNull("The campaign's recipient that is called or written to"),
    attempt_number: { anyOf: [{ type: "integer" }, { type: "null" }], description: "From 1" },
    metadata: {
      anyOf: [{ type: "object" }, { type: "null" }],
      description: "The `metadata` of the call or the campaign, byte for byte as it was supplied"
    },
    data
  }
})

const headers = [
  ["webhook-id", "The event's id: a repeated delivery has the same"],
  ["webhook-timestamp", "The time of the try, in seconds since 1970"],
  [
    "webhook-signature",
    "`v1,` and the signature in base64; two, separated by a space, for 24 hours after a rotation"
  ]
].map(([name, description]) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" }
}))

const answers = {
  "2XX": { description: "The delivery is acknowledged" },
  "410": { description: "The webhook is disabled, and nothing more is sent to it" },
  default: { description: "The delivery is tried again later, at most ten times in all" }
}

const ofCall = { $ref: "#/components/schemas/Call" }

/** Source: `core/model/conversations/Review.ts`. */
const reviewed: Json = {
  type: "object",
  required: ["session_id", "agent_version", "summary", "sentiment", "qualification_status", "answers"],
  properties: {
    session_id: text(),
    agent_version: {
      anyOf: [{ type: "integer" }, { type: "null" }],
      description: "Null for an agent that had no version"
    },
    summary: text(),
    sentiment: { anyOf: [{ type: "string", enum: Sentiment.literals }, { type: "null" }] },
    qualification_status: { type: "string", enum: Qualification.literals },
    answers: {
      type: "object",
      description: "By the names of the agent's questions; null where the conversation does not answer one"
    }
  }
}

const ofCampaign = { $ref: "#/components/schemas/Campaign" }
const whole = { type: "integer" }

/** Source: `core/model/campaigns/CampaignImport.ts`. */
const imported: Json = {
  type: "object",
  description: "The import's record without its errors, which are read from the record or its `errors_url`",
  required: [
    "id",
    "campaign_id",
    "filename",
    "source_uri",
    "status",
    "total_rows",
    "accepted_rows",
    "rejected_rows",
    "metadata",
    "created_at",
    "completed_at"
  ],
  properties: {
    id: text(),
    campaign_id: text(),
    filename: text(),
    source_uri: textOrNull("Null of an upload"),
    status: { type: "string", enum: ["completed", "completed_with_errors", "failed"] },
    total_rows: whole,
    accepted_rows: whole,
    rejected_rows: whole,
    metadata: { type: "object", required: ["content_type"], properties: { content_type: text() } },
    created_at: { $ref: "#/components/schemas/Timestamp" },
    completed_at: { $ref: "#/components/schemas/Timestamp" }
  }
}

/** Source: `core/model/calls/MessageStatus.ts`. */
const ofMessage: Json = {
  allOf: [
    { $ref: "#/components/schemas/Attempt" },
    {
      type: "object",
      required: ["message_status"],
      properties: {
        message_status: {
          type: "string",
          enum: ["sent", "delivered", "failed", "cancelled", "unknown"],
          description: "`sent` when the provider has passed the message on, and when no receipt came"
        }
      }
    }
  ]
}

const { errors: _errors, errors_url: _url, ...importExample } = CampaignExamples.campaignImport

const kinds: Readonly<Record<SentType, readonly [summary: string, record: Json, data: unknown]>> = {
  call_started: ["An attempt was answered", ofCall, Examples.startedCall],
  call_completed: ["A call has ended for good", ofCall, Examples.completedCall],
  recording_completed: [
    "A recording is ready",
    { $ref: "#/components/schemas/Recording" },
    Examples.recording
  ],
  call_reviewed: ["The conversation of a call was reviewed", reviewed, Examples.reviewed],
  campaign_started: [
    "A campaign runs: it was started, was resumed, or goes on with recipients that came late",
    ofCampaign,
    CampaignExamples.running
  ],
  campaign_paused: [
    "A running campaign was paused; `status_reason` says by what",
    ofCampaign,
    CampaignExamples.paused
  ],
  campaign_completed: [
    "A campaign is over: completed, failed or cancelled",
    ofCampaign,
    CampaignExamples.completed
  ],
  message_status: [
    "A message was passed on, or an attempt at it has come to its end",
    ofMessage,
    CampaignExamples.messageStatus
  ],
  import_completed: ["An import of recipients has come to its end", imported, importExample],
  test_run_completed: [
    "A test run has come to its end",
    { $ref: "#/components/schemas/TestRunSummary" },
    SuiteExamples.completed
  ],
  webhook_test: [
    "A webhook was tried out by `POST /webhooks/{webhook_id}/test`",
    { $ref: "#/components/schemas/Webhook" },
    Examples.webhook
  ]
}

/** What the heads of events that are not of a call have. */
const heads: Readonly<Partial<Record<SentType, Json>>> = {
  campaign_started: Examples.ofCampaign,
  campaign_paused: Examples.ofCampaign,
  campaign_completed: Examples.ofCampaign,
  message_status: Examples.ofMessage,
  import_completed: Examples.ofCampaign,
  test_run_completed: { ...Examples.ofNoCall, agent_id: Examples.ids.agent },
  webhook_test: Examples.ofNoCall
}

const sentTo = (type: SentType): string =>
  type === "webhook_test"
    ? "An addition. Sent to the webhook that is tried out, whatever kinds of events it names."
    : sentToNamed(type)

const sentToNamed = (type: EventType): string =>
  receives({ event_types: [] }, type)
    ? "Sent to every active webhook that names this kind of event, or none."
    : "An addition. Sent to every active webhook that names this kind of event."

/** The `webhooks` of an OpenAPI document: what is posted to receivers. Source: Standard Webhooks 1.0. */
export const webhooks: Json = Object.fromEntries(
  Object.entries(kinds).map(([type, [summary, record, data]]) => [
    type,
    {
      post: {
        operationId: `on_${type}`,
        tags: ["webhooks"],
        summary,
        description:
          `${sentTo(type as SentType)} \`POST /webhooks\` registers a ` +
          "receiver; its `secret` verifies the signature, by Standard Webhooks.",
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: bodyOf(type as SentType, record),
              example: Examples.event(type as SentType, data, heads[type as SentType])
            }
          }
        },
        responses: answers
      }
    }
  ])
)
