import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Characters, Timestamp } from "../../../core/model/Codecs.ts"
import { Delivery, EventType, Webhook } from "../../../core/model/webhooks/Webhook.ts"
import { DeliveryPending, WebhookDisabled } from "../../../core/model/webhooks/WebhookErrors.ts"
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

const DeliveryWithBodies = Schema.Struct({
  ...DeliveryRecord.fields,
  request_body: Schema.String.annotations({ description: "What is sent, byte for byte" }),
  response_body: Schema.NullOr(Schema.String).annotations({
    description: "What the last try was answered, its first 4,096 characters; null: nothing"
  })
}).annotations({ identifier: "DeliveryWithBodies" })

export const Redelivery = body("Redelivery", {
  since: Timestamp.annotations({ description: "What was made at this moment or later" }),
  status: Schema.optional(
    Schema.Literal("delivered", "dead").annotations({ description: "Only deliveries of this status" })
  )
})

const Redelivered = Schema.Struct({
  webhook_id: Schema.String,
  redelivered: Schema.Int.annotations({ description: "How many deliveries are on their way again" })
}).annotations({ identifier: "Redelivered" })

const Url = Characters(0, 2_048).annotations({
  description: "Where events are sent: a public https or http address"
})

const EventTypes = Schema.Array(EventType).annotations({
  description:
    "The kinds of events that it receives; empty: `call_started`, `call_completed` and `recording_completed`"
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

const get = HttpApiEndpoint.get("get", "/webhooks/:webhook_id")
  .setPath(Path)
  .addSuccess(Webhook)
  .addError(Errors.NotFound)
  .middleware(needs("webhooks:read"))
  .annotateContext(
    operation("getWebhook", {
      summary: "Read a webhook",
      description: "The webhook without its secret.",
      scope: "webhooks:read",
      response: Examples.webhook
    })
  )

const test = HttpApiEndpoint.post("test", "/webhooks/:webhook_id/test")
  .setPath(Path)
  .addSuccess(DeliveryRecord)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("testWebhook", {
      summary: "Try a webhook out",
      description:
        "Sends the event `webhook_test` to this webhook alone, whatever kinds of events it names: signed, tried " +
        "again and listed as any other. `GET /webhooks/{webhook_id}/deliveries/{delivery_id}` tells what came of it.",
      scope: "webhooks:write",
      response: Examples.testDelivery,
      failures: { 409: new WebhookDisabled({ webhook_id: "" }) },
      errors: { 409: "The webhook is disabled" }
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
      description:
        "Events sent or on their way to it, newest first. A dead one has used up its tries. Deliveries are kept for " +
        "30 days.",
      scope: "webhooks:read",
      response: Examples.pageOf(Examples.delivery)
    })
  )

const delivery = HttpApiEndpoint.get("delivery", "/webhooks/:webhook_id/deliveries/:delivery_id")
  .setPath(DeliveryPath)
  .addSuccess(DeliveryWithBodies)
  .addError(Errors.NotFound)
  .middleware(needs("webhooks:read"))
  .annotateContext(
    operation("getDelivery", {
      summary: "Read a delivery",
      description: "The delivery with what is sent, and what its last try was answered.",
      scope: "webhooks:read",
      response: Examples.deliveryDetail
    })
  )

const redeliverSince = HttpApiEndpoint.post("redeliverSince", "/webhooks/:webhook_id/redeliver")
  .setPath(Path)
  .setPayload(Redelivery)
  .addSuccess(Redelivered)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needs("webhooks:write"))
  .annotateContext(
    operation("redeliverSince", {
      summary: "Send events once more, from a time on",
      description:
        "Every event that was delivered or is dead and was made at `since` or later is sent again, in order, with a " +
        "full set of tries. What is on its way already is left as it is. A receiver tells repeats by `webhook-id`.",
      scope: "webhooks:write",
      request: { since: Examples.created_at, status: "dead" },
      response: { webhook_id: Examples.ids.webhook, redelivered: 12 },
      failures: { 409: new WebhookDisabled({ webhook_id: "" }) },
      errors: { 409: "The webhook is disabled" }
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
  .add(get)
  .add(update)
  .add(remove)
  .add(rotate)
  .add(test)
  .add(deliveries)
  .add(delivery)
  .add(redeliver)
  .add(redeliverSince)
  .annotateContext(
    OpenApi.annotations({
      title: "Webhooks",
      description: "Where events are sent, and what became of them. An addition."
    })
  )
