import { Option } from "effect"
import type { Delivery } from "../../core/model/webhooks/Webhook.ts"
import type { ClaimedDelivery, DeliveryRows, Outgoing, TriedDelivery } from "../../core/ports/DeliveryRows.ts"
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

const headOf = (space: TenantTables, { subject_id, webhook_id }: Delivery): Delivery | undefined =>
  space.deliveries.lanes.find(
    (delivery) => byText(delivery.webhook_id, webhook_id) || byText(delivery.subject_id, subject_id)
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
        if (delivery.webhook_id !== id) continue
        space.deliveries.table.delete(delivery.id)
        space.deliveries.answers.delete(delivery.id)
      }
      return space.webhooks.delete(id)
    })
})

const append = (write: Store["write"], { deliveries, event }: Outgoing) => {
  const space = write(event.customer_id)
  space.events.insert(event)
  for (const entry of deliveries) {
    const isHead = headOf(space, entry) === undefined
    space.deliveries.table.insert({ ...entry, next_attempt_at: isHead ? event.created_at : null })
  }
}

const settle = (
  space: TenantTables,
  { delivery, response_body, until }: TriedDelivery
): Option.Option<ClaimedDelivery> => {
  const stored = space.deliveries.table.get(delivery.id)
  if (stored?.status !== "pending") return Option.none()
  const over = delivery.status !== "pending"
  space.deliveries.answers.set({ id: stored.id, body: response_body })
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
}

export const deliveries = ({ undo, read, write }: Store): DeliveryRows => ({
  append: (outgoing) =>
    undo.verb(() => {
      for (const each of outgoing) append(write, each)
    }),
  get: (workspace_id, id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).deliveries.table.get(id))),
  list: (workspace_id, { call_id, status, webhook_id }, page) =>
    undo.verb(() =>
      read(workspace_id).deliveries.table.page(
        page,
        (delivery) =>
          delivery.webhook_id === webhook_id &&
          (status === undefined || delivery.status === status) &&
          (call_id === undefined || delivery.call_id === call_id)
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
  settle: (workspace_id, tries) =>
    undo.verb(() => {
      const space = read(workspace_id)
      return tries.map((tried) => settle(space, tried))
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
  bodies: (workspace_id, id) =>
    undo.verb(() => {
      const { deliveries, events } = read(workspace_id)
      const event = events.get(deliveries.table.get(id)?.event_id ?? "")
      return event === undefined
        ? Option.none()
        : Option.some({ request_body: event.body, response_body: deliveries.answers.get(id)?.body ?? null })
    }),
  newest: (workspace_id, webhook_id, before, limit) =>
    undo.verb(() => {
      const newestFirst = read(workspace_id).deliveries.table.byAge.descending(0)
      const found: Array<Delivery> = []
      for (const delivery of newestFirst) {
        if (found.length === limit) break
        const behind = before === null || delivery.id < before
        if (delivery.webhook_id === webhook_id && behind) found.push(delivery)
      }
      return found
    }),
  redeliverFrom: (workspace_id, webhook_id, from, statuses, now, limit) =>
    undo.verb(() => {
      const space = read(workspace_id)
      const behind = take(
        space.deliveries.table.byAge.ascending((delivery) => byText(delivery.id, from)),
        Infinity,
        () => true
      ).filter((delivery) => delivery.webhook_id === webhook_id)
      const wanted = behind
        .slice(0, limit)
        .filter(
          ({ event_id, status }) => statuses.includes(status) && space.events.get(event_id) !== undefined
        )
      for (const delivery of wanted) {
        const head = headOf(space, delivery)
        space.deliveries.table.set({
          ...delivery,
          status: "pending",
          attempts: 0,
          delivered_at: null,
          updated_at: now,
          next_attempt_at: head !== undefined && head.id < delivery.id ? null : now
        })
      }
      return { redelivered: wanted.length, next: behind[limit]?.id ?? null }
    }),
  forget: (workspace_id, until, limit) =>
    undo.verb(() => {
      const { deliveries, events } = read(workspace_id)
      const isOld = (row: { readonly created_at: number }) => row.created_at <= until
      const old = take(deliveries.table.byAge.ascending(), limit, isOld)
      const gone = old.filter(({ status }) => status !== "pending")
      for (const { id } of gone) {
        deliveries.table.delete(id)
        deliveries.answers.delete(id)
      }
      const pending = new Set(Array.from(deliveries.lanes.ascending(), ({ event_id }) => event_id))
      const over = take(events.byAge.ascending(), limit, isOld).filter(({ id }) => !pending.has(id))
      for (const { id } of over) events.delete(id)
      return gone.length + over.length > 0
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
