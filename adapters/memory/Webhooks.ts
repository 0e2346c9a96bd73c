import { Option } from "effect"
import type { Delivery } from "../../core/model/webhooks/Webhook.ts"
import type { ClaimedDelivery, DeliveryRows } from "../../core/ports/DeliveryRows.ts"
import type { WebhookRows } from "../../core/ports/WebhookRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { take } from "./Table.ts"
import type { TenantTables } from "./TenantTables.ts"

const pendingOf = (space: TenantTables, webhook_id: string): Array<Delivery> =>
  take(
    space.deliveries.lanes.ascending((delivery) => byText(delivery.webhook_id, webhook_id)),
    Infinity,
    (delivery) => delivery.webhook_id === webhook_id
  )

const headOf = (space: TenantTables, { call_id, webhook_id }: Delivery): Delivery | undefined =>
  space.deliveries.lanes.find(
    (delivery) => byText(delivery.webhook_id, webhook_id) || byText(delivery.call_id, call_id)
  )

const claimUntil = (space: TenantTables, head: Delivery, until: number): ClaimedDelivery => {
  const delivery = { ...head, next_attempt_at: until }
  space.deliveries.table.set(delivery)
  return { delivery, body: space.events.get(head.event_id)!.body }
}

export const webhooks = ({ undo, read, write }: Store): WebhookRows => ({
  insert: (webhook) => undo.verb(() => write(webhook.customer_id).webhooks.insert(webhook)),
  get: (workspace_id, id) => undo.verb(() => Option.fromNullable(read(workspace_id).webhooks.get(id))),
  list: (workspace_id, page) => undo.verb(() => read(workspace_id).webhooks.page(page)),
  active: (workspace_id) =>
    undo.verb(() =>
      Array.from(read(workspace_id).webhooks.byAge.descending(0)).filter(({ status }) => status === "active")
    ),
  update: (webhook) =>
    undo.verb(() => {
      const table = read(webhook.customer_id).webhooks
      const stored = table.get(webhook.id)
      if (stored !== undefined) table.set({ ...webhook, created_at: stored.created_at })
    }),
  remove: (workspace_id, id) =>
    undo.verb(() => {
      const space = read(workspace_id)
      for (const delivery of Array.from(space.deliveries.table.byAge.ascending())) {
        if (delivery.webhook_id === id) space.deliveries.table.delete(delivery.id)
      }
      return space.webhooks.delete(id)
    })
})

export const deliveries = ({ undo, read, write }: Store): DeliveryRows => ({
  append: (event, entries) =>
    undo.verb(() => {
      const space = write(event.customer_id)
      space.events.insert(event)
      for (const entry of entries) {
        const isHead = headOf(space, entry) === undefined
        space.deliveries.table.insert({ ...entry, next_attempt_at: isHead ? event.created_at : null })
      }
    }),
  get: (workspace_id, id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).deliveries.table.get(id))),
  list: (workspace_id, { status, webhook_id }, page) =>
    undo.verb(() =>
      read(workspace_id).deliveries.table.page(
        page,
        (delivery) =>
          delivery.webhook_id === webhook_id && (status === undefined || delivery.status === status)
      )
    ),
  claim: (workspace_id, webhook_id, now, until, limit) =>
    undo.verb(() => {
      const space = read(workspace_id)
      const heads = take(
        space.deliveries.due.ascending((delivery) => byText(delivery.webhook_id, webhook_id)),
        limit,
        (delivery) => delivery.webhook_id === webhook_id && delivery.next_attempt_at! <= now
      )
      return heads.map((head) => claimUntil(space, head, until))
    }),
  settle: (delivery, until) =>
    undo.verb(() => {
      const space = read(delivery.customer_id)
      const stored = space.deliveries.table.get(delivery.id)
      if (stored?.status !== "pending") return Option.none()
      const over = delivery.status !== "pending"
      space.deliveries.table.set({
        ...stored,
        status: delivery.status,
        attempts: delivery.attempts,
        response_status: delivery.response_status,
        last_error: delivery.last_error,
        next_attempt_at: over ? null : delivery.next_attempt_at,
        delivered_at: delivery.delivered_at,
        updated_at: delivery.updated_at
      })
      const head = over ? headOf(space, stored) : undefined
      // A head that has a time already is under way by itself: it has been redelivered.
      return head === undefined || head.next_attempt_at !== null
        ? Option.none()
        : Option.some(claimUntil(space, head, until))
    }),
  redeliver: (delivery) =>
    undo.verb(() => {
      const { table } = read(delivery.customer_id).deliveries
      const stored = table.get(delivery.id)
      if (stored === undefined) return
      table.set({
        ...stored,
        status: "pending",
        attempts: delivery.attempts,
        response_status: delivery.response_status,
        last_error: delivery.last_error,
        next_attempt_at: delivery.next_attempt_at,
        delivered_at: delivery.delivered_at,
        updated_at: delivery.updated_at
      })
    }),
  bury: (workspace_id, webhook_id, at) =>
    undo.verb(() => {
      const space = read(workspace_id)
      const pending = pendingOf(space, webhook_id)
      for (const delivery of pending) {
        space.deliveries.table.set({ ...delivery, status: "dead", next_attempt_at: null, updated_at: at })
      }
      return pending.length
    }),
  nextDue: (workspace_id) =>
    undo.verb(() => {
      const space = read(workspace_id)
      const times: Array<number> = []
      for (const { id, status } of space.webhooks.byAge.ascending()) {
        const head = space.deliveries.due.find((delivery) => byText(delivery.webhook_id, id))
        if (status === "active" && head !== undefined) times.push(head.next_attempt_at!)
      }
      return times.length === 0 ? Option.none() : Option.some(Math.min(...times))
    })
})
