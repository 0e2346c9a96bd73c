import { Schema } from "effect"
import { Channel } from "../agents/Channel.ts"
import { isoOrNull, isoTimestamp, JsonObject, Timestamp } from "../Codecs.ts"
import type { RawJson } from "../json/RawJson.ts"
import { CampaignTemplate } from "../messages/CampaignTemplate.ts"
import { type CampaignCounters, Stats, statsOf } from "./CampaignCounters.ts"
import { breakerOf, FailureBreakerRecord } from "./FailureBreaker.ts"

export const CampaignStatus = Schema.Literal(
  "draft",
  "scheduled",
  "running",
  "paused",
  "completed",
  "failed",
  "cancelled"
)
export type CampaignStatus = typeof CampaignStatus.Type

/** Why a campaign is not running: its owner, or what stood in its way. */
export const StatusReason = Schema.Literal(
  "user",
  "insufficient_credits",
  "failure_rate",
  "engine_unavailable",
  "no_recipients",
  "agent_not_found",
  "agent_not_published",
  "agent_not_voice",
  "agent_not_msg",
  "phone_number_not_found",
  "template_not_found",
  "template_not_approved"
)
export type StatusReason = typeof StatusReason.Type

/** Where the calling window holds for recipients without a zone of their own. */
export const RecipientTimezone = Schema.Literal("by_number")
export type RecipientTimezone = typeof RecipientTimezone.Type

/** The campaign as its owner sees it. */
export const CampaignRecord = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  name: Schema.String,
  agent_id: Schema.String,
  channel: Channel,
  status: CampaignStatus,
  status_reason: Schema.NullOr(StatusReason),
  from_phone_number_id: Schema.String,
  template: Schema.NullOr(CampaignTemplate).annotations({
    description: "What a campaign of channel msg sends; null of one that calls"
  }),
  call_config: JsonObject,
  max_concurrency: Schema.NullOr(Schema.Int).annotations({
    description: "Calls under way at one time; null: as many as the workspace may have"
  }),
  calls_per_minute: Schema.NullOr(Schema.Int).annotations({
    description: "Dials started in any one minute; null: as many as the workspace may start"
  }),
  recipient_timezone: Schema.NullOr(RecipientTimezone).annotations({
    description: "`by_number`: the window holds in the zone of each recipient's number; null: in its own zone"
  }),
  skip_public_holidays: Schema.Boolean.annotations({
    description: "No recipient is called on a public holiday of the country of its number"
  }),
  failure_breaker: FailureBreakerRecord.annotations({
    description: "When the campaign is paused with `failure_rate`, because its dials fail"
  }),
  scheduled_for: Schema.NullOr(Timestamp),
  started_at: Schema.NullOr(Timestamp),
  completed_at: Schema.NullOr(Timestamp),
  stats: Stats,
  metadata: Schema.NullOr(JsonObject),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Campaign" })
export type CampaignRecord = typeof CampaignRecord.Type

/** A campaign: one agent calls many recipients. What was supplied as JSON is kept as supplied. */
export interface Campaign {
  readonly id: string
  readonly customer_id: string
  readonly name: string
  readonly agent_id: string
  readonly channel: Channel
  readonly status: CampaignStatus
  readonly status_reason: StatusReason | null
  readonly from_phone_number_id: string
  /** A `CampaignTemplate`; null of a campaign that calls. */
  readonly template: RawJson | null
  readonly call_config: RawJson | null
  readonly max_concurrency: number | null
  readonly calls_per_minute: number | null
  readonly recipient_timezone: RecipientTimezone | null
  readonly skip_public_holidays: boolean
  /** Settings of the breaker, as supplied; null: the standard ones. */
  readonly failure_breaker: RawJson | null
  readonly scheduled_for: number | null
  readonly started_at: number | null
  readonly completed_at: number | null
  readonly metadata: RawJson | null
  readonly created_at: number
  readonly updated_at: number
}

/** A campaign with its counters. */
export interface CampaignState {
  readonly campaign: Campaign
  readonly counters: CampaignCounters
}

/** What of the campaign's record is not supplied as JSON. */
export const fieldsOf = ({ campaign, counters }: CampaignState) => ({
  id: campaign.id,
  customer_id: campaign.customer_id,
  name: campaign.name,
  agent_id: campaign.agent_id,
  channel: campaign.channel,
  status: campaign.status,
  status_reason: campaign.status_reason,
  from_phone_number_id: campaign.from_phone_number_id,
  max_concurrency: campaign.max_concurrency,
  calls_per_minute: campaign.calls_per_minute,
  recipient_timezone: campaign.recipient_timezone,
  skip_public_holidays: campaign.skip_public_holidays,
  failure_breaker: breakerOf(campaign.failure_breaker),
  scheduled_for: isoOrNull(campaign.scheduled_for),
  started_at: isoOrNull(campaign.started_at),
  completed_at: isoOrNull(campaign.completed_at),
  stats: statsOf(counters),
  created_at: isoTimestamp(campaign.created_at),
  updated_at: isoTimestamp(campaign.updated_at)
})

/** The campaign's record as JSON text, with everything that was supplied as JSON spliced in as supplied. */
export const toJson = (state: CampaignState): string => {
  const { campaign } = state
  const own = JSON.stringify(fieldsOf(state))
  return (
    `${own.slice(0, -1)},"template":${campaign.template ?? "null"}` +
    `,"call_config":${campaign.call_config ?? "{}"}` +
    `,"metadata":${campaign.metadata ?? "null"}}`
  )
}
