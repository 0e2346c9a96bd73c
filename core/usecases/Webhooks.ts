import { Clock, Context, Effect, Encoding, Layer, Option, Schema } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { bareSubject, eventBody, newDelivery } from "../engine/Outbox.ts"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { rotated } from "../model/webhooks/SigningSecret.ts"
import {
  type Delivery,
  type DeliveryStatus,
  type EventType,
  Webhook,
  type WebhookEvent
} from "../model/webhooks/Webhook.ts"
import {
  DeliveryNotFound,
  DeliveryPending,
  WebhookDisabled,
  WebhookNotFound
} from "../model/webhooks/WebhookErrors.ts"
import type { DeliveryBodies, DeliveryFilter } from "../ports/DeliveryRows.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"
import { WebhookSink } from "../ports/WebhookSink.ts"
import { makeThenWake } from "./Woken.ts"

/** Deliveries that are looked at in one piece. */
const atOnce = 1_000

const encode = Schema.encodeSync(Webhook)

/** A delivery with what was sent and answered. */
export interface DeliveryDetail extends DeliveryBodies {
  readonly delivery: Delivery
}

/** What is delivered once more: all that is not on its way already, or only what is of one status. */
export interface Redelivery {
  /** Epoch milliseconds, inclusive. */
  readonly since: number
  readonly status?: Exclude<DeliveryStatus, "pending"> | undefined
}

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const thenWake = yield* makeThenWake
  const sink = yield* WebhookSink
  const secrets = yield* Secrets
  const ids = yield* Ids
  const { noted } = yield* makeNoting

  const newSecret = Effect.map(secrets.random(32), (bytes) => `whsec_${Encoding.encodeBase64(bytes)}`)

  const vet = (url: string) =>
    sink
      .vet(url)
      .pipe(
        Effect.mapError(
          ({ reason }) => new InvalidInput({ reason: `url is refused: ${reason}`, field: "url" })
        )
      )

  const find = Effect.fnUntraced(function* (workspace_id: string, webhook_id: string) {
    const webhook = yield* repository.webhooks.get(workspace_id, webhook_id)
    return Option.isSome(webhook) ? webhook.value : yield* new WebhookNotFound({ webhook_id })
  })

  const findDelivery = Effect.fnUntraced(function* ({ customer_id, id }: Webhook, delivery_id: string) {
    const delivery = yield* repository.deliveries.get(customer_id, delivery_id)
    return Option.isSome(delivery) && delivery.value.webhook_id === id
      ? delivery.value
      : yield* new DeliveryNotFound({ delivery_id })
  })

  const active = Effect.fnUntraced(function* (workspace_id: string, webhook_id: string) {
    const webhook = yield* find(workspace_id, webhook_id)
    return webhook.status === "active" ? webhook : yield* new WebhookDisabled({ webhook_id })
  })

  const bodiesOf = Effect.fnUntraced(function* ({ customer_id, id: delivery_id }: Delivery) {
    const bodies = yield* repository.deliveries.bodies(customer_id, delivery_id)
    return Option.isSome(bodies) ? bodies.value : yield* new DeliveryNotFound({ delivery_id })
  })

  const create: WebhooksShape["create"] = Effect.fn("Webhooks.create")(function* (workspace_id, draft) {
    yield* vet(draft.url)
    const now = yield* Clock.currentTimeMillis
    const webhook: Webhook = {
      id: yield* ids.make("whk"),
      customer_id: workspace_id,
      url: draft.url,
      event_types: draft.event_types,
      status: "active",
      disabled_reason: null,
      secret: yield* newSecret,
      previous_secret: null,
      previous_secret_until: null,
      created_at: now,
      updated_at: now
    }
    yield* noted(workspace_id, repository.webhooks.insert(webhook), () => webhook.id)
    return webhook
  })

  const change = <E>(
    workspace_id: string,
    webhook_id: string,
    f: (webhook: Webhook, now: number) => Effect.Effect<Webhook, E>
  ) =>
    noted(
      workspace_id,
      Effect.gen(function* () {
        const webhook = yield* find(workspace_id, webhook_id)
        const now = yield* Clock.currentTimeMillis
        const changed = { ...(yield* f(webhook, now)), updated_at: now }
        yield* repository.webhooks.update(changed)
        if (webhook.status === "active" && changed.status === "disabled") {
          yield* repository.deliveries.bury(workspace_id, webhook_id, now)
        }
        return changed
      })
    )

  const update: WebhooksShape["update"] = Effect.fn("Webhooks.update")(
    function* (workspace_id, webhook_id, wanted) {
      if (wanted.url !== undefined) yield* vet(wanted.url)
      return yield* change(workspace_id, webhook_id, (webhook) =>
        Effect.succeed({
          ...webhook,
          ...wanted,
          disabled_reason:
            wanted.status === undefined ? webhook.disabled_reason : wanted.status === "active" ? null : "user"
        })
      )
    }
  )

  const rotate: WebhooksShape["rotate"] = Effect.fn("Webhooks.rotate")(function* (workspace_id, webhook_id) {
    const secret = yield* newSecret
    return yield* change(workspace_id, webhook_id, (webhook, now) =>
      Effect.succeed({ ...webhook, ...rotated(webhook, secret, now) })
    )
  })

  const remove: WebhooksShape["remove"] = Effect.fn("Webhooks.remove")((workspace_id, webhook_id) =>
    noted(
      workspace_id,
      Effect.filterOrFail(
        repository.webhooks.remove(workspace_id, webhook_id),
        (removed) => removed,
        () => new WebhookNotFound({ webhook_id })
      )
    )
  )

  const deliveries: WebhooksShape["deliveries"] = Effect.fn("Webhooks.deliveries")(
    function* (workspace_id, webhook_id, filter, page) {
      yield* find(workspace_id, webhook_id)
      return yield* repository.deliveries.list(workspace_id, { webhook_id, ...filter }, page)
    }
  )

  const delivery: WebhooksShape["delivery"] = Effect.fn("Webhooks.delivery")(
    function* (workspace_id, webhook_id, delivery_id) {
      const found = yield* findDelivery(yield* find(workspace_id, webhook_id), delivery_id)
      return { delivery: found, ...(yield* bodiesOf(found)) }
    }
  )

  const storeTest = Effect.fnUntraced(function* (workspace_id: string, webhook_id: string) {
    const webhook = yield* active(workspace_id, webhook_id)
    const make = yield* ids.maker
    const head = {
      id: make("evt"),
      event_type: "webhook_test" as const,
      created_at: yield* Clock.currentTimeMillis
    }
    const of = bareSubject(workspace_id, webhook_id)
    const body = eventBody(head, of, JSON.stringify(encode(webhook)))
    const event: WebhookEvent = { ...head, customer_id: workspace_id, subject_id: webhook_id, body }
    const { id } = newDelivery(make("dlv"), webhook_id, event)
    yield* repository.deliveries.append([{ event, deliveries: [newDelivery(id, webhook_id, event)] }])
    return Option.getOrThrow(yield* repository.deliveries.get(workspace_id, id))
  })

  const test: WebhooksShape["test"] = Effect.fn("Webhooks.test")(function* (workspace_id, webhook_id) {
    const stored = yield* thenWake(workspace_id, noted(workspace_id, storeTest(workspace_id, webhook_id)))
    return stored
  })

  /** The oldest delivery that was made at `since` or later. */
  const firstSince = Effect.fnUntraced(function* (workspace_id: string, webhook_id: string, since: number) {
    let first: string | null = null
    for (;;) {
      const page: ReadonlyArray<Delivery> = yield* repository.deliveries.newest(
        workspace_id,
        webhook_id,
        first,
        atOnce
      )
      const late = page.findIndex(({ created_at }) => created_at < since)
      first = (late === -1 ? page : page.slice(0, late)).at(-1)?.id ?? first
      if (late !== -1 || page.length < atOnce) return first
    }
  })

  const redeliverSince: WebhooksShape["redeliverSince"] = Effect.fn("Webhooks.redeliverSince")(function* (
    workspace_id,
    webhook_id,
    { since, status }
  ) {
    yield* active(workspace_id, webhook_id)
    const statuses = status === undefined ? (["delivered", "dead"] as const) : [status]
    let from = yield* firstSince(workspace_id, webhook_id, since)
    let redelivered = 0
    while (from !== null) {
      const now = yield* Clock.currentTimeMillis
      const done: { readonly redelivered: number; readonly next: string | null } = yield* thenWake(
        workspace_id,
        noted(
          workspace_id,
          Effect.zipRight(
            active(workspace_id, webhook_id),
            repository.deliveries.redeliverFrom(workspace_id, webhook_id, from, statuses, now, atOnce)
          )
        )
      )
      redelivered += done.redelivered
      from = done.next
    }
    return { webhook_id, redelivered }
  })

  const redeliver: WebhooksShape["redeliver"] = Effect.fn("Webhooks.redeliver")(
    function* (workspace_id, webhook_id, delivery_id) {
      const delivery = yield* thenWake(
        workspace_id,
        noted(
          workspace_id,
          Effect.gen(function* () {
            const webhook = yield* find(workspace_id, webhook_id)
            const found = yield* findDelivery(webhook, delivery_id)
            if (webhook.status === "disabled") return yield* new WebhookDisabled({ webhook_id })
            if (found.status === "pending") return yield* new DeliveryPending({ delivery_id })
            yield* bodiesOf(found)
            const now = yield* Clock.currentTimeMillis
            const again: Delivery = {
              ...found,
              status: "pending",
              attempts: 0,
              next_attempt_at: now,
              delivered_at: null,
              updated_at: now
            }
            yield* repository.deliveries.redeliver(again)
            return again
          })
        )
      )
      return delivery
    }
  )

  return Webhooks.of({
    create,
    get: find,
    list: repository.webhooks.list,
    update,
    rotate,
    remove,
    test,
    deliveries,
    delivery,
    redeliver,
    redeliverSince
  })
})

export interface WebhooksShape {
  /** The answer carries the signing secret, which is not shown again. */
  readonly create: (
    workspace_id: string,
    draft: { readonly url: string; readonly event_types: ReadonlyArray<EventType> }
  ) => Effect.Effect<Webhook, InvalidInput>
  readonly get: (workspace_id: string, webhook_id: string) => Effect.Effect<Webhook, WebhookNotFound>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<Webhook>>
  /** Disabling one makes what is pending for it dead: listed, and redeliverable later. */
  readonly update: (
    workspace_id: string,
    webhook_id: string,
    change: Partial<Pick<Webhook, "url" | "event_types" | "status">>
  ) => Effect.Effect<Webhook, WebhookNotFound | InvalidInput>
  /** A new secret; the old one signs beside it for 24 hours. */
  readonly rotate: (workspace_id: string, webhook_id: string) => Effect.Effect<Webhook, WebhookNotFound>
  readonly remove: (workspace_id: string, webhook_id: string) => Effect.Effect<void, WebhookNotFound>
  /** Sends `webhook_test` to this endpoint alone, whatever it receives, signed and tried again as any other event. */
  readonly test: (
    workspace_id: string,
    webhook_id: string
  ) => Effect.Effect<Delivery, WebhookNotFound | WebhookDisabled>
  /** Deliveries and their bodies are kept for 30 days. */
  readonly deliveries: (
    workspace_id: string,
    webhook_id: string,
    filter: Omit<DeliveryFilter, "webhook_id">,
    page: PageRequest
  ) => Effect.Effect<Page<Delivery>, WebhookNotFound>
  readonly delivery: (
    workspace_id: string,
    webhook_id: string,
    delivery_id: string
  ) => Effect.Effect<DeliveryDetail, WebhookNotFound | DeliveryNotFound>
  /** Sends a delivered or dead event once more, with a full set of tries; not to a webhook that is disabled. */
  readonly redeliver: (
    workspace_id: string,
    webhook_id: string,
    delivery_id: string
  ) => Effect.Effect<Delivery, WebhookNotFound | DeliveryNotFound | DeliveryPending | WebhookDisabled>
  /**
   * Sends what was delivered or is dead once more, from the oldest that was made at `since`, and in order. What is on
   * its way already is left as it is. A request that is broken off has done a part: the same request goes on.
   */
  readonly redeliverSince: (
    workspace_id: string,
    webhook_id: string,
    redelivery: Redelivery
  ) => Effect.Effect<
    { readonly webhook_id: string; readonly redelivered: number },
    WebhookNotFound | WebhookDisabled
  >
}

/** Receiving addresses and what was sent to them. */
export class Webhooks extends Context.Tag("outdial/Webhooks")<Webhooks, WebhooksShape>() {
  static readonly layer = Layer.effect(this, make)
}
