import { Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call } from "../model/calls/Call.ts"
import { isoTimestamp } from "../model/Codecs.ts"
import {
  type Delivery,
  type EventType,
  receives,
  type Webhook,
  type WebhookEvent
} from "../model/webhooks/Webhook.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { listening } from "./Events.ts"

/** The body of an event: flat, `metadata` and `data` spliced in as the JSON texts that they are. */
export const eventBody = (
  event: { readonly id: string; readonly event_type: EventType; readonly created_at: number },
  call: Call,
  attempt: Attempt | null,
  data: string
): string => {
  const head = JSON.stringify({
    id: event.id,
    event_type: event.event_type,
    created_at: isoTimestamp(event.created_at),
    customer_id: call.customer_id,
    call_id: call.call_id,
    agent_id: call.agent_id,
    session_id: attempt?.session_id ?? call.session_id,
    campaign_id: call.campaign_id,
    recipient_id: call.recipient_id,
    attempt_number: attempt?.attempt_number ?? null
  })
  return `${head.slice(0, -1)},"metadata":${call.metadata ?? "null"},"data":${data}}`
}

/** Something to tell of a call as it was then; `data` makes the record that goes with it, as JSON. */
export interface Happening {
  readonly type: EventType
  readonly call: Call
  readonly data: () => string
}

/** Stores events with the deliveries that the workspace's endpoints want, inside the caller's transaction. */
export const makeOutbox = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids

  const appendOne = Effect.fnUntraced(function* (
    active: ReadonlyArray<Webhook>,
    untold: Option.Option<Array<WebhookEvent>>,
    attempt: Attempt | null,
    { call, data, type: event_type }: Happening,
    now: number
  ) {
    const wanted = active.filter((webhook) => receives(webhook, event_type))
    if (wanted.length === 0 && Option.isNone(untold)) return
    const make = yield* ids.maker
    const head = { id: make("evt"), event_type, created_at: now }
    const event: WebhookEvent = {
      ...head,
      customer_id: call.customer_id,
      call_id: call.call_id,
      body: eventBody(head, call, attempt, data())
    }
    if (Option.isSome(untold)) untold.value.push(event)
    if (wanted.length === 0) return
    const deliveries = wanted.map((webhook): Delivery => {
      return {
        id: make("dlv"),
        customer_id: call.customer_id,
        webhook_id: webhook.id,
        event_id: event.id,
        event_type,
        call_id: call.call_id,
        status: "pending",
        attempts: 0,
        response_status: null,
        last_error: null,
        next_attempt_at: null,
        delivered_at: null,
        created_at: now,
        updated_at: now
      }
    })
    yield* repository.deliveries.append(event, deliveries)
  })

  /** Stores what happened in an attempt, in that order. */
  const append = Effect.fnUntraced(function* (
    workspace_id: string,
    attempt: Attempt | null,
    happenings: ReadonlyArray<Happening>,
    now: number
  ) {
    if (happenings.length === 0) return
    const active = yield* repository.webhooks.active(workspace_id)
    const untold = yield* listening
    if (active.length === 0 && Option.isNone(untold)) return
    for (const happening of happenings) yield* appendOne(active, untold, attempt, happening, now)
  })

  return { append }
})
