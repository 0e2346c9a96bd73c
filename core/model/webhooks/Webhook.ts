import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import type { SigningSecret } from "./SigningSecret.ts"

const standard = ["call_started", "call_completed", "recording_completed"] as const

/** The kinds of events that an endpoint may name. */
export const EventType = Schema.Literal(
  ...standard,
  "call_reviewed",
  "campaign_started",
  "campaign_paused",
  "campaign_completed",
  "message_status",
  "import_completed",
  "test_run_completed"
)
export type EventType = typeof EventType.Type

/** The kinds of events that are sent: those that an endpoint may name, and what tries an endpoint out. */
export const SentType = Schema.Literal(...EventType.literals, "webhook_test")
export type SentType = typeof SentType.Type

/** Events of these kinds are of one call, or of one message. */
const ofCalls: ReadonlySet<SentType> = new Set([...standard, "call_reviewed", "message_status"])

export const isOfCall = (type: SentType): boolean => ofCalls.has(type)

/** Whether an endpoint gets events of a kind. One that names none gets the contract's: the others are additions. */
export const receives = ({ event_types }: Pick<Webhook, "event_types">, type: EventType): boolean =>
  (event_types.length === 0 ? (standard as ReadonlyArray<EventType>) : event_types).includes(type)

/** A receiving address. */
export const Webhook = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  url: Schema.String,
  /** The kinds that it receives; empty: those of the contract. */
  event_types: Schema.Array(EventType),
  status: Schema.Literal("active", "disabled"),
  /** Why it was disabled: by its owner, or because the receiver answered 410. */
  disabled_reason: Schema.NullOr(Schema.Literal("user", "gone")),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Webhook" })

/** Its secret is never shown again after creation and rotation. */
export interface Webhook extends Schema.Schema.Type<typeof Webhook>, SigningSecret {}

/** Something that happened, with the body that every receiver gets, byte for byte. */
export interface WebhookEvent {
  readonly id: string
  readonly customer_id: string
  /** The call, message, campaign, test run or webhook that it happened to. */
  readonly subject_id: string
  readonly event_type: SentType
  readonly body: string
  readonly created_at: number
}

export const DeliveryStatus = Schema.Literal("pending", "delivered", "dead")
export type DeliveryStatus = typeof DeliveryStatus.Type

/** One event on its way to one endpoint. The deliveries of one subject to one endpoint form a lane. */
export const Delivery = Schema.Struct({
  id: Schema.String,
  webhook_id: Schema.String,
  event_id: Schema.String,
  event_type: SentType,
  call_id: Schema.NullOr(Schema.String).annotations({
    description: "The call or the message of the event; null of the other kinds"
  }),
  subject_id: Schema.String.annotations({
    description:
      "The call, message, campaign, test run or webhook of the event. Events of one subject arrive in order"
  }),
  status: DeliveryStatus,
  /** Tries so far. */
  attempts: Schema.Int,
  response_status: Schema.NullOr(Schema.Int),
  last_error: Schema.NullOr(Schema.String),
  next_attempt_at: Schema.NullOr(Timestamp),
  delivered_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Delivery" })

/**
 * Only the head of a lane has a `next_attempt_at`; while it is being tried, that is the time at which the
 * try counts as lost. Lanes are ordered by id.
 */
export interface Delivery extends Schema.Schema.Type<typeof Delivery> {
  readonly customer_id: string
}
