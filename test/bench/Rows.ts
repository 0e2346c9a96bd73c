import { Effect } from "effect"
import { Database } from "../../adapters/sql/Database.ts"
import { RawJson } from "../../core/model/json/RawJson.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { idsFrom, type IdPrefix } from "../../core/ports/Ids.ts"
import {
  makeAttempt,
  makeCall,
  makeDelivery,
  makeEntry,
  makeEvent,
  makeRecipient,
  start,
  ws
} from "../contracts/repository/Fixtures.ts"

type Store = "SQLite" | "PostgreSQL"

const columnsOf: Readonly<Record<Store, string>> = {
  SQLite: "select name from pragma_table_info(?)",
  PostgreSQL:
    "select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = ?"
}

/** One of several texts, in turn. */
const turn = (count: number, text: string) => `'${text}' || (i % ${count})`
const statuses = "case i % 10 when 0 then 'failed' when 1 then 'queued' else 'completed' end"
const outcomes = "case i % 10 when 0 then 'busy' when 1 then null else 'answered' end"
/** One every two seconds: a million take three weeks. */
const moment = `${start} + i * 2000`
const id = (prefix: string) => `'${prefix}_' || (1000000000 + i)`

const ofCalls = {
  call_id: id("call"),
  agent_id: turn(20, "agent_"),
  status: statuses,
  outcome: outcomes,
  to_number: "'+1415' || (1000000 + i % 1000000)",
  from_phone_number_id: turn(5, "pn_"),
  campaign_id: "case i % 10 when 2 then 'camp_2' else null end",
  idempotency_key: "'key_' || i",
  created_at: moment,
  phase: "'done'",
  due_at: "null"
}

const ofAttempts = {
  id: id("att"),
  session_id: id("sess"),
  call_id: id("call"),
  campaign_id: "'camp_1'",
  recipient_id: "'rcpt_' || (i / 2)",
  dial_number: "i",
  status: "case i % 10 when 0 then 'failed' else 'completed' end",
  outcome: outcomes,
  started_at: moment,
  created_at: moment
}

const ofMetadata = {
  customer_id: `'${ws}'`,
  name: "'order'",
  value: "'' || (i % 1000)",
  created_at: moment,
  call_id: id("call")
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
/** An id that begins with its time, as ids do. */
const idOf = (prefix: IdPrefix) =>
  [
    `'${prefix}_'`,
    ...Array.from(
      { length: 10 },
      (_, k) => `substr('${alphabet}', cast((${moment}) / ${32 ** (9 - k)} % 32 as integer) + 1, 1)`
    ),
    `'${"a".repeat(16)}'`
  ].join(" || ")

/** The id that record `n` has. */
export const nth = (prefix: IdPrefix, n: number) => `${idsFrom(prefix, start + n * 2_000)}${"a".repeat(16)}`

const ofLedger = {
  id: idOf("led"),
  kind: "case i % 1000 when 0 then 'top_up' else case i % 3 when 0 then 'hold' when 1 then 'settle' else 'release' end end",
  reference: "'call_' || (i / 3)",
  created_at: moment
}

const ofDeliveries = {
  id: idOf("dlv"),
  event_id: "'evt_' || i",
  call_id: "'call_' || (i / 3)",
  status: "case i % 100 when 0 then 'dead' else 'delivered' end",
  next_attempt_at: "null",
  created_at: moment
}

const ofAudit = {
  id: idOf("aud"),
  actor: turn(5, "key_"),
  operation: turn(20, "operation_"),
  object_id: "'camp_' || (i / 10)",
  created_at: moment
}

const ofRecipients = {
  id: idOf("rcpt"),
  phone_number: "14150000000 + i",
  status: "case i % 10 when 0 then 'failed' when 1 then 'pending' else 'completed' end",
  queue: "''",
  created_at: moment
}

const sentiments = "case i % 10 when 0 then 'negative' when 1 then 'positive' else 'neutral' end"
const valuesOf = (name: string, value: string) => ({ list: "1", name: `'${name}'`, value, id: idOf("rcpt") })

const ofBlocked = { customer_id: `'${ws}'`, number: "'+1415' || (1000000 + i)", created_at: moment }

/** Rows that one statement makes: a store may limit how long a statement takes. */
const together = 100_000

const numbers = (from: number, until: number) =>
  `with recursive n(i) as (select ${from} union all select i + 1 from n where i + 1 < ${until})`

/** Copies of one row that differ in some columns. */
const multiply = Effect.fnUntraced(function* (
  store: Store,
  table: string,
  template: string,
  differing: Readonly<Record<string, string>>,
  count: number
) {
  const database = yield* Database
  const found = yield* database.all<{ readonly name: string }>(ws, columnsOf[store], [table])
  const names = found.map(({ name }) => name)
  const values = names.map((name) => differing[name] ?? `t.${name}`).join(", ")
  for (let from = 0; from < count; from += together) {
    const many = numbers(from, Math.min(count, from + together))
    yield* database.run(
      ws,
      `insert into ${table} (${names.join(", ")}) ${many} select ${values} from n, ${template} t`,
      []
    )
  }
})

/**
 * Fills a store with so many calls, of which a tenth is one campaign's, and as many rows of each other list that may be
 * long. Wide rows make a table of which PostgreSQL reads no more than it has to, however few there are.
 */
export const fill = Effect.fnUntraced(function* (store: Store, count: number, width = 0) {
  const { attempts, audit, calls, credits, deliveries, recipients } = yield* Repository
  const database = yield* Database
  const wide = "x".repeat(width)
  yield* calls.insert(makeCall(1, { callee_name: wide }))
  yield* attempts.insert(makeAttempt(1, { error_message: wide }))
  yield* credits.append(ws, [makeEntry(1, 1)])
  yield* deliveries.append([
    { event: makeEvent(1), deliveries: [makeDelivery(1, { last_error: wide, status: "delivered" })] }
  ])
  yield* audit.append({
    id: "aud_0",
    customer_id: ws,
    actor_kind: "api_key",
    actor: "key_0",
    operation: "operation_0",
    object_id: wide,
    created_at: start
  })
  yield* recipients.insert([makeRecipient(1, { variables: RawJson(`{"wide":"${wide}"}`) })])
  const one = (table: string) => `(select * from ${table} limit 1)`
  const none = "(select 1)"
  const make = (table: string, template: string, differing: Readonly<Record<string, string>>) =>
    multiply(store, table, template, differing, count)
  yield* make("calls", one("calls"), ofCalls)
  yield* make("attempts", one("attempts"), ofAttempts)
  yield* make("call_metadata", none, ofMetadata)
  yield* make("ledger", one("ledger"), ofLedger)
  yield* make("deliveries", one("deliveries"), ofDeliveries)
  yield* make("audit_log", one("audit_log"), ofAudit)
  yield* make("recipients", one("recipients"), ofRecipients)
  yield* make("recipient_values", none, valuesOf("sentiment", sentiments))
  yield* make("recipient_values", none, valuesOf("variables.city", turn(50, "city_")))
  yield* make("do_not_call", none, ofBlocked)
  if (store === "PostgreSQL") yield* database.alone(ws, "vacuum analyze", [])
})

/** The filters of the list of calls, each of which some of the rows pass. */
export const callFilters = {
  none: {},
  status: { status: "failed" },
  "several statuses": { status: ["failed", "queued"] },
  outcome: { outcome: "busy" },
  agent: { agent_id: "agent_7" },
  campaign: { campaign_id: "camp_2" },
  "caller ID": { from_phone_number_id: "pn_3" },
  number: { to_number: "+14151000123" },
  "last digits": { to_number: "0123" },
  "idempotency key": { idempotency_key: "key_77" },
  session: { session_id: "sess_1000000077" },
  metadata: { metadata: { order: "17" } },
  "metadata of any key": { any_metadata: { keys: ["order", "source", "city"], value: "17" } },
  "created after": { created_after: start + 5_000_000 },
  "created before": { created_before: start + 5_000_000 }
} as const

/** Those of a campaign's attempts. */
export const attemptFilters = {
  none: {},
  status: { status: "failed" },
  outcome: { outcome: "busy" },
  recipient: { recipient_id: "rcpt_77" },
  "created after": { created_after: start + 5_000_000 },
  "created before": { created_before: start + 5_000_000 }
} as const

const since = start + 5_000_000

/** Those of the other lists: of a campaign's recipients, of the ledger, of a webhook's deliveries and of the audit log. */
export const recipientFilters = {
  none: {},
  status: { status: "failed" },
  number: { phone_number: "+14150000123" },
  "last digits": { phone_number: "0123" },
  sentiment: { sentiment: "neutral" },
  variable: { variables: { city: "city_7" } }
} as const

export const ledgerFilters = {
  none: {},
  kind: { kind: "settle" },
  "rare kind": { kind: "top_up" },
  reference: { reference: "call_77" },
  "created after": { created_after: since },
  "created before": { created_before: since }
} as const

export const deliveryFilters = {
  none: { webhook_id: "whk_000001" },
  status: { webhook_id: "whk_000001", status: "delivered" },
  "rare status": { webhook_id: "whk_000001", status: "dead" },
  call: { webhook_id: "whk_000001", call_id: "call_77" }
} as const

export const auditFilters = {
  none: {},
  actor: { actor: "key_3" },
  operation: { operation: "operation_7" },
  record: { object_id: "camp_77" }
} as const
