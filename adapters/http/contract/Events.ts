import { Qualification, Sentiment } from "../../../core/model/conversations/Review.ts"
import { type EventType, receives } from "../../../core/model/webhooks/Webhook.ts"
import * as Examples from "./Examples.ts"

type Json = Readonly<Record<string, unknown>>

const text = (description?: string) => ({ type: "string", ...(description && { description }) })
const textOrNull = (description: string) => ({ anyOf: [{ type: "string" }, { type: "null" }], description })

/** The body of an event. Source: contract, "Events". */
const bodyOf = (type: EventType, data: Json): Json => ({
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
    call_id: text(),
    agent_id: text(),
    session_id: textOrNull("The attempt's session; null before the first dial"),
    campaign_id: textOrNull("The call's campaign, if it has one"),
    recipient_id: textOrNull("The campaign's recipient that is called"),
    attempt_number: { anyOf: [{ type: "integer" }, { type: "null" }], description: "From 1" },
    metadata: {
      anyOf: [{ type: "object" }, { type: "null" }],
      description: "The `metadata` of the call, byte for byte as it was supplied"
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

const kinds: Readonly<Record<EventType, readonly [summary: string, record: Json, data: unknown]>> = {
  call_started: ["An attempt was answered", ofCall, Examples.startedCall],
  call_completed: ["A call has ended for good", ofCall, Examples.completedCall],
  recording_completed: [
    "A recording is ready",
    { $ref: "#/components/schemas/Recording" },
    Examples.recording
  ],
  call_reviewed: ["The conversation of a call was reviewed", reviewed, Examples.reviewed]
}

const sentTo = (type: EventType): string =>
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
          `${sentTo(type as EventType)} \`POST /webhooks\` registers a ` +
          "receiver; its `secret` verifies the signature, by Standard Webhooks.",
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: bodyOf(type as EventType, record),
              example: Examples.event(type as EventType, data)
            }
          }
        },
        responses: answers
      }
    }
  ])
)
