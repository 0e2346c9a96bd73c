import { Clock, Context, Effect, Encoding, Layer, Option } from "effect"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { rotated } from "../model/webhooks/SigningSecret.ts"
import type { Delivery, DeliveryStatus, EventType, Webhook } from "../model/webhooks/Webhook.ts"
import {
  DeliveryNotFound,
  DeliveryPending,
  WebhookDisabled,
  WebhookNotFound
} from "../model/webhooks/WebhookErrors.ts"
import { Dispatcher } from "../ports/Dispatcher.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"
import { WebhookSink } from "../ports/WebhookSink.ts"

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const dispatcher = yield* Dispatcher
  const sink = yield* WebhookSink
  const secrets = yield* Secrets
  const ids = yield* Ids

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
    yield* repository.webhooks.insert(webhook)
    return webhook
  })

  const change = <E>(
    workspace_id: string,
    webhook_id: string,
    f: (webhook: Webhook, now: number) => Effect.Effect<Webhook, E>
  ) =>
    repository.transaction(
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

  const remove: WebhooksShape["remove"] = Effect.fn("Webhooks.remove")(function* (workspace_id, webhook_id) {
    const removed = yield* repository.transaction(
      workspace_id,
      repository.webhooks.remove(workspace_id, webhook_id)
    )
    if (!removed) return yield* new WebhookNotFound({ webhook_id })
  })

  const deliveries: WebhooksShape["deliveries"] = Effect.fn("Webhooks.deliveries")(
    function* (workspace_id, webhook_id, filter, page) {
      yield* find(workspace_id, webhook_id)
      return yield* repository.deliveries.list(workspace_id, { webhook_id, ...filter }, page)
    }
  )

  const redeliver: WebhooksShape["redeliver"] = Effect.fn("Webhooks.redeliver")(
    function* (workspace_id, webhook_id, delivery_id) {
      const delivery = yield* repository.transaction(
        workspace_id,
        Effect.gen(function* () {
          const webhook = yield* find(workspace_id, webhook_id)
          const found = yield* findDelivery(webhook, delivery_id)
          if (webhook.status === "disabled") return yield* new WebhookDisabled({ webhook_id })
          if (found.status === "pending") return yield* new DeliveryPending({ delivery_id })
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
      yield* dispatcher.wake(workspace_id)
      return delivery
    }
  )

  return Webhooks.of({
    create,
    list: repository.webhooks.list,
    update,
    rotate,
    remove,
    deliveries,
    redeliver
  })
})

export interface WebhooksShape {
  /** The answer carries the signing secret, which is not shown again. */
  readonly create: (
    workspace_id: string,
    draft: { readonly url: string; readonly event_types: ReadonlyArray<EventType> }
  ) => Effect.Effect<Webhook, InvalidInput>
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
  readonly deliveries: (
    workspace_id: string,
    webhook_id: string,
    filter: { readonly status?: DeliveryStatus | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Delivery>, WebhookNotFound>
  /** Sends a delivered or dead event once more, with a full set of tries; not to a webhook that is disabled. */
  readonly redeliver: (
    workspace_id: string,
    webhook_id: string,
    delivery_id: string
  ) => Effect.Effect<Delivery, WebhookNotFound | DeliveryNotFound | DeliveryPending | WebhookDisabled>
}

/** Receiving addresses and what was sent to them. */
export class Webhooks extends Context.Tag("outdial/Webhooks")<Webhooks, WebhooksShape>() {
  static readonly layer = Layer.effect(this, make)
}
