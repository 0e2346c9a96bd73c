import { Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call } from "../model/calls/Call.ts"
import type { Campaign } from "../model/campaigns/Campaign.ts"
import { isoTimestamp } from "../model/Codecs.ts"
import type { RawJson } from "../model/json/RawJson.ts"
import {
  type Delivery,
  type EventType,
  isOfCall,
  receives,
  type SentType,
  type WebhookEvent
} from "../model/webhooks/Webhook.ts"
import type { Outgoing } from "../ports/DeliveryRows.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { listening } from "./Events.ts"

/** What an event is of, as its body tells. */
export interface Subject {
  readonly customer_id: string
  /** Events of one subject reach an endpoint in order. */
  readonly subject_id: string
  readonly call_id: string | null
  readonly agent_id: string | null
  readonly session_id: string | null
  readonly campaign_id: string | null
  readonly recipient_id: string | null
  readonly attempt_number: number | null
  readonly metadata: RawJson | null
}

/** What no other kind of subject fills in. */
export const bareSubject = (customer_id: string, subject_id: string): Subject => ({
  customer_id,
  subject_id,
  call_id: null,
  agent_id: null,
  session_id: null,
  campaign_id: null,
  recipient_id: null,
  attempt_number: null,
  metadata: null
})

export const ofCall = (call: Call, attempt: Attempt | null): Subject => ({
  customer_id: call.customer_id,
  subject_id: call.call_id,
  call_id: call.call_id,
  agent_id: call.agent_id,
  session_id: attempt?.session_id ?? call.session_id,
  campaign_id: call.campaign_id,
  recipient_id: call.recipient_id,
  attempt_number: attempt?.attempt_number ?? null,
  metadata: call.metadata
})

export const ofCampaign = ({ agent_id, customer_id, id, metadata }: Campaign): Subject => ({
  ...bareSubject(customer_id, id),
  agent_id,
  campaign_id: id,
  metadata
})

/** The body of an event: flat, `metadata` and `data` spliced in as the JSON texts that they are. */
export const eventBody = (
  event: { readonly id: string; readonly event_type: SentType; readonly created_at: number },
  of: Subject,
  data: string
): string => {
  const head = JSON.stringify({
    id: event.id,
    event_type: event.event_type,
    created_at: isoTimestamp(event.created_at),
    customer_id: of.customer_id,
    call_id: of.call_id,
    agent_id: of.agent_id,
    session_id: of.session_id,
    campaign_id: of.campaign_id,
    recipient_id: of.recipient_id,
    attempt_number: of.attempt_number
  })
  return `${head.slice(0, -1)},"metadata":${of.metadata ?? "null"},"data":${data}}`
}

/** A delivery of an event that has not been tried yet. */
export const newDelivery = (id: string, webhook_id: string, event: WebhookEvent): Delivery => ({
  id,
  customer_id: event.customer_id,
  webhook_id,
  event_id: event.id,
  event_type: event.event_type,
  call_id: isOfCall(event.event_type) ? event.subject_id : null,
  subject_id: event.subject_id,
  status: "pending",
  attempts: 0,
  response_status: null,
  last_error: null,
  next_attempt_at: null,
  delivered_at: null,
  created_at: event.created_at,
  updated_at: event.created_at
})

/** Something to tell of a subject as it was then; `data` makes the record that goes with it, as JSON. */
export interface News {
  readonly type: EventType
  readonly of: Subject
  readonly data: () => string
}

/** Stores events with the deliveries that the workspace's endpoints want, inside the caller's transaction. */
export const makeOutbox = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids

  /** Stores what happened in a workspace, in that order. */
  const tell = Effect.fnUntraced(function* (workspace_id: string, news: ReadonlyArray<News>, now: number) {
    if (news.length === 0) return
    const active = yield* repository.webhooks.active(workspace_id)
    const untold = yield* listening
    if (active.length === 0 && Option.isNone(untold)) return
    const make = yield* ids.maker
    const wanted: Array<Outgoing> = []
    for (const { data, of, type: event_type } of news) {
      const webhooks = active.filter((webhook) => receives(webhook, event_type))
      if (webhooks.length === 0 && Option.isNone(untold)) continue
      const head = { id: make("evt"), event_type, created_at: now }
      const event: WebhookEvent = {
        id: head.id,
        event_type,
        created_at: now,
        customer_id: of.customer_id,
        subject_id: of.subject_id,
        body: eventBody(head, of, data())
      }
      if (Option.isSome(untold)) untold.value.push(event)
      if (webhooks.length === 0) continue
      wanted.push({ event, deliveries: webhooks.map(({ id }) => newDelivery(make("dlv"), id, event)) })
    }
    if (wanted.length > 0) yield* repository.deliveries.append(wanted)
  })

  return { tell }
})
