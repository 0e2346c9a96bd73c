import { Schema } from "effect"
import { hour, isoTimestamp, JsonObject, Timestamp } from "../Codecs.ts"
import { RawJson } from "../json/RawJson.ts"
import { maskNumber } from "../numbers/Masking.ts"
import { timezoneOf } from "./Place.ts"

export const RecipientStatus = Schema.Literal(
  "pending",
  "in_progress",
  "retry_scheduled",
  "completed",
  "failed",
  "skipped",
  "cancelled"
)
export type RecipientStatus = typeof RecipientStatus.Type

/** Source: contract, "Recipient"; `timezone` is an addition. */
export const RecipientRecord = Schema.Struct({
  id: Schema.String,
  campaign_id: Schema.String,
  phone_number_masked: Schema.String,
  status: RecipientStatus,
  timezone: Schema.NullOr(Schema.String).annotations({
    description:
      "The zone that the calling window is moved to: the recipient's own, or that of its number where the campaign asks for " +
      "it; several are joined by `&`"
  }),
  variables: JsonObject,
  msg_context: JsonObject.annotations({
    description:
      "Empty until the person has written; then `last_customer_message`, the text of the last message that had one"
  }),
  outcome: JsonObject.annotations({
    description: "Empty until the recipient was tried; then the outcome, its reason and the call"
  }),
  answers: JsonObject,
  qualification_status: Schema.NullOr(Schema.String),
  sentiment: Schema.NullOr(Schema.String),
  next_action_at: Schema.NullOr(Timestamp),
  last_customer_message_at: Schema.NullOr(Timestamp),
  service_window_expires_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Recipient" })
export type RecipientRecord = typeof RecipientRecord.Type

/** One to be called by a campaign. Its status follows its call. */
export interface Recipient {
  readonly id: string
  readonly customer_id: string
  readonly campaign_id: string
  readonly phone_number: string
  readonly status: RecipientStatus
  /** The place in which it waits: its timezone, with the country of its number in a campaign that skips holidays. */
  readonly timezone: string | null
  /** The call that it became; null before the first dial. */
  readonly call_id: string | null
  /** A JSON object, as supplied. */
  readonly variables: RawJson
  /** What came of it, a JSON object; null before the first try has ended. */
  readonly outcome: RawJson | null
  /** What was learnt in its conversation, a JSON object of `answers`, `qualification_status` and `sentiment`. */
  readonly review: RawJson | null
  readonly next_action_at: number | null
  /** When the person last sent a message to the number that the campaign sends from. */
  readonly last_customer_message_at: number | null
  /** The text of the last such message that had one. */
  readonly last_customer_message: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** Its call goes on, or waits for a retry. */
export const isUnderWay = ({ status }: Recipient): boolean =>
  status === "in_progress" || status === "retry_scheduled"

/** How long a customer who has sent a message may be written to freely. Source: Meta, customer service windows. */
const serviceWindow = 24 * hour

const nullable = (millis: number | null) => (millis === null ? "null" : `"${isoTimestamp(millis)}"`)

/** Until when that is. */
export const windowOf = ({ last_customer_message_at: last }: Recipient) =>
  last === null ? null : last + serviceWindow

/** What a recipient has written, as the record's `msg_context`. */
export const msgContextOf = ({
  last_customer_message
}: Recipient): { readonly last_customer_message?: string } =>
  last_customer_message === null ? {} : { last_customer_message }

/** The members of an object in JSON. */
const membersOf = (json: string): string => json.slice(1, -1)

/** What is known of a recipient whose conversation was not reviewed. */
export const noReview = RawJson(`{"answers":{},"qualification_status":null,"sentiment":null}`)
const noReviewMembers = membersOf(noReview)

/**
 * The recipient's record as JSON text, its variables as supplied. Written out, since an import answers with
 * hundreds of thousands of them.
 */
export const toJson = (recipient: Recipient): string =>
  `{"id":"${recipient.id}","campaign_id":"${recipient.campaign_id}"` +
  `,"phone_number_masked":"${maskNumber(recipient.phone_number)}","status":"${recipient.status}"` +
  `,"timezone":${recipient.timezone === null ? "null" : JSON.stringify(timezoneOf(recipient.timezone))}` +
  `,"variables":${recipient.variables},"msg_context":${recipient.last_customer_message === null ? "{}" : JSON.stringify(msgContextOf(recipient))},"outcome":${recipient.outcome ?? "{}"}` +
  `,${recipient.review === null ? noReviewMembers : membersOf(recipient.review)}` +
  `,"next_action_at":${nullable(recipient.next_action_at)}` +
  `,"last_customer_message_at":${nullable(recipient.last_customer_message_at)}` +
  `,"service_window_expires_at":${nullable(windowOf(recipient))}` +
  `,"created_at":${nullable(recipient.created_at)},"updated_at":${nullable(recipient.updated_at)}}`
