import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Delivery, DeliveryStatus, WebhookEvent } from "../model/webhooks/Webhook.ts"

export interface DeliveryFilter {
  readonly webhook_id: string
  readonly status?: DeliveryStatus | undefined
  /** Only events of this call or message. */
  readonly call_id?: string | undefined
}

/** A delivery claimed for one try, with what the try needs. */
export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly body: string
}

/** What came of a try. */
export interface TriedDelivery {
  /** As it is from now on. */
  readonly delivery: Delivery
  readonly response_body: string | null
  /** Until when the next one of its lane is claimed. */
  readonly until: number
}

export interface DeliveryBodies {
  readonly request_body: string
  /** Of the last try; null when it was not answered, or with nothing. */
  readonly response_body: string | null
}

/** An event with what is sent of it. */
export interface Outgoing {
  readonly event: WebhookEvent
  readonly deliveries: ReadonlyArray<Delivery>
}

export interface DeliveryRows {
  /**
   * Stores events of one workspace with their deliveries, in that order. A delivery whose lane (its endpoint and
   * subject) has no other pending is the head of it, due at once: its `next_attempt_at` becomes the event's
   * `created_at`; else null.
   */
  readonly append: (outgoing: ReadonlyArray<Outgoing>) => Effect.Effect<void>
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
   * Stores what came of tries: status, attempts, answer and `next_attempt_at`, provided that the delivery is
   * pending still. Once it is delivered or dead the next one of its lane is claimed and returned, unless that has been
   * redelivered and is under way by itself. Answers one for each try, in their order; a lane of several has its next
   * once.
   */
  readonly settle: (
    workspace_id: string,
    tries: ReadonlyArray<TriedDelivery>
  ) => Effect.Effect<ReadonlyArray<Option.Option<ClaimedDelivery>>>
  /** What was sent and what the last try was answered; none once the event is not kept any more. */
  readonly bodies: (workspace_id: string, id: string) => Effect.Effect<Option.Option<DeliveryBodies>>
  /** Stores a delivery as pending, to be tried at its `next_attempt_at` whatever its lane does. */
  readonly redeliver: (delivery: Delivery) => Effect.Effect<void>
  /** An endpoint's deliveries with an id below `before`, newest first. */
  readonly newest: (
    workspace_id: string,
    webhook_id: string,
    before: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Delivery>>
  /**
   * Of the next `limit` deliveries of an endpoint with an id of `from` or above, makes those of the statuses pending
   * again, with a full set of tries, as far as their events are kept. The oldest that is pending in a lane is due at
   * `now`, the others wait for it. `next` is where to go on; null: there are no more.
   */
  readonly redeliverFrom: (
    workspace_id: string,
    webhook_id: string,
    from: string,
    statuses: ReadonlyArray<DeliveryStatus>,
    now: number,
    limit: number
  ) => Effect.Effect<{ readonly redelivered: number; readonly next: string | null }>
  /**
   * Removes what was made by `until`, oldest first, `limit` deliveries and events at most, but for deliveries that are
   * pending and their events. Answers whether there may be more.
   */
  readonly forget: (workspace_id: string, until: number, limit: number) => Effect.Effect<boolean>
  /** Makes all that is pending for an endpoint dead; answers how many. */
  readonly bury: (workspace_id: string, webhook_id: string, at: number) => Effect.Effect<number>
  /** The earliest `next_attempt_at` of what is pending for active endpoints. */
  readonly nextDue: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}
