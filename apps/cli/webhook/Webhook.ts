import { Schema } from "effect"
import { type Delivery, Webhook as Record } from "../../../core/model/webhooks/Webhook.ts"
import * as Flags from "../command/Flags.ts"
import { type Column, moment } from "../terminal/Table.ts"

export const Created = Schema.Struct({ ...Record.fields, secret: Schema.String })
export const Redelivered = Schema.Struct({ redelivered: Schema.Int })
export const Removed = Schema.Struct({ id: Schema.String })

export const id = Flags.argument("WEBHOOK_ID", "The webhook's id, as `webhook list` shows it.")

export const path = "/webhooks"
export const pathOf = (webhookId: string): string => `${path}/${encodeURIComponent(webhookId)}`

export const columns: ReadonlyArray<Column<typeof Record.Type>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "URL", value: ({ url }) => url },
  { title: "EVENTS", value: ({ event_types }) => event_types.join(", ") },
  { title: "STATUS", value: ({ status }) => status },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]

export const deliveryColumns: ReadonlyArray<Column<typeof Delivery.Type>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "EVENT", value: ({ event_type }) => event_type },
  { title: "OF", value: ({ subject_id }) => subject_id },
  { title: "STATUS", value: ({ status }) => status },
  { title: "TRIES", value: ({ attempts }) => attempts },
  { title: "LAST ERROR", value: ({ last_error }) => last_error ?? "" },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]
