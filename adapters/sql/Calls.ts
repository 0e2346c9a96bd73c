import { Effect, Option } from "effect"
import {
  type Call,
  CallStatus,
  type CarrierError,
  type ErrorDetail,
  fixed
} from "../../core/model/calls/Call.ts"
import type { CallFilter, CallRows } from "../../core/ports/CallRows.ts"
import type { Database, Param } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import {
  assign,
  column,
  type Counting,
  filtered,
  insertInto,
  insertRows,
  type ListTexts,
  pageOf,
  pick,
  placeholders,
  reader,
  readPage,
  sought,
  stepsOf,
  write
} from "./Statements.ts"

const plain = [
  "status",
  "outcome",
  "sub_status",
  "scheduled_for",
  "attempt_count",
  "session_id",
  "agent_version",
  "duration_seconds",
  "credits",
  "updated_at",
  "completed_at",
  "attempt_id",
  "credits_held",
  "phase",
  "due_at",
  "version",
  "call_config",
  "transitions"
] as const
const mutable = [...plain, "error_code", "error_message", "error_details", "redial", "cancel_requested"]
const asTheyAre = [...fixed, ...plain]
const columns = [...fixed, ...mutable]

interface CallRow extends Omit<Call, "error" | "redial" | "cancel_requested"> {
  readonly error_code: string | null
  readonly error_message: string | null
  /** JSON. */
  readonly error_details: string | null
  readonly redial: number
  readonly cancel_requested: number
}

/** The fields of a call in these columns, and what is kept of it in others. */
const valuesOf = (
  call: Call,
  columns: ReadonlyArray<(typeof fixed | typeof plain)[number]>
): Array<Param> => {
  const values = pick(call, columns)
  const { cancel_requested, error, redial } = call
  values.push(
    error === null ? null : error.code,
    error === null ? null : error.message,
    error?.details === undefined ? null : JSON.stringify(error.details),
    Number(redial),
    Number(cancel_requested)
  )
  return values
}

const errorOf = (code: string, { error_details, error_message }: CallRow): ErrorDetail => {
  const error = { code, message: error_message ?? "" }
  return error_details === null ? error : { ...error, details: JSON.parse(error_details) as CarrierError }
}

/** Spelled out, since spreading a row of this width costs as much as reading it. */
const fromRow = (row: CallRow): Call => ({
  call_id: row.call_id,
  customer_id: row.customer_id,
  channel: row.channel,
  agent_id: row.agent_id,
  status: row.status,
  outcome: row.outcome,
  sub_status: row.sub_status,
  error: row.error_code === null ? null : errorOf(row.error_code, row),
  to_number: row.to_number,
  callee_name: row.callee_name,
  from_number: row.from_number,
  from_phone_number_id: row.from_phone_number_id,
  custom_variables: row.custom_variables,
  call_config: row.call_config,
  smart_formatter: row.smart_formatter,
  metadata: row.metadata,
  scheduled_for: row.scheduled_for,
  attempt_count: row.attempt_count,
  session_id: row.session_id,
  agent_version: row.agent_version,
  duration_seconds: row.duration_seconds,
  credits: row.credits,
  created_at: row.created_at,
  updated_at: row.updated_at,
  completed_at: row.completed_at,
  idempotency_key: row.idempotency_key,
  campaign_id: row.campaign_id,
  recipient_id: row.recipient_id,
  attempt_id: row.attempt_id,
  redial: row.redial === 1,
  cancel_requested: row.cancel_requested === 1,
  price_per_minute: row.price_per_minute,
  credits_held: row.credits_held,
  phase: row.phase,
  due_at: row.due_at,
  transitions: row.transitions,
  version: row.version
})

const select = `select ${columns.join(", ")} from calls where customer_id = ?`
const waiting = "phase = 'waiting' and due_at is not null"
const live = "phase = 'live' and due_at is not null"
/** Their recordings are looked for. */
const done = "phase = 'done' and due_at is not null"
const noMessage = "channel = 'voice'"
const dialable = "and due_at <= ? order by due_at, call_id limit ?"
const earliest = (condition: string) =>
  `select min(due_at) as due_at from calls where customer_id = ? and ${condition}`
const nextWaiting = `select due_at from calls where customer_id = ? and ${waiting}`

const unlessTaken = " on conflict (customer_id, idempotency_key) where idempotency_key is not null do nothing"
const insertCalls = insertRows("calls", columns, unlessTaken)

/** Texts that look for calls of no campaign, and of one. */
const sql = {
  insert: insertInto("calls", columns) + unlessTaken,
  byKeys: `select idempotency_key, call_id from calls where customer_id = ? and idempotency_key in ${placeholders}`,
  // With a column that no list's index has: SQLite would read all of a workspace's calls in such an index otherwise.
  statuses: `select status, version from calls where customer_id = ? and call_id in ${placeholders}`,
  index: insertInto("call_metadata", ["customer_id", "name", "value", "created_at", "call_id"]),
  ofAttempt: "select call_id from attempts where customer_id = ? and id = ?",
  get: `${select} and call_id = ?`,
  many: `${select} and call_id in ${placeholders}`,
  byKey: "select call_id from calls where customer_id = ? and idempotency_key = ?",
  update: `update calls set ${assign(mutable)} where customer_id = ? and call_id = ? and version = ?`,
  dialableOfNone: `${select} and ${waiting} and campaign_id is null ${dialable}`,
  dialableOfCampaign: `${select} and ${waiting} and campaign_id = ? ${dialable}`,
  overdue:
    `${select} and ${live} and due_at <= ? union all ${select} and ${done} and due_at <= ? ` +
    "order by due_at, call_id limit ?",
  // Joined to nothing, ids serve no index: the few live calls are found by their phase, not among all calls.
  live: `${select} and ${live} and call_id || '' > ? order by call_id || '' limit ?`,
  countLive: `select count(*) as total from calls where customer_id = ? and ${live} and ${noMessage}`,
  nextWaitingOfNone: `${nextWaiting} and campaign_id is null order by due_at limit 1`,
  nextWaitingOfCampaign: `${nextWaiting} and campaign_id = ? order by due_at limit 1`,
  nextOverdue: `${earliest(live)} union all ${earliest(done)}`
}

/** What the masked number shows. */
const lastDigits = "substr(to_number, length(to_number) - 3)"

const conditions = {
  status: "status = ?",
  outcome: "outcome = ?",
  agent_id: "agent_id = ?",
  campaign_id: "campaign_id = ?",
  from_phone_number_id: "from_phone_number_id = ?",
  last_digits: `${lastDigits} = ?`,
  whole_number: "to_number = ?",
  last_of_number: "to_number like ?",
  idempotency_key: "idempotency_key = ?",
  call_id: "calls.call_id = ?"
} as const

/** Columns that conditions name, none of which changes while a call goes on. */
const unchanging = [
  "customer_id",
  "channel",
  "agent_id",
  "campaign_id",
  "from_phone_number_id",
  "to_number",
  "idempotency_key",
  "call_id",
  "created_at"
]

const openStatuses = ["queued", "ringing", "in_progress", "retry_scheduled"]
const doneStatuses = CallStatus.literals.filter((status) => !openStatuses.includes(status))
const open = {
  table: "calls",
  where: `customer_id = ? and status in (${openStatuses.map((status) => `'${status}'`).join(", ")})`
}
/** A call that is to be dialled again has an outcome already, which its next attempt will change. */
const openByOutcome = {
  ...open,
  matching: { where: "status = 'retry_scheduled'", columns: ["outcome", ...unchanging] }
}
/** Changes of numbers and metadata are noted so: those of calls that are erased. */
export const erasedCalls = "erased calls"

const list = {
  table: "calls",
  key: ["customer_id", "call_id"],
  columns,
  order: "created_at desc, call_id desc"
}

/** The conditions of a number are those of its last four digits, which an index has, and of the rest of it. */
const ofNumber = (to_number: string | undefined) =>
  to_number === undefined
    ? {}
    : {
        last_digits: to_number.slice(-4),
        ...(to_number.startsWith("+") && { whole_number: to_number }),
        ...(/^\d{5,}$/.test(to_number) && { last_of_number: `%${to_number}` })
      }

const isMetadata = "customer_id = ? and name = ? and value = ?"
const isAnyMetadata = "customer_id = ? and value = ?"

interface Found extends Omit<CallFilter, "session_id"> {
  readonly call_id?: string | undefined
}

/** The texts and parameters of a list. What has values of metadata is found by the first of them. */
export const listOf = (
  workspace_id: string,
  {
    any_metadata,
    created_after: since,
    created_before: until,
    metadata = {},
    status,
    to_number,
    ...filter
  }: Found
): {
  readonly texts: ListTexts
  readonly params: ReadonlyArray<Param>
  readonly counting: Omit<Counting, "totals"> | undefined
} => {
  const statuses = typeof status === "string" ? [status] : [...new Set(status)]
  const given = {
    ...filter,
    ...ofNumber(to_number),
    status: statuses.length === 1 ? statuses[0] : undefined
  }
  const { params, where } = filtered([], conditions, given)
  const anyOf = statuses.length > 1 ? { column: "status", values: statuses } : undefined
  const values = Object.entries(metadata)
  if (values.length === 0 && any_metadata === undefined) {
    const condition = ["customer_id = ?", noMessage, ...(where === "" ? [] : [where])].join(" and ")
    const outcome = filter.outcome === undefined ? undefined : openByOutcome
    const texts = pageOf({ ...list, where: condition, anyOf, since, until })
    const noted = to_number === undefined ? undefined : erasedCalls
    if (statuses.length === 0) {
      return { texts, params: [workspace_id, ...params], counting: { noted, open: outcome } }
    }
    const others = filtered(["customer_id = ?", noMessage], conditions, { ...given, status: undefined })
    return {
      texts: {
        ...texts,
        steps: stepsOf({ ...list, found: "calls", where: others.where, apart: "status", since, until })
      },
      params: [workspace_id, ...params],
      counting: {
        noted,
        open,
        onlyOpen: statuses.every((status) => openStatuses.includes(status)),
        apart: {
          open: openStatuses,
          done: doneStatuses,
          asked: statuses,
          alone: others.params.length === 0
        },
        params: [workspace_id, ...others.params]
      }
    }
  }
  const among = anyOf === undefined ? [] : [`status in (${statuses.map(() => "?").join(", ")})`]
  const first = any_metadata === undefined ? values.slice(0, 1) : []
  const others = values.slice(first.length)
  const also = others.map(
    () =>
      "exists (select 1 from call_metadata o where o.customer_id = call_metadata.customer_id " +
      "and o.call_id = call_metadata.call_id and o.name = ? and o.value = ?)"
  )
  const is = [
    "customer_id = call_metadata.customer_id",
    "call_id = call_metadata.call_id",
    noMessage,
    ...among
  ]
  const call = `exists (select 1 from calls where ${[...is, ...(where === "" ? [] : [where])]
    .map((condition) => condition.replace(/^(customer_id|call_id) =/, "calls.$1 ="))
    .join(" and ")})`
  const rest = [...others.flat(), ...(anyOf?.values ?? []), ...params]
  const found = (is: string, names?: ReadonlyArray<string>) =>
    pageOf({
      ...list,
      since,
      until,
      found: "call_metadata",
      where: [is, ...also, call].join(" and "),
      anyOf: names && { column: "name", values: names, repeats: true }
    })
  const changes = statuses.length > 0 || filter.outcome !== undefined
  return {
    counting: changes ? undefined : { noted: erasedCalls },
    ...(any_metadata === undefined
      ? { texts: found(isMetadata), params: [workspace_id, ...first.flat(), ...rest] }
      : {
          texts: found(isAnyMetadata, any_metadata.keys),
          params: [workspace_id, any_metadata.value, ...rest]
        })
  }
}

export const calls = (database: Database["Type"]): CallRows => {
  const read = reader(database, fromRow)
  const totals = makeTotals(database)
  const callId = column<string>(database, "call_id")
  const dueAt = column<number>(database, "due_at")

  const byKey = (workspace_id: string, key: string) => callId(workspace_id, sql.byKey, key)

  /** The call of a session, which is named as its attempt is; no call has an empty id. */
  const ofSession = (workspace_id: string, session_id: string) =>
    Effect.map(
      callId(workspace_id, sql.ofAttempt, session_id.replace(/^sess_/, "att_")),
      Option.getOrElse(() => "")
    )

  const insert = (call: Call): Effect.Effect<Option.Option<string>> =>
    Effect.flatMap(database.run(call.customer_id, sql.insert, valuesOf(call, asTheyAre)), (stored) =>
      stored === 1 || call.idempotency_key === null
        ? Effect.succeedNone
        : byKey(call.customer_id, call.idempotency_key)
    )

  const insertMany = Effect.fnUntraced(function* (workspace_id: string, all: ReadonlyArray<Call>) {
    const rows = all.map((call) => valuesOf(call, asTheyAre))
    if ((yield* insertCalls(database, workspace_id, rows)) === all.length) return new Map<string, string>()
    const keys = all.flatMap(({ idempotency_key }) => idempotency_key ?? [])
    type Found = Pick<CallRow, "call_id"> & { readonly idempotency_key: string }
    const found = yield* sought<Found>(database, workspace_id, sql.byKeys, keys)
    const first = new Map(found.map(({ call_id, idempotency_key }) => [idempotency_key, call_id]))
    return new Map(
      all.flatMap(({ call_id, idempotency_key }) => {
        const owner = idempotency_key === null ? undefined : first.get(idempotency_key)
        return owner === undefined || owner === call_id ? [] : [[idempotency_key!, owner] as const]
      })
    )
  })

  return {
    insert: (call) => database.unit(call.customer_id, insert(call)),
    insertMany: (all) =>
      all.length === 0
        ? Effect.succeed(new Map())
        : database.unit(all[0]!.customer_id, insertMany(all[0]!.customer_id, all)),
    countByStatus: (workspace_id, call_ids) =>
      Effect.map(
        sought<{ readonly status: CallStatus }>(database, workspace_id, sql.statuses, call_ids),
        (rows) => {
          const counts = new Map<CallStatus, number>()
          for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1)
          return counts
        }
      ),
    get: (workspace_id, call_id) => read.one(workspace_id, sql.get, call_id),
    many: (workspace_id, call_ids) =>
      Effect.map(sought<CallRow>(database, workspace_id, sql.many, call_ids), (rows) => rows.map(fromRow)),
    byKey,
    index: ({ call_id, created_at, customer_id }, values) =>
      Effect.forEach(
        values,
        ([name, value]) =>
          write(database, customer_id, sql.index, [customer_id, name, value, created_at, call_id]),
        { discard: true }
      ),
    list: Effect.fnUntraced(function* (workspace_id, { session_id, ...filter }, page) {
      if (filter.any_metadata?.keys.length === 0) return { data: [], total: 0 }
      const call_id = session_id === undefined ? undefined : yield* ofSession(workspace_id, session_id)
      const { counting, params, texts } = listOf(workspace_id, { ...filter, call_id })
      const kept = counting && { totals, ...counting }
      return yield* readPage(database, workspace_id, texts, params, page, fromRow, kept)
    }),
    update: (...all) =>
      Effect.map(
        database.runEach(
          all[0].customer_id,
          sql.update,
          all.map((call) => {
            const values = valuesOf(call, plain)
            values.push(call.customer_id, call.call_id, call.version - 1)
            return values
          })
        ),
        (changed) => changed.every((rows) => rows === 1)
      ),
    dialable: (workspace_id, campaign_id, now, limit) =>
      campaign_id === null
        ? read.all(workspace_id, sql.dialableOfNone, now, limit)
        : read.all(workspace_id, sql.dialableOfCampaign, campaign_id, now, limit),
    overdue: (workspace_id, now, limit) => read.all(workspace_id, sql.overdue, now, workspace_id, now, limit),
    live: (workspace_id, after, limit) => read.all(workspace_id, sql.live, after, limit),
    countLive: (workspace_id) =>
      Effect.map(
        database.all<{ readonly total: number }>(workspace_id, sql.countLive, [workspace_id]),
        ([row]) => row!.total
      ),
    nextWaiting: (workspace_id, campaign_id) =>
      campaign_id === null
        ? dueAt(workspace_id, sql.nextWaitingOfNone)
        : dueAt(workspace_id, sql.nextWaitingOfCampaign, campaign_id),
    nextOverdue: (workspace_id) =>
      Effect.map(
        database.all<{ readonly due_at: number | null }>(workspace_id, sql.nextOverdue, [
          workspace_id,
          workspace_id
        ]),
        (rows) => {
          const due = rows.flatMap(({ due_at }) => (due_at === null ? [] : [due_at]))
          return due.length === 0 ? Option.none() : Option.some(Math.min(...due))
        }
      )
  }
}
