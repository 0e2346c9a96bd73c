// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { E164, Pagination, Timestamp } from "./Shared.ts"

export interface Call {
  readonly call_id: string
  readonly customer_id: string
  readonly agent_id: string
  readonly status:
    | "queued"
    | "ringing"
    | "in_progress"
    | "retry_scheduled"
    | "completed"
    | "failed"
    | "cancelled"
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
  readonly sub_status:
    | "user_hangup"
    | "agent_hangup"
    | "idle_timeout"
    | "max_call_length"
    | "invalid_number"
    | "do_not_call"
    | "destination_blocked"
    | "agent_not_found"
    | "agent_not_published"
    | "agent_not_voice"
    | "agent_not_msg"
    | "template_not_found"
    | "template_not_approved"
    | "template_variable_missing"
    | "phone_number_not_found"
    | "insufficient_credits"
    | "carrier_error"
    | "cancelled"
    | "in_doubt"
    | null
  readonly error: {
    readonly code: string
    readonly message: string
    /** What the carrier said, when the call failed at the carrier. */
    readonly details?:
      | {
          /** The carrier's own error code. */
          readonly carrier_code: string
          /** The carrier's own words, with numbers masked; null when it gave none. */
          readonly carrier_message: string | null
        }
      | undefined
  } | null
  /** The destination, all but its last four digits masked. */
  readonly to_number_masked: string
  readonly callee_name: string | null
  /** The E.164 number dialled from. */
  readonly from_number: string
  readonly from_phone_number_id: string
  readonly custom_variables: Readonly<Record<string, unknown>>
  readonly call_config: Readonly<Record<string, unknown>>
  readonly smart_formatter: Readonly<Record<string, unknown>>
  /** As supplied on creation, byte for byte; null when none was supplied. */
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly scheduled_for: Timestamp | null
  readonly attempt_count: number
  readonly session_id: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly completed_at: Timestamp | null
}

export interface PlaceCall {
  /** A published voice-channel agent. */
  readonly agent_id: string
  readonly to_number: E164
  /** At most 128 characters. */
  readonly callee_name?: string | undefined
  /** The caller ID to dial from; by default the workspace's first phone number. */
  readonly from_phone_number_id?: string | undefined
  /** Substituted into the agent's prompt; at most 64 keys and 30,000 bytes of JSON. */
  readonly custom_variables?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** Opaque JSON, at most 16,384 bytes and 64 levels deep; echoed byte for byte. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** A repeat of the same key answers 409 and does not dial again. */
  readonly idempotency_key?: string | undefined
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
  /** Accepted and echoed; not applied to the call. */
  readonly smart_formatter?: Readonly<Record<string, unknown>> | undefined
}

export interface CallPage {
  readonly data: ReadonlyArray<Call>
  readonly pagination: Pagination
}

export interface ListCallsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only calls of this status. */
  readonly status?:
    | "queued"
    | "ringing"
    | "in_progress"
    | "retry_scheduled"
    | "completed"
    | "failed"
    | "cancelled"
    | undefined
  /** Only calls of this agent. */
  readonly agent_id?: string | undefined
  /** Only calls of this campaign. */
  readonly campaign_id?: string | undefined
  /** Only calls created at this moment or later. */
  readonly created_after?: Timestamp | undefined
  /** Only calls created before this moment. */
  readonly created_before?: Timestamp | undefined
}

export interface Calls {
  /**
   * Place a call.
   * Places one outbound call. The answer comes at once, before anything is dialled; whether the agent is
   * published and has the voice channel is checked when the call is dialled. The price of a minute is
   * held until the call ends. `metadata` is echoed byte for byte, here and on every webhook event.
   *
   * Needs the scope `sessions:write`, from an API key.
   *
   * A body without `idempotency_key` is given one by the client, so that it may be sent again without
   * dialling twice. When a try was lost and a later one answers that the key is taken, the call that has
   * it is read and returned.
   *
   * Source: `POST /calls`.
   *
   * @throws {OutdialError} 400: A property breaks its rule (such as `max_call_length` above 3600), is
   * missing or is not permitted; or the workspace has no phone number to dial from
   * @throws {OutdialError} 402: Insufficient credits
   * @throws {OutdialError} 404: `from_phone_number_id` names no phone number in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 409: Duplicate `idempotency_key`: `details.call_id` is the call that has it,
   * and nothing was dialled
   * @throws {OutdialError} 503: Call orchestration is temporarily unavailable; the key is not used up
   */
  readonly place: (body: PlaceCall, options?: RequestOptions) => Promise<Call>

  /**
   * List calls.
   * The workspace's calls, newest first.
   *
   * Needs the scope `sessions:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /calls`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListCallsQuery, options?: RequestOptions) => Promise<CallPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (query?: Omit<ListCallsQuery, "offset">, options?: RequestOptions) => AsyncIterable<Call>

  /**
   * Read a call.
   * The call as it stands now.
   *
   * Needs the scope `sessions:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /calls/{call_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (call_id: string, options?: RequestOptions) => Promise<Call>

  /**
   * Cancel a call.
   * A call that waits is cancelled at once. One under way is hung up, and is cancelled when its carrier
   * has done so; until then the answer shows it as it stands.
   *
   * Needs the scope `sessions:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /calls/{call_id}/cancel`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 409: The call has ended already
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly cancel: (call_id: string, options?: RequestOptions) => Promise<Call>
}
