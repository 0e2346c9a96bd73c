import { Client } from "pg"
import { Effect, Redacted, Schedule } from "effect"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { faultOf, unavailable } from "../postgres/Faults.ts"
import { lockLayout } from "../postgres/Locks.ts"
import { numbered } from "../postgres/StatementCache.ts"
import { CopyRefused, type End, type Row, type Table, type Value } from "./End.ts"

const int8 = 20
const int2 = 21
const int4 = 23
const float4 = 700
const float8 = 701

/** Integers as bigints, floating point as numbers, all else as text. */
const types = {
  getTypeParser: (type: number): ((value: string) => Value) => {
    if (type === int8 || type === int4 || type === int2) return BigInt
    return type === float8 || type === float4 ? Number : (value) => value
  }
}

/** Waits are short, since only a server that should not run can hold a lock; work may take as long as it takes. */
const session = `set lock_timeout = '5s'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0;
  set synchronous_commit = on; set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off`

const others = `select count(*) from pg_stat_activity
  where datname = current_database() and application_name like 'outdial%' and pid <> pg_backend_pid()`

/** How long connections that were just closed are waited for. */
const closing = Schedule.intersect(Schedule.spaced("100 millis"), Schedule.recurs(20))

const running = new CopyRefused({
  message: "a server or a command has the PostgreSQL database open: stop all of them before, and try again"
})

const columnTypes = `select attname, format_type(atttypid, null) from pg_attribute
  where attrelid = ?::regclass and attnum > 0 and not attisdropped`

const storeOf = (error: unknown): StoreUnavailable => {
  const { defect } = faultOf(error)
  return defect instanceof StoreUnavailable ? defect : new StoreUnavailable({ cause: defect })
}

const connect = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const client = yield* Effect.try({
        // The driver's own message would repeat the URL.
        try: () =>
          new Client({
            connectionString: Redacted.value(url),
            application_name: "outdial migrate-store",
            connectionTimeoutMillis: 5_000,
            keepAlive: true,
            types
          }),
        catch: () => unavailable("its URL cannot be read")
      })
      client.on("error", () => undefined)
      yield* Effect.tryPromise({ try: () => client.connect(), catch: storeOf })
      return client
    }),
    (client) => Effect.ignore(Effect.tryPromise(() => client.end()))
  )

const isLocked = (error: StoreUnavailable) =>
  (error.cause as { readonly code?: unknown } | undefined)?.code === "55P03"

/**
 * A PostgreSQL database that no other process of ours has open: none is connected, and none that starts gets past
 * the lock of the layout until the scope ends. What is only read is read as it is at this moment, with all tables
 * locked against writing.
 */
export const open = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  writable: boolean,
  tables: ReadonlyArray<Table>
) {
  const client = yield* connect(url)
  const rows = (sql: string, params: Row) =>
    Effect.tryPromise({
      try: () => client.query<Array<Value>>({ text: numbered(sql), values: [...params], rowMode: "array" }),
      catch: storeOf
    }).pipe(Effect.map((result): ReadonlyArray<Row> => result.rows))
  const run = (sql: string) =>
    Effect.asVoid(Effect.tryPromise({ try: () => client.query(sql), catch: storeOf }))

  yield* run(session)
  yield* Effect.catchIf(run(lockLayout), isLocked, () => running)
  yield* rows(others, []).pipe(
    Effect.filterOrFail(
      ([row]) => row?.[0] === 0n,
      () => running
    ),
    Effect.retry({ schedule: closing, while: (error) => error instanceof CopyRefused })
  )
  if (!writable) {
    yield* run("begin isolation level repeatable read")
    yield* Effect.catchIf(
      run(`lock table ${tables.map(({ name }) => name).join(", ")} in share mode`),
      isLocked,
      () => running
    )
    yield* run("set transaction read only")
  }

  const typesOf = yield* Effect.cachedFunction((table: string) =>
    Effect.map(
      rows(columnTypes, [table]),
      (found) => new Map(found.map(([column, type]) => [String(column), String(type)]))
    )
  )

  const insert = Effect.fnUntraced(function* ({ columns, name }: Table, added: ReadonlyArray<Row>) {
    const types = yield* typesOf(name)
    const arrays = columns.map((column, n) => `$${n + 1}::${types.get(column)}[]`).join(", ")
    const text = `insert into ${name} (${columns.join(", ")}) select * from unnest(${arrays})`
    const values = columns.map((_, n) => added.map((row) => row[n]))
    yield* Effect.tryPromise({
      try: () => client.query({ text, values }),
      catch: (error) => faultOf(error).defect
    })
  })

  return {
    rows,
    run,
    insert,
    has: (table) =>
      Effect.map(rows("select to_regclass(?) is not null", [table]), ([row]) => row?.[0] === "t"),
    settle: run(`analyze ${tables.map(({ name }) => name).join(", ")}`)
  } satisfies End
})
