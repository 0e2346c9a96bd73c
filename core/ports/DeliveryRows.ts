import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Delivery, DeliveryStatus, WebhookEvent } from "../model/webhooks/Webhook.ts"

export interface DeliveryFilter {
  readonly webhook_id: string
  readonly status?: DeliveryStatus | undefined
}

/** A delivery claimed for one try, with what the try needs. */
export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly body: string
}

export interface DeliveryRows {
  /**
   * Stores an event with its deliveries. A delivery whose lane (its endpoint and call) has no other pending is
   * the head of it, due at once: its `next_attempt_at` becomes the event's `created_at`; else null.
   */
  readonly append: (event: WebhookEvent, deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Delivery>>
  readonly list: (
    workspace_id: string,
    filter: DeliveryFilter,
    page: PageRequest
  ) => Effect.Effect<Page<Delivery>>
  /** Heads of the endpoint's lanes that are due, earliest first, each claimed by moving it to `until`. */
  readonly claim: (
    workspace_id: string,
    webhook_id: string,
    now: number,
    until: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
  /**
   * Stores what came of a try: status, attempts, answer and `next_attempt_at`, provided that the delivery is
   * pending still. Once it is delivered or dead the next one of its lane is claimed until `until` and returned,
   * unless that has been redelivered and is under way by itself.
   */
  readonly settle: (delivery: Delivery, until: number) => Effect.Effect<Option.Option<ClaimedDelivery>>
  /** Stores a delivery as pending, to be tried at its `next_attempt_at` whatever its lane does. */
  readonly redeliver: (delivery: Delivery) => Effect.Effect<void>
  /** Makes all that is pending for an endpoint dead; answers how many. */
  readonly bury: (workspace_id: string, webhook_id: string, at: number) => Effect.Effect<number>
  /** The earliest `next_attempt_at` of what is pending for active endpoints. */
  readonly nextDue: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}
