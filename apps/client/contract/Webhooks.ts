// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Deleted, Pagination, Timestamp } from "./Shared.ts"

export interface WebhookWithSecret {
  readonly id: string
  readonly customer_id: string
  readonly url: string
  readonly event_types: ReadonlyArray<"call_started" | "call_completed" | "recording_completed">
  readonly status: "active" | "disabled"
  readonly disabled_reason: "user" | "gone" | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** `whsec_…`: signs the events; not shown again. */
  readonly secret: string
}

export interface NewWebhook {
  /** Where events are sent: a public https or http address. */
  readonly url: string
  /** The kinds of events that it receives; empty: all. */
  readonly event_types?: ReadonlyArray<"call_started" | "call_completed" | "recording_completed"> | undefined
}

export interface WebhookPage {
  readonly data: ReadonlyArray<Webhook>
  readonly pagination: Pagination
}

export interface Webhook {
  readonly id: string
  readonly customer_id: string
  readonly url: string
  readonly event_types: ReadonlyArray<"call_started" | "call_completed" | "recording_completed">
  readonly status: "active" | "disabled"
  readonly disabled_reason: "user" | "gone" | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface WebhookChange {
  /** Where events are sent: a public https or http address. */
  readonly url?: string | undefined
  /** The kinds of events that it receives; empty: all. */
  readonly event_types?: ReadonlyArray<"call_started" | "call_completed" | "recording_completed"> | undefined
  readonly status?: "active" | "disabled" | undefined
}

export interface DeliveryPage {
  readonly data: ReadonlyArray<Delivery>
  readonly pagination: Pagination
}

export interface Delivery {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event_type: "call_started" | "call_completed" | "recording_completed"
  readonly call_id: string
  readonly status: "pending" | "delivered" | "dead"
  readonly attempts: number
  readonly response_status: number | null
  readonly last_error: string | null
  readonly next_attempt_at: Timestamp | null
  readonly delivered_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  readonly customer_id: string
}

export interface ListWebhooksQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
}

export interface ListDeliveriesQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only deliveries of this status. */
  readonly status?: "pending" | "delivered" | "dead" | undefined
}

export interface Webhooks {
  /**
   * Create a webhook.
   * Events are signed by the Standard Webhooks scheme with the secret that the answer carries, and only
   * that answer. Addresses that are not public are refused.
   *
   * Needs the scope `webhooks:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /webhooks`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly create: (body: NewWebhook, options?: RequestOptions) => Promise<WebhookWithSecret>

  /**
   * List webhooks.
   * The workspace's webhooks, newest first, without their secrets.
   *
   * Needs the scope `webhooks:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /webhooks`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListWebhooksQuery, options?: RequestOptions) => Promise<WebhookPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListWebhooksQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Webhook>

  /**
   * Change a webhook.
   * Changes what is given. Disabling one makes what is on its way to it dead: listed, and redeliverable.
   *
   * Needs the scope `webhooks:write`.
   *
   * An addition to the published interface.
   *
   * Source: `PATCH /webhooks/{webhook_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly update: (webhook_id: string, body: WebhookChange, options?: RequestOptions) => Promise<Webhook>

  /**
   * Remove a webhook.
   * Removes it with its deliveries.
   *
   * Needs the scope `webhooks:write`.
   *
   * An addition to the published interface.
   *
   * Source: `DELETE /webhooks/{webhook_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly remove: (webhook_id: string, options?: RequestOptions) => Promise<Deleted>

  /**
   * Rotate a webhook's secret.
   * The answer carries the new secret. The old one signs beside it for 24 hours.
   *
   * Needs the scope `webhooks:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /webhooks/{webhook_id}/rotate`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly rotate: (webhook_id: string, options?: RequestOptions) => Promise<WebhookWithSecret>

  /**
   * List a webhook's deliveries.
   * Events sent or on their way to it, newest first. A dead one has used up its tries.
   *
   * Needs the scope `webhooks:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /webhooks/{webhook_id}/deliveries`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly deliveries: (
    webhook_id: string,
    query?: ListDeliveriesQuery,
    options?: RequestOptions
  ) => Promise<DeliveryPage>
  /**
   * Every record of `deliveries`, page by page of `limit`, which is 100 by default. Each comes once,
   * also when records are added or removed meanwhile.
   */
  readonly allDeliveries: (
    webhook_id: string,
    query?: Omit<ListDeliveriesQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Delivery>

  /**
   * Send an event once more.
   * A delivered or dead event is sent again at once, with a full set of tries.
   *
   * Needs the scope `webhooks:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 409: The delivery is on its way already, or the webhook is disabled
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly redeliver: (webhook_id: string, delivery_id: string, options?: RequestOptions) => Promise<Delivery>
}
