import { Effect, Option } from "effect"
import type { Delivery, WebhookEvent } from "../../core/model/webhooks/Webhook.ts"
import type { ClaimedDelivery, DeliveryRows } from "../../core/ports/DeliveryRows.ts"
import type { Database } from "./Database.ts"
import { asIs, assign, insertInto, pageOf, pick, prefixed, reader, write } from "./Statements.ts"

const eventColumns = ["id", "customer_id", "call_id", "event_type", "created_at", "body"] as const

const fixed = ["id", "customer_id", "webhook_id", "event_id", "event_type", "call_id", "created_at"] as const
const result = ["attempts", "response_status", "last_error", "delivered_at", "updated_at"] as const
const appended = [...fixed, ...result, "status"] as const
const columns = [...appended, "next_attempt_at"] as const

interface ClaimedRow extends Delivery {
  readonly body: string
}

const pageWhere = (where: string) => pageOf({ table: "deliveries", columns, where, order: "id desc" })

const withBody =
  `select ${prefixed("d", columns)}, e.body from deliveries d ` +
  "join events e on e.customer_id = d.customer_id and e.id = d.event_id "

const sql = {
  insertEvent: insertInto("events", eventColumns),
  append:
    `insert into deliveries (${appended.join(", ")}, next_attempt_at) ` +
    `values (${appended.map(() => "?").join(", ")}, case when exists ` +
    "(select 1 from deliveries where customer_id = ? and webhook_id = ? and call_id = ? and status = 'pending') " +
    "then null else cast(? as bigint) end)",
  get: `select ${columns.join(", ")} from deliveries where customer_id = ? and id = ?`,
  page: pageWhere("customer_id = ? and webhook_id = ?"),
  pageOfStatus: pageWhere("customer_id = ? and webhook_id = ? and status = ?"),
  due:
    `${withBody}where d.customer_id = ? and d.webhook_id = ? and d.next_attempt_at <= ? ` +
    "order by d.next_attempt_at, d.id limit ?",
  // A head that has a time already is under way by itself: it has been redelivered.
  claimHead:
    "update deliveries set next_attempt_at = ? where (customer_id, id) = (select customer_id, id from deliveries " +
    "where customer_id = ? and webhook_id = ? and call_id = ? and status = 'pending' order by id limit 1) " +
    `and next_attempt_at is null returning ${columns.join(", ")}, (select e.body from events e ` +
    "where e.customer_id = deliveries.customer_id and e.id = deliveries.event_id) as body",
  claim: "update deliveries set next_attempt_at = ? where customer_id = ? and id = ?",
  // Joined to nothing, the status serves no index: the delivery is found by its key, not among all pending ones.
  settle:
    `update deliveries set ${assign([...result, "status", "next_attempt_at"])} ` +
    "where customer_id = ? and id = ? and status || '' = 'pending'",
  redeliver:
    `update deliveries set ${assign([...result, "status", "next_attempt_at"])} ` +
    "where customer_id = ? and id = ?",
  bury:
    "update deliveries set status = 'dead', next_attempt_at = null, updated_at = ? " +
    "where customer_id = ? and webhook_id = ? and status = 'pending'",
  nextDue:
    "select (select d.next_attempt_at from deliveries d where d.customer_id = w.customer_id " +
    "and d.webhook_id = w.id and d.next_attempt_at is not null order by d.next_attempt_at limit 1) as due_at " +
    "from webhooks w where w.customer_id = ? and w.status = 'active'"
}

export const deliveries = (database: Database["Type"]): DeliveryRows => {
  const read = reader(database, asIs<Delivery>)
  const append = Effect.fnUntraced(function* (event: WebhookEvent, entries: ReadonlyArray<Delivery>) {
    yield* write(database, event.customer_id, sql.insertEvent, pick(event, eventColumns))
    for (const entry of entries) {
      yield* write(database, entry.customer_id, sql.append, [
        ...pick(entry, appended),
        entry.customer_id,
        entry.webhook_id,
        entry.call_id,
        event.created_at
      ])
    }
  })

  const claimed = ({ body, ...delivery }: ClaimedRow): ClaimedDelivery => ({ delivery, body })

  const claimRow = ({ body, ...delivery }: ClaimedRow, until: number): Effect.Effect<ClaimedDelivery> =>
    Effect.as(write(database, delivery.customer_id, sql.claim, [until, delivery.customer_id, delivery.id]), {
      delivery: { ...delivery, next_attempt_at: until },
      body
    })

  const settle = Effect.fnUntraced(function* (delivery: Delivery, until: number) {
    const over = delivery.status !== "pending"
    const stored = yield* database.run(delivery.customer_id, sql.settle, [
      ...pick(delivery, result),
      delivery.status,
      over ? null : delivery.next_attempt_at,
      delivery.customer_id,
      delivery.id
    ])
    if (stored === 0 || !over) return Option.none()
    const { call_id, customer_id, webhook_id } = delivery
    const [head] = yield* database.all<ClaimedRow>(customer_id, sql.claimHead, [
      until,
      customer_id,
      webhook_id,
      call_id
    ])
    return head === undefined ? Option.none() : Option.some(claimed(head))
  })

  return {
    append: (event, entries) => database.unit(event.customer_id, append(event, entries)),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    list: (workspace_id, { status, webhook_id }, page) =>
      status === undefined
        ? read.page(workspace_id, sql.page, page, webhook_id)
        : read.page(workspace_id, sql.pageOfStatus, page, webhook_id, status),
    claim: (workspace_id, webhook_id, now, until, limit) =>
      database.unit(
        workspace_id,
        Effect.flatMap(
          database.all<ClaimedRow>(workspace_id, sql.due, [workspace_id, webhook_id, now, limit]),
          (rows) => Effect.forEach(rows, (row) => claimRow(row, until))
        )
      ),
    settle: (delivery, until) => database.unit(delivery.customer_id, settle(delivery, until)),
    redeliver: (delivery) =>
      Effect.asVoid(
        database.run(delivery.customer_id, sql.redeliver, [
          ...pick(delivery, result),
          "pending",
          delivery.next_attempt_at,
          delivery.customer_id,
          delivery.id
        ])
      ),
    bury: (workspace_id, webhook_id, at) =>
      database.run(workspace_id, sql.bury, [at, workspace_id, webhook_id]),
    nextDue: (workspace_id) =>
      Effect.map(
        database.all<{ readonly due_at: number | null }>(workspace_id, sql.nextDue, [workspace_id]),
        (rows) => {
          const times = rows.flatMap(({ due_at }) => (due_at === null ? [] : [due_at]))
          return times.length === 0 ? Option.none() : Option.some(Math.min(...times))
        }
      )
  }
}
