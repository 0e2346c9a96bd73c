import { Effect } from "effect"
import type { EventType, Webhook } from "../../core/model/webhooks/Webhook.ts"
import type { WebhookRows } from "../../core/ports/WebhookRows.ts"
import type { Database } from "./Database.ts"
import { assign, changes, insertInto, pageOf, pick, reader } from "./Statements.ts"

const plain = [
  "url",
  "status",
  "disabled_reason",
  "secret",
  "previous_secret",
  "previous_secret_until",
  "updated_at"
] as const
const mutable = [...plain, "event_types"]
const columns = ["id", "customer_id", "created_at", ...mutable]

interface WebhookRow extends Omit<Webhook, "event_types"> {
  readonly event_types: string
}

const mutableOf = (webhook: Webhook) => [...pick(webhook, plain), JSON.stringify(webhook.event_types)]
const fromRow = (row: WebhookRow): Webhook => ({
  ...row,
  event_types: JSON.parse(row.event_types) as ReadonlyArray<EventType>
})

const sql = {
  insert: insertInto("webhooks", columns),
  get: `select ${columns.join(", ")} from webhooks where customer_id = ? and id = ?`,
  page: pageOf({
    table: "webhooks",
    columns,
    where: "customer_id = ?",
    order: "id desc"
  }),
  active: `select ${columns.join(", ")} from webhooks where customer_id = ? and status = 'active' order by id desc`,
  update: `update webhooks set ${assign(mutable)} where customer_id = ? and id = ?`,
  remove: "delete from webhooks where customer_id = ? and id = ?",
  removeDeliveries: "delete from deliveries where customer_id = ? and webhook_id = ?"
}

export const webhooks = (database: Database["Type"]): WebhookRows => {
  const read = reader(database, fromRow)
  return {
    insert: (webhook) =>
      Effect.asVoid(
        database.run(webhook.customer_id, sql.insert, [
          webhook.id,
          webhook.customer_id,
          webhook.created_at,
          ...mutableOf(webhook)
        ])
      ),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    list: (workspace_id, page) => read.page(workspace_id, sql.page, page),
    active: (workspace_id) => read.all(workspace_id, sql.active),
    update: (webhook) =>
      Effect.asVoid(
        database.run(webhook.customer_id, sql.update, [
          ...mutableOf(webhook),
          webhook.customer_id,
          webhook.id
        ])
      ),
    remove: (workspace_id, id) =>
      database.unit(
        workspace_id,
        Effect.flatMap(database.run(workspace_id, sql.removeDeliveries, [workspace_id, id]), () =>
          changes(database, workspace_id, sql.remove, [workspace_id, id])
        )
      )
  }
}
