import { Effect, Option } from "effect"
import { type Delivery, type DeliveryStatus, isOfCall, SentType } from "../../core/model/webhooks/Webhook.ts"
import type {
  ClaimedDelivery,
  DeliveryBodies,
  DeliveryFilter,
  DeliveryRows,
  Outgoing,
  TriedDelivery
} from "../../core/ports/DeliveryRows.ts"
import type { Database, Param } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import { noteChange } from "./ListChanges.ts"
import {
  asIs,
  assign,
  filtered,
  insertInto,
  pageOf,
  pick,
  prefixed,
  reader,
  readPage,
  write,
  writeEach
} from "./Statements.ts"

/** The column of subjects is called `call_id`: earlier versions had events of calls alone. */
const eventColumns = ["id", "customer_id", "call_id", "event_type", "created_at", "body"] as const

/** Fields of an event, in the order of its columns. */
const eventFields = ["id", "customer_id", "subject_id", "event_type", "created_at", "body"] as const

const fixed = ["id", "customer_id", "webhook_id", "event_id", "event_type", "call_id", "created_at"] as const
const result = ["attempts", "response_status", "last_error", "delivered_at", "updated_at"] as const
const appended = [...fixed, ...result, "status"] as const
const columns = [...appended, "next_attempt_at"] as const
/** Fields of a delivery, in the order of the columns of one that is appended. */
const appendedFields = [
  "id",
  "customer_id",
  "webhook_id",
  "event_id",
  "event_type",
  "subject_id",
  "created_at",
  ...result,
  "status"
] as const

interface DeliveryRow extends Omit<Delivery, "call_id" | "subject_id"> {
  readonly call_id: string
}

interface ClaimedRow extends DeliveryRow {
  readonly body: string
}

interface FoundRow {
  readonly id: string
  readonly call_id: string
  readonly status: DeliveryStatus
  readonly kept: boolean | number
}

interface AgedRow {
  readonly id: string
  readonly created_at: number
}

/** Sorts behind every id. */
const last = "~"

const fromRow = (row: DeliveryRow): Delivery => ({
  id: row.id,
  customer_id: row.customer_id,
  webhook_id: row.webhook_id,
  event_id: row.event_id,
  event_type: row.event_type,
  call_id: isOfCall(row.event_type) ? row.call_id : null,
  subject_id: row.call_id,
  status: row.status,
  attempts: row.attempts,
  response_status: row.response_status,
  last_error: row.last_error,
  next_attempt_at: row.next_attempt_at,
  delivered_at: row.delivered_at,
  created_at: row.created_at,
  updated_at: row.updated_at
})

const ofCalls = SentType.literals
  .filter(isOfCall)
  .map((type) => `'${type}'`)
  .join(", ")

const conditions = {
  webhook_id: "webhook_id = ?",
  status: "status = ?",
  call_id: `call_id = ? and event_type in (${ofCalls})`
} satisfies Readonly<Record<keyof DeliveryFilter, string>>

const ofCall = { ...conditions, status: "status || '' = ?" }

const open = { table: "deliveries", where: "customer_id = ? and webhook_id = ? and status = 'pending'" }
/** Deliveries that are removed after their time, or made again, are noted so. */
const oldDeliveries = "deliveries"

const withBody =
  `select ${prefixed("d", columns)}, e.body from deliveries d ` +
  "join events e on e.customer_id = d.customer_id and e.id = d.event_id "

const sql = {
  insertEvent: insertInto("events", eventColumns),
  wait: insertInto("deliveries", appended),
  append:
    `insert into deliveries (${appended.join(", ")}, next_attempt_at) ` +
    `values (${appended.map(() => "?").join(", ")}, case when exists ` +
    "(select 1 from deliveries where customer_id = ? and webhook_id = ? and call_id = ? and status = 'pending') " +
    "then null else cast(? as bigint) end)",
  get: `select ${columns.join(", ")} from deliveries where customer_id = ? and id = ?`,
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
  bodies:
    "select e.body as request_body, d.response_body from deliveries d " +
    "join events e on e.customer_id = d.customer_id and e.id = d.event_id where d.customer_id = ? and d.id = ?",
  newest:
    `select ${columns.join(", ")} from deliveries where customer_id = ? and webhook_id = ? and id < ? ` +
    "order by id desc limit ?",
  from:
    "select d.id, d.call_id, d.status, exists (select 1 from events e where e.customer_id = d.customer_id " +
    "and e.id = d.event_id) as kept from deliveries d where d.customer_id = ? and d.webhook_id = ? and d.id >= ? " +
    "order by d.id limit ?",
  again:
    "update deliveries set status = 'pending', attempts = 0, delivered_at = null, updated_at = ?, " +
    "next_attempt_at = case when exists (select 1 from deliveries as older where older.customer_id = ? " +
    "and older.webhook_id = ? and older.call_id = ? and older.status = 'pending' and older.id < ?) " +
    "then null else cast(? as bigint) end where customer_id = ? and id = ?",
  oldest: "select id, created_at from deliveries where customer_id = ? order by id limit ?",
  oldestEvents: "select id, created_at from events where customer_id = ? order by id limit ?",
  forget: "delete from deliveries where customer_id = ? and id <= ? and status || '' <> 'pending'",
  forgetEvents:
    "delete from events where customer_id = ? and id <= ? and id not in " +
    "(select event_id from deliveries where customer_id = ? and status = 'pending')",
  // Joined to nothing, the status serves no index: the delivery is found by its key, not among all pending ones.
  settle:
    `update deliveries set ${assign([...result, "status", "next_attempt_at", "response_body"])} ` +
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
  const read = reader(database, fromRow)
  const totals = makeTotals(database)
  const note = (workspace_id: string) => noteChange(database, workspace_id, oldDeliveries)

  /** Of one subject and endpoint, only the first can find that none is pending: those behind it wait for it. */
  const append = Effect.fnUntraced(function* (workspace_id: string, outgoing: ReadonlyArray<Outgoing>) {
    const lanes = new Set<string>()
    const heads: Array<Array<Param>> = []
    const behind: Array<Array<Param>> = []
    for (const { deliveries, event } of outgoing) {
      for (const entry of deliveries) {
        const row = pick(entry, appendedFields)
        const lane = `${entry.webhook_id} ${entry.subject_id}`
        if (lanes.has(lane)) behind.push(row)
        else {
          lanes.add(lane)
          row.push(workspace_id, entry.webhook_id, entry.subject_id, event.created_at)
          heads.push(row)
        }
      }
    }
    const events = outgoing.map(({ event }) => pick(event, eventFields))
    yield* writeEach(database, workspace_id, sql.insertEvent, events)
    yield* writeEach(database, workspace_id, sql.append, heads)
    yield* writeEach(database, workspace_id, sql.wait, behind)
  })

  const claimed = (row: ClaimedRow): ClaimedDelivery => ({ delivery: fromRow(row), body: row.body })

  const claim = Effect.fnUntraced(function* (
    workspace_id: string,
    webhook_id: string,
    now: number,
    until: number,
    limit: number
  ) {
    const rows = yield* database.all<ClaimedRow>(workspace_id, sql.due, [
      workspace_id,
      webhook_id,
      now,
      limit
    ])
    yield* writeEach(
      database,
      workspace_id,
      sql.claim,
      rows.map(({ id }) => [until, workspace_id, id])
    )
    return rows.map((row) => claimed({ ...row, next_attempt_at: until }))
  })

  const settle = Effect.fnUntraced(function* (workspace_id: string, tries: ReadonlyArray<TriedDelivery>) {
    const stored = yield* database.runEach(
      workspace_id,
      sql.settle,
      tries.map(({ delivery, response_body }) => [
        ...pick(delivery, result),
        delivery.status,
        delivery.status === "pending" ? delivery.next_attempt_at : null,
        response_body,
        workspace_id,
        delivery.id
      ])
    )
    const over = tries.filter(({ delivery }, n) => delivery.status !== "pending" && stored[n] === 1)
    const heads = yield* database.allEach<ClaimedRow>(
      workspace_id,
      sql.claimHead,
      over.map(({ delivery, until }) => [until, workspace_id, delivery.webhook_id, delivery.subject_id])
    )
    const behind = new Map(over.map((tried, n) => [tried, heads[n]![0]]))
    return tries.map((tried) => Option.map(Option.fromNullable(behind.get(tried)), claimed))
  })

  const redeliverFrom = Effect.fnUntraced(function* (
    workspace_id: string,
    webhook_id: string,
    from: string,
    statuses: ReadonlyArray<DeliveryStatus>,
    now: number,
    limit: number
  ) {
    const rows = yield* database.all<FoundRow>(workspace_id, sql.from, [
      workspace_id,
      webhook_id,
      from,
      limit + 1
    ])
    const wanted = rows.slice(0, limit).filter(({ kept, status }) => kept && statuses.includes(status))
    for (const { call_id, id } of wanted) {
      const lane = [workspace_id, webhook_id, call_id]
      yield* write(database, workspace_id, sql.again, [now, ...lane, id, now, workspace_id, id])
    }
    if (wanted.length > 0) yield* note(workspace_id)
    return { redelivered: wanted.length, next: rows[limit]?.id ?? null }
  })

  /** Removes the oldest that were made by `until`. Answers whether all that were looked at were so old. */
  const forgetOldest = Effect.fnUntraced(function* (
    workspace_id: string,
    texts: { readonly oldest: string; readonly forget: string },
    params: ReadonlyArray<string>,
    until: number,
    limit: number
  ) {
    const rows = yield* database.all<AgedRow>(workspace_id, texts.oldest, [workspace_id, limit])
    const young = rows.findIndex(({ created_at }) => created_at > until)
    const old = young === -1 ? rows : rows.slice(0, young)
    const newest = old.at(-1)
    if (newest === undefined) return 0
    const gone = yield* database.run(workspace_id, texts.forget, [workspace_id, newest.id, ...params])
    if (gone > 0) yield* note(workspace_id)
    return gone
  })

  const forget = Effect.fnUntraced(function* (workspace_id: string, until: number, limit: number) {
    const [ofDeliveries, ofEvents] = [
      { oldest: sql.oldest, forget: sql.forget },
      { oldest: sql.oldestEvents, forget: sql.forgetEvents }
    ]
    const gone = yield* forgetOldest(workspace_id, ofDeliveries, [], until, limit)
    const events = yield* forgetOldest(workspace_id, ofEvents, [workspace_id], until, limit)
    return gone + events > 0
  })

  return {
    append: (outgoing) =>
      outgoing.length === 0
        ? Effect.void
        : database.unit(outgoing[0]!.event.customer_id, append(outgoing[0]!.event.customer_id, outgoing)),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    list: (workspace_id, { call_id, status, webhook_id }, page) => {
      // Dead ones are few, and have an index. So are those of a call: joined to nothing, their status serves none.
      const isDead = status === "dead" && call_id === undefined
      const always = ["customer_id = ?", ...(isDead ? ["status = 'dead'"] : [])]
      const { params, where } = filtered(always, call_id === undefined ? conditions : ofCall, {
        webhook_id,
        status: isDead ? undefined : status,
        call_id
      })
      const texts = pageOf({ table: "deliveries", columns, where, order: "id desc", prefix: "dlv" })
      return readPage(database, workspace_id, texts, [workspace_id, ...params], page, fromRow, {
        totals,
        noted: oldDeliveries,
        open: status === undefined ? undefined : open,
        onlyOpen: status === "pending"
      })
    },
    claim: (workspace_id, webhook_id, now, until, limit) =>
      database.unit(workspace_id, claim(workspace_id, webhook_id, now, until, limit)),
    settle: (workspace_id, tries) => database.unit(workspace_id, settle(workspace_id, tries)),
    bodies: (workspace_id, id) => reader(database, asIs<DeliveryBodies>).one(workspace_id, sql.bodies, id),
    newest: (workspace_id, webhook_id, before, limit) =>
      read.all(workspace_id, sql.newest, webhook_id, before ?? last, limit),
    redeliverFrom: (workspace_id, webhook_id, from, statuses, now, limit) =>
      database.unit(workspace_id, redeliverFrom(workspace_id, webhook_id, from, statuses, now, limit)),
    forget: (workspace_id, until, limit) => database.unit(workspace_id, forget(workspace_id, until, limit)),
    redeliver: (delivery) =>
      database.unit(
        delivery.customer_id,
        Effect.zipRight(
          write(database, delivery.customer_id, sql.redeliver, [
            ...pick(delivery, result),
            "pending",
            delivery.next_attempt_at,
            delivery.customer_id,
            delivery.id
          ]),
          note(delivery.customer_id)
        )
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
