import { Schema } from "effect"

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {
  webhook_id: Schema.String
}) {
  override get message() {
    return "no such webhook"
  }
}

export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  delivery_id: Schema.String
}) {
  override get message() {
    return "no such delivery"
  }
}

export class DeliveryPending extends Schema.TaggedError<DeliveryPending>()("DeliveryPending", {
  delivery_id: Schema.String
}) {
  override get message() {
    return "the delivery is on its way already"
  }
}

/** Nothing is sent to an endpoint that is disabled. */
export class WebhookDisabled extends Schema.TaggedError<WebhookDisabled>()("WebhookDisabled", {
  webhook_id: Schema.String
}) {
  override get message() {
    return "the webhook is disabled: set its status to active first"
  }
}
