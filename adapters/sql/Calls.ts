import { Effect, Option } from "effect"
import { type Call, type CarrierError, type ErrorDetail, fixed } from "../../core/model/calls/Call.ts"
import type { CallRows } from "../../core/ports/CallRows.ts"
import type { Database, Param } from "./Database.ts"
import { assign, changes, column, filtered, insertInto, pageOf, pick, reader } from "./Statements.ts"

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
const columns = [...fixed, ...mutable]

interface CallRow extends Omit<Call, "error" | "redial" | "cancel_requested"> {
  readonly error_code: string | null
  readonly error_message: string | null
  /** JSON. */
  readonly error_details: string | null
  readonly redial: number
  readonly cancel_requested: number
}

const mutableOf = (call: Call): Array<Param> => [
  ...pick(call, plain),
  call.error === null ? null : call.error.code,
  call.error === null ? null : call.error.message,
  call.error?.details === undefined ? null : JSON.stringify(call.error.details),
  Number(call.redial),
  Number(call.cancel_requested)
]

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
const noMessage = "channel = 'voice'"
const dialable = "and due_at <= ? order by due_at, call_id limit ?"
const nextWaiting = `select due_at from calls where customer_id = ? and ${waiting}`

/** Texts that look for calls of no campaign, and of one. */
const sql = {
  insert:
    `${insertInto("calls", columns)} ` +
    "on conflict (customer_id, idempotency_key) where idempotency_key is not null do nothing",
  get: `${select} and call_id = ?`,
  byKey: "select call_id from calls where customer_id = ? and idempotency_key = ?",
  update: `update calls set ${assign(mutable)} where customer_id = ? and call_id = ? and version = ?`,
  dialableOfNone: `${select} and ${waiting} and campaign_id is null ${dialable}`,
  dialableOfCampaign: `${select} and ${waiting} and campaign_id = ? ${dialable}`,
  overdue: `${select} and ${live} and due_at <= ? order by due_at, call_id limit ?`,
  // Joined to nothing, ids serve no index: the few live calls are found by their phase, not among all calls.
  live: `${select} and ${live} and call_id || '' > ? order by call_id || '' limit ?`,
  countLive: `select count(*) as total from calls where customer_id = ? and ${live} and ${noMessage}`,
  nextWaitingOfNone: `${nextWaiting} and campaign_id is null order by due_at limit 1`,
  nextWaitingOfCampaign: `${nextWaiting} and campaign_id = ? order by due_at limit 1`,
  nextOverdue: `select due_at from calls where customer_id = ? and ${live} order by due_at limit 1`
}

const conditions = {
  status: "status = ?",
  agent_id: "agent_id = ?",
  campaign_id: "campaign_id = ?",
  created_after: "created_at >= ?",
  created_before: "created_at < ?"
} as const

const pageTexts = (where: string) =>
  pageOf({
    table: "calls",
    key: ["customer_id", "call_id"],
    columns,
    where,
    order: "created_at desc, call_id desc"
  })

export const calls = (database: Database["Type"]): CallRows => {
  const read = reader(database, fromRow)
  const callId = column<string>(database, "call_id")
  const dueAt = column<number>(database, "due_at")

  const byKey = (workspace_id: string, key: string) => callId(workspace_id, sql.byKey, key)

  const insert = Effect.fnUntraced(function* (call: Call) {
    const stored = yield* database.run(call.customer_id, sql.insert, [
      ...pick(call, fixed),
      ...mutableOf(call)
    ])
    return stored === 1 || call.idempotency_key === null
      ? Option.none()
      : yield* byKey(call.customer_id, call.idempotency_key)
  })

  return {
    insert: (call) => database.unit(call.customer_id, insert(call)),
    get: (workspace_id, call_id) => read.one(workspace_id, sql.get, call_id),
    byKey,
    list: (workspace_id, filter, page) => {
      const { params, where } = filtered(["customer_id = ?", noMessage], conditions, filter)
      return read.page(workspace_id, pageTexts(where), page, ...params)
    },
    update: (call) =>
      changes(database, call.customer_id, sql.update, [
        ...mutableOf(call),
        call.customer_id,
        call.call_id,
        call.version - 1
      ]),
    dialable: (workspace_id, campaign_id, now, limit) =>
      campaign_id === null
        ? read.all(workspace_id, sql.dialableOfNone, now, limit)
        : read.all(workspace_id, sql.dialableOfCampaign, campaign_id, now, limit),
    overdue: (workspace_id, now, limit) => read.all(workspace_id, sql.overdue, now, limit),
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
    nextOverdue: (workspace_id) => dueAt(workspace_id, sql.nextOverdue)
  }
}
