// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { CampaignStats, Pagination, Timestamp } from "./Shared.ts"

export interface Campaign {
  readonly id: string
  readonly customer_id: string
  readonly name: string
  readonly agent_id: string
  readonly channel: "voice" | "msg"
  readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "failed" | "cancelled"
  readonly status_reason:
    | "user"
    | "insufficient_credits"
    | "failure_rate"
    | "engine_unavailable"
    | "no_recipients"
    | "agent_not_found"
    | "agent_not_published"
    | "agent_not_voice"
    | "agent_not_msg"
    | "phone_number_not_found"
    | "template_not_found"
    | "template_not_approved"
    | null
  readonly from_phone_number_id: string
  /** What a campaign of channel msg sends; null of one that calls. */
  readonly template: CampaignTemplate | null
  readonly call_config: Readonly<Record<string, unknown>>
  /** Calls under way at one time; null: as many as the workspace may have. */
  readonly max_concurrency: number | null
  /** Dials started in any one minute; null: as many as the workspace may start. */
  readonly calls_per_minute: number | null
  /** When the campaign is paused with `failure_rate`, because its dials fail. */
  readonly failure_breaker: {
    /**
     * The campaign is paused when more than this share of the dials has failed. Default 0.5; with 1 it is
     * never paused.
     */
    readonly share: number
    /** How many of the last dials are looked at. Default 50. 1 to 200. */
    readonly window: number
    /** How many of these have to have ended. Default 20, or the window if that is smaller. 1 to 200. */
    readonly least: number
  }
  readonly scheduled_for: Timestamp | null
  readonly started_at: Timestamp | null
  readonly completed_at: Timestamp | null
  readonly stats: CampaignStats
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface CampaignTemplate {
  /** A message template of the workspace. */
  readonly id: string
  /**
   * For each placeholder of `header` and `body` (its number or name) the variable of the recipient that
   * fills it; `buttons` by their position from 0. A header with a file takes `link`, one with a place
   * `latitude`, `longitude`, `name` and `address`.
   */
  readonly variables?:
    | {
        readonly header?: Readonly<Record<string, string>> | undefined
        readonly body?: Readonly<Record<string, string>> | undefined
        readonly buttons?: Readonly<Record<string, string>> | undefined
      }
    | undefined
}

export interface CreateCampaign {
  readonly name: string
  /** Who speaks, or writes. */
  readonly agent_id: string
  /** Default voice; a campaign of channel msg sends a template. */
  readonly channel?: "voice" | "msg" | undefined
  /** What a campaign of channel msg sends; it needs one, and no other has one. */
  readonly template?: CampaignTemplate | null | undefined
  /** The caller ID of all its calls; by default the workspace's first phone number. */
  readonly from_phone_number_id?: string | undefined
  readonly call_config?:
    | {
        /**
         * Seconds of silence before the agent nudges; less than `idle_timeout_end`. Given alone, the agent's
         * `idle_timeout_end` holds if it is later, else the nudge is followed by the agent's distance between
         * the two. 1 to 3600.
         */
        readonly idle_timeout_warning?: number | undefined
        /**
         * Seconds of silence before the call is hung up; the nudge restarts them. Given alone, the agent's
         * `idle_timeout_warning` holds if it is earlier, else it is earlier by the agent's distance between
         * the two. 1 to 3600.
         */
        readonly idle_timeout_end?: number | undefined
        /** 1 to 3600. */
        readonly max_call_length?: number | undefined
        readonly call_retry_config?:
          | {
              /** 0 to 9. */
              readonly retry_count?: number | undefined
              /** 0 to 43200. */
              readonly retry_busy?: number | undefined
              /** 0 to 43200. */
              readonly retry_not_picked?: number | undefined
              /** 0 to 43200. */
              readonly retry_failed?: number | undefined
            }
          | undefined
        readonly call_time?:
          | {
              readonly call_start_time: string
              readonly call_end_time: string
              readonly timezone: string
            }
          | undefined
      }
    | undefined
  readonly max_concurrency?: number | null | undefined
  readonly calls_per_minute?: number | null | undefined
  /**
   * When the campaign is paused because its dials fail: when, of the last `window` dials in the order in
   * which they were placed, more than `share` have failed and at least `least` have ended. Dials under
   * way count as not failed; a busy line or no answer is no failure. Until a first dial succeeds, at
   * most `window` dials are placed. What is left out has its default.
   */
  readonly failure_breaker?: FailureBreakerSettings | undefined
  /** When the campaign starts by itself, not in the past; null: when it is started. */
  readonly scheduled_for?: Timestamp | null | undefined
  /** Opaque JSON, at most 16,384 bytes; on every webhook event of the campaign's calls, byte for byte. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export interface FailureBreakerSettings {
  /**
   * The campaign is paused when more than this share of the dials has failed. Default 0.5; with 1 it is
   * never paused.
   */
  readonly share?: number | undefined
  /** How many of the last dials are looked at. Default 50. 1 to 200. */
  readonly window?: number | undefined
  /** How many of these have to have ended. Default 20, or the window if that is smaller. 1 to 200. */
  readonly least?: number | undefined
}

export interface CampaignPage {
  readonly data: ReadonlyArray<Campaign>
  readonly pagination: Pagination
}

export interface UpdateCampaign {
  readonly name?: string | undefined
  readonly agent_id?: string | undefined
  readonly template?: CampaignTemplate | undefined
  readonly status?: "paused" | "cancelled" | undefined
  /** The caller ID of all its calls; by default the workspace's first phone number. */
  readonly from_phone_number_id?: string | undefined
  readonly call_config?:
    | {
        /**
         * Seconds of silence before the agent nudges; less than `idle_timeout_end`. Given alone, the agent's
         * `idle_timeout_end` holds if it is later, else the nudge is followed by the agent's distance between
         * the two. 1 to 3600.
         */
        readonly idle_timeout_warning?: number | undefined
        /**
         * Seconds of silence before the call is hung up; the nudge restarts them. Given alone, the agent's
         * `idle_timeout_warning` holds if it is earlier, else it is earlier by the agent's distance between
         * the two. 1 to 3600.
         */
        readonly idle_timeout_end?: number | undefined
        /** 1 to 3600. */
        readonly max_call_length?: number | undefined
        readonly call_retry_config?:
          | {
              /** 0 to 9. */
              readonly retry_count?: number | undefined
              /** 0 to 43200. */
              readonly retry_busy?: number | undefined
              /** 0 to 43200. */
              readonly retry_not_picked?: number | undefined
              /** 0 to 43200. */
              readonly retry_failed?: number | undefined
            }
          | undefined
        readonly call_time?:
          | {
              readonly call_start_time: string
              readonly call_end_time: string
              readonly timezone: string
            }
          | undefined
      }
    | undefined
  readonly max_concurrency?: number | null | undefined
  readonly calls_per_minute?: number | null | undefined
  /**
   * When the campaign is paused because its dials fail: when, of the last `window` dials in the order in
   * which they were placed, more than `share` have failed and at least `least` have ended. Dials under
   * way count as not failed; a busy line or no answer is no failure. Until a first dial succeeds, at
   * most `window` dials are placed. What is left out has its default.
   */
  readonly failure_breaker?: FailureBreakerSettings | undefined
  /** When the campaign starts by itself, not in the past; null: when it is started. */
  readonly scheduled_for?: Timestamp | null | undefined
  /** Opaque JSON, at most 16,384 bytes; on every webhook event of the campaign's calls, byte for byte. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined
}

export interface AttemptPage {
  readonly data: ReadonlyArray<Attempt>
  readonly pagination: Pagination
}

export interface Attempt {
  readonly id: string
  readonly call_id: string
  readonly campaign_id: string | null
  readonly recipient_id: string | null
  readonly session_id: string
  readonly channel: "voice" | "msg"
  readonly attempt_number: number
  readonly status: "scheduled" | "in_progress" | "completed" | "failed" | "cancelled" | "unknown"
  readonly scheduled_for: Timestamp
  readonly started_at: Timestamp | null
  readonly completed_at: Timestamp | null
  readonly provider_message_id: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly from_number: string
  readonly result: {
    readonly outcome:
      | "answered"
      | "busy"
      | "no_answer"
      | "voicemail"
      | "sent"
      | "delivered"
      | "rejected"
      | "failed"
      | "cancelled"
      | "unknown"
      | null
  }
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface CampaignProgress {
  readonly campaign_id: string
  readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "failed" | "cancelled"
  readonly stats: CampaignStats
  readonly interval: "minute" | "hour" | "day"
  readonly from: Timestamp
  readonly until: Timestamp
  readonly series: ReadonlyArray<CampaignProgressPoint>
}

export interface CampaignProgressPoint {
  readonly at: Timestamp
  readonly attempts: number
  readonly outcomes: {
    readonly answered?: number | undefined
    readonly busy?: number | undefined
    readonly no_answer?: number | undefined
    readonly voicemail?: number | undefined
    readonly sent?: number | undefined
    readonly delivered?: number | undefined
    readonly rejected?: number | undefined
    readonly failed?: number | undefined
    readonly cancelled?: number | undefined
    readonly unknown?: number | undefined
  }
}

export interface ListCampaignsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only campaigns of this status. */
  readonly status?:
    | "draft"
    | "scheduled"
    | "running"
    | "paused"
    | "completed"
    | "failed"
    | "cancelled"
    | undefined
  /** Only campaigns of this agent. */
  readonly agent_id?: string | undefined
  /** Only campaigns created at this moment or later. */
  readonly created_after?: Timestamp | undefined
  /** Only campaigns created before this moment. */
  readonly created_before?: Timestamp | undefined
}

export interface ListAttemptsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only attempts for this recipient. */
  readonly recipient_id?: string | undefined
  /** Only attempts of this status. */
  readonly status?: "scheduled" | "in_progress" | "completed" | "failed" | "cancelled" | "unknown" | undefined
  /** Only attempts on this channel. */
  readonly channel?: "voice" | "msg" | undefined
}

export interface GetCampaignProgressQuery {
  /** How long each point of the series is; default hour. */
  readonly interval?: "minute" | "hour" | "day" | undefined
  /** By default as long before `until` as 1500 points reach. */
  readonly from?: Timestamp | undefined
  /** Exclusive; by default now. */
  readonly until?: Timestamp | undefined
}

export interface Campaigns {
  /**
   * Create a campaign.
   * A campaign is created as a draft, or scheduled when `scheduled_for` says when it is to start. It
   * dials once it has recipients and is started. `metadata` is on every webhook event of its calls, byte
   * for byte.
   *
   * With `channel` `msg`, and an agent of that channel, it sends a message template to each recipient
   * instead: `template.variables` names, for every placeholder, the variable of the recipient that fills
   * it, such as
   * `{"channel":"msg","template":{"id":"tmpl_01jd4xm9n2m7c5v9b3n6k1t0r8","variables":{"body":{"1":"name","2":"day"},"buttons":{"1":"appointment"}}}}`.
   * Caps, pace, calling window and retries are the same; `retry_failed` is for messages that failed. A
   * message is under way until its delivery is told, for ten minutes at most, and then counts as sent;
   * it takes none of the workspace's lines. A recipient who has nothing for a placeholder fails without
   * an attempt. Messages have no webhook events.
   *
   * Needs the scope `campaigns:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /campaigns`.
   *
   * @throws {OutdialError} 400: A property breaks its rule, is missing or is not permitted; the
   * workspace has no phone number to dial from; `template` is missing with channel msg or given without,
   * leaves a placeholder open or names one that the template does not have
   * @throws {OutdialError} 404: `agent_id` names no agent, `from_phone_number_id` no phone number, or
   * `template.id` no message template, of the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly create: (body: CreateCampaign, options?: RequestOptions) => Promise<Campaign>

  /**
   * List campaigns.
   * The workspace's campaigns, newest first, with their counters.
   *
   * Needs the scope `campaigns:read`.
   *
   * Source: `GET /campaigns`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListCampaignsQuery, options?: RequestOptions) => Promise<CampaignPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListCampaignsQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Campaign>

  /**
   * Read a campaign.
   * The campaign as it stands now, with its counters.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (campaign_id: string, options?: RequestOptions) => Promise<Campaign>

  /**
   * Change, pause or cancel a campaign.
   * Changes what is given. `status` `paused` dials no more until the campaign is started again, and
   * calls under way come to their end; `cancelled` is for good, and skips the recipients that are left.
   * While it runs only `name`, `max_concurrency`, `calls_per_minute`, `call_config` and `status` may
   * change, after its end only `name` and `metadata`. `template` is for campaigns of channel msg, and
   * checked as on creation.
   *
   * Needs the scope `campaigns:write`.
   *
   * Source: `PATCH /campaigns/{campaign_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 422: The body is not valid JSON, a property breaks its rule or is not
   * permitted, or may not change now; `detail` has every one
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly update: (campaign_id: string, body: UpdateCampaign, options?: RequestOptions) => Promise<Campaign>

  /**
   * Start or resume a campaign.
   * Starts a run, or resumes a paused one; a running campaign is left as it is. There is no request
   * body, and one that is sent is ignored.
   *
   * Needs the scope `campaigns:write`.
   *
   * Source: `POST /campaigns/{campaign_id}/start`.
   *
   * @throws {OutdialError} 400: The campaign has no recipient, is completed or is cancelled; or its
   * message template is not approved
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: The campaign engine is not available; the campaign is as it was
   */
  readonly start: (campaign_id: string, options?: RequestOptions) => Promise<Campaign>

  /**
   * List a campaign's attempts.
   * Every dial for a recipient of the campaign, or every message sent, newest first. Of a message
   * `provider_message_id` is what its provider calls it, and `error_code` and `error_message` are the
   * provider's.
   *
   * Needs the scope `campaigns:read`.
   *
   * Source: `GET /campaigns/{campaign_id}/attempts`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly attempts: (
    campaign_id: string,
    query?: ListAttemptsQuery,
    options?: RequestOptions
  ) => Promise<AttemptPage>
  /**
   * Every record of `attempts`, page by page of `limit`, which is 100 by default. Each comes once, also
   * when records are added or removed meanwhile.
   */
  readonly allAttempts: (
    campaign_id: string,
    query?: Omit<ListAttemptsQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Attempt>

  /**
   * Follow a campaign.
   * The campaign's counters, and how its attempts ended over time: one point for each interval in which
   * any did, at most 1500. A `from` that is too early for that is moved.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}/progress`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly progress: (
    campaign_id: string,
    query?: GetCampaignProgressQuery,
    options?: RequestOptions
  ) => Promise<CampaignProgress>
}
