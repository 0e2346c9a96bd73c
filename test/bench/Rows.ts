import { Effect } from "effect"
import { Database } from "../../adapters/sql/Database.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { makeAttempt, makeCall, start, ws } from "../contracts/repository/Fixtures.ts"

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
 * Fills a store with so many calls, of which a tenth is one campaign's, and as many attempts of one campaign. Wide rows make
 * a table of which PostgreSQL reads no more than it has to, however few there are.
 */
export const fill = Effect.fnUntraced(function* (store: Store, count: number, width = 0) {
  const { attempts, calls } = yield* Repository
  const database = yield* Database
  yield* calls.insert(makeCall(1, { callee_name: "x".repeat(width) }))
  yield* attempts.insert(makeAttempt(1, { error_message: "x".repeat(width) }))
  const one = (table: string) => `(select * from ${table} limit 1)`
  yield* multiply(store, "calls", one("calls"), ofCalls, count)
  yield* multiply(store, "attempts", one("attempts"), ofAttempts, count)
  yield* multiply(store, "call_metadata", "(select 1)", ofMetadata, count)
  if (store === "PostgreSQL") yield* database.run(ws, "analyze", [])
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
