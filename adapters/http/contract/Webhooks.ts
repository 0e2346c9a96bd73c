import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Characters } from "../../../core/model/Codecs.ts"
import { Delivery, EventType, Webhook } from "../../../core/model/webhooks/Webhook.ts"
import { DeliveryPending } from "../../../core/model/webhooks/WebhookErrors.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, Deleted, Id, operation } from "./Operation.ts"
import { PageOf, PageQuery } from "./Paging.ts"
import { DeliveryQuery } from "./Queries.ts"

const WebhookWithSecret = Schema.Struct({
  ...Webhook.fields,
  secret: Schema.String.annotations({ description: "`whsec_…`: signs the events; not shown again" })
}).annotations({ identifier: "WebhookWithSecret" })

const DeliveryRecord = Schema.Struct({ ...Delivery.fields, customer_id: Schema.String }).annotations({
  identifier: "Delivery"
})

const Url = Characters(0, 2_048).annotations({
  description: "Where events are sent: a public https or http address"
})

const EventTypes = Schema.Array(EventType).annotations({
  description: "The kinds of events that it receives; empty: all but `call_reviewed`"
})

export const NewWebhook = body("NewWebhook", {
  url: Url,
  event_types: Schema.optionalWith(EventTypes, { default: () => [] })
})

export const WebhookChange = body("WebhookChange", {
  url: Schema.optional(Url),
  event_types: Schema.optional(EventTypes),
  status: Schema.optional(Webhook.fields.status)
})

const Path = Schema.Struct({ webhook_id: Id("The webhook's id") })

const DeliveryPath = Schema.Struct({ ...Path.fields, delivery_id: Id("The delivery's id") })

const create = HttpApiEndpoint.post("create", "/webhooks")
  .setPayload(NewWebhook)
  .addSuccess(WebhookWithSecret)
  .middleware(JsonBody)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("createWebhook", {
      summary: "Create a webhook",
      description:
        "Events are signed by the Standard Webhooks scheme with the secret that the answer carries, and only " +
        "that answer. Addresses that are not public are refused.",
      scope: "webhooks:write",
      request: { url: "https://example.com/hooks", event_types: ["call_completed"] },
      response: Examples.webhookWithSecret
    })
  )

const list = HttpApiEndpoint.get("list", "/webhooks")
  .setUrlParams(PageQuery)
  .addSuccess(PageOf("WebhookPage", Webhook))
  .middleware(needs("webhooks:read"))
  .annotateContext(
    operation("listWebhooks", {
      summary: "List webhooks",
      description: "The workspace's webhooks, newest first, without their secrets.",
      scope: "webhooks:read",
      response: Examples.pageOf(Examples.webhook)
    })
  )

const update = HttpApiEndpoint.patch("update", "/webhooks/:webhook_id")
  .setPath(Path)
  .setPayload(WebhookChange)
  .addSuccess(Webhook)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("updateWebhook", {
      summary: "Change a webhook",
      description:
        "Changes what is given. Disabling one makes what is on its way to it dead: listed, and redeliverable.",
      scope: "webhooks:write",
      request: { status: "disabled" },
      response: { ...Examples.webhook, status: "disabled", disabled_reason: "user" }
    })
  )

const remove = HttpApiEndpoint.del("remove", "/webhooks/:webhook_id")
  .setPath(Path)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("removeWebhook", {
      summary: "Remove a webhook",
      description: "Removes it with its deliveries.",
      scope: "webhooks:write",
      response: Examples.deleted(Examples.ids.webhook)
    })
  )

const rotate = HttpApiEndpoint.post("rotate", "/webhooks/:webhook_id/rotate")
  .setPath(Path)
  .addSuccess(WebhookWithSecret)
  .addError(Errors.NotFound)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("rotateWebhookSecret", {
      summary: "Rotate a webhook's secret",
      description: "The answer carries the new secret. The old one signs beside it for 24 hours.",
      scope: "webhooks:write",
      response: Examples.webhookWithSecret
    })
  )

const deliveries = HttpApiEndpoint.get("deliveries", "/webhooks/:webhook_id/deliveries")
  .setPath(Path)
  .setUrlParams(DeliveryQuery)
  .addSuccess(PageOf("DeliveryPage", DeliveryRecord))
  .addError(Errors.NotFound)
  .middleware(needs("webhooks:read"))
  .annotateContext(
    operation("listDeliveries", {
      summary: "List a webhook's deliveries",
      description: "Events sent or on their way to it, newest first. A dead one has used up its tries.",
      scope: "webhooks:read",
      response: Examples.pageOf(Examples.delivery)
    })
  )

const redeliver = HttpApiEndpoint.post("redeliver", "/webhooks/:webhook_id/deliveries/:delivery_id/redeliver")
  .setPath(DeliveryPath)
  .addSuccess(DeliveryRecord)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("redeliver", {
      summary: "Send an event once more",
      description: "A delivered or dead event is sent again at once, with a full set of tries.",
      scope: "webhooks:write",
      response: {
        ...Examples.delivery,
        status: "pending",
        attempts: 0,
        next_attempt_at: Examples.delivery.created_at
      },
      failures: { 409: new DeliveryPending({ delivery_id: "" }) },
      errors: { 409: "The delivery is on its way already, or the webhook is disabled" }
    })
  )

export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(create)
  .add(list)
  .add(update)
  .add(remove)
  .add(rotate)
  .add(deliveries)
  .add(redeliver)
  .annotateContext(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Where the events of calls are sent, and what became of them. An addition."
    })
  )
