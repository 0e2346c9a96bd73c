import type { ClientBase, Pool } from "pg"

/** The statements of one job, by kind, and in how many transactions they are. */
export interface Work {
  readonly selects: number
  readonly inserts: number
  readonly updates: number
  readonly transactions: number
}

/** The call that a job is about. */
export interface Payload {
  readonly customer_id: string
  readonly call_id: string
}

/**
 * Copies of two of the store's own tables, with their indexes and rows: what a job reads and changes is as wide as
 * what a call does. Deliveries are in the middle of what a call inserts, in columns as in indexes.
 */
export const tables = `
  create table bench_rows (like calls including all);
  insert into bench_rows select * from calls;
  create table bench_log (like deliveries including all);
  analyze`

const select = {
  name: "bench_select",
  text: "select * from bench_rows where customer_id = $1 and call_id = $2"
}
const insert = {
  name: "bench_insert",
  text: `insert into bench_log (id, customer_id, webhook_id, event_id, event_type, call_id, status, attempts,
    next_attempt_at, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`
}
const update = {
  name: "bench_update",
  text: `update bench_rows set status = $3, phase = $4, due_at = $5, updated_at = $6, version = version + 1
    where customer_id = $1 and call_id = $2 and version > 0`
}

/** As the states of a call that are in an index each. */
const states = ["queued", "ringing", "in_progress", "completed"]

let rows = 0

/** Runs one job's statements on a connection, evenly over its transactions. */
const run = async (client: ClientBase, { call_id, customer_id }: Payload, work: Work) => {
  const { inserts, selects, transactions, updates } = work
  const shareOf = (whole: number, n: number) =>
    Math.floor((whole * (n + 1)) / transactions) - Math.floor((whole * n) / transactions)
  for (let n = 0; n < transactions; n++) {
    await client.query("begin")
    for (let i = shareOf(selects, n); i > 0; i--) {
      await client.query({ ...select, values: [customer_id, call_id] })
    }
    for (let i = shareOf(updates, n); i > 0; i--) {
      const state = states[i % states.length]
      await client.query({ ...update, values: [customer_id, call_id, state, "live", Date.now(), Date.now()] })
    }
    for (let i = shareOf(inserts, n); i > 0; i--) {
      const id = `dlv_${process.pid}_${++rows}`
      const now = Date.now()
      const event = ["whk_000000000000000000000000", `evt_${rows}_00000000000000000000`, "call_completed"]
      const values = [id, customer_id, ...event, call_id, "pending", 0, now, now, now]
      await client.query({ ...insert, values })
    }
    await client.query("commit")
  }
}

export const work = async (pool: Pool, payload: Payload, work: Work): Promise<void> => {
  const client = await pool.connect()
  try {
    await run(client, payload, work)
  } finally {
    client.release()
  }
}

/** What the parent tells its processes, in their environment. */
export const settings = () => ({
  url: process.env["BENCH_URL"]!,
  work: JSON.parse(process.env["BENCH_WORK"]!) as Work
})
