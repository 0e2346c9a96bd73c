import { Effect, Option } from "effect"
import type { BatchItem, CallBatch } from "../../core/model/calls/CallBatch.ts"
import type { CallBatchRows } from "../../core/ports/CallBatchRows.ts"
import type { Database } from "./Database.ts"
import { asIs, insertInto, pick, reader, write } from "./Statements.ts"

const columns = [
  "id",
  "customer_id",
  "total",
  "scheduled_for",
  "idempotency_key",
  "digest",
  "created_at",
  "cancelled_at"
] as const

const select = `select ${columns.join(", ")} from call_batches where customer_id = ?`

const sql = {
  insert: `${insertInto("call_batches", columns)} on conflict (customer_id, idempotency_key) do nothing`,
  byKey: `${select} and idempotency_key = ?`,
  get: `${select} and id = ?`,
  addPart: insertInto("call_batch_parts", ["customer_id", "batch_id", "part", "items"]),
  part: "select items from call_batch_parts where customer_id = ? and batch_id = ? and part = ?",
  parts: "select items from call_batch_parts where customer_id = ? and batch_id = ? order by part",
  cancel: "update call_batches set cancelled_at = ? where customer_id = ? and id = ? and cancelled_at is null"
}

export const callBatches = (database: Database["Type"]): CallBatchRows => {
  const read = reader(database, asIs<CallBatch>)
  const parts = reader(
    database,
    ({ items }: { readonly items: string }) => JSON.parse(items) as ReadonlyArray<BatchItem>
  )
  const insert = Effect.fnUntraced(function* (batch: CallBatch) {
    const stored = yield* database.run(batch.customer_id, sql.insert, pick(batch, columns))
    if (stored === 1) return Option.none()
    return yield* read.one(batch.customer_id, sql.byKey, batch.idempotency_key)
  })
  return {
    insert: (batch) => database.unit(batch.customer_id, insert(batch)),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    addPart: (workspace_id, id, part, items) =>
      write(database, workspace_id, sql.addPart, [workspace_id, id, part, JSON.stringify(items)]),
    part: (workspace_id, id, part) => parts.one(workspace_id, sql.part, id, part),
    items: (workspace_id, id) => Effect.map(parts.all(workspace_id, sql.parts, id), (found) => found.flat()),
    cancel: (workspace_id, id, at) => write(database, workspace_id, sql.cancel, [at, workspace_id, id])
  }
}
