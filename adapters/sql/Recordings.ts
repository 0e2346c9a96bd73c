import { Effect } from "effect"
import type { RecordingRows } from "../../core/ports/Repository.ts"
import type { Recording } from "../../core/recordings/Recording.ts"
import type { Database } from "./Database.ts"
import { asIs, insertInto, pageOf, pick, readPage } from "./Statements.ts"

const columns = [
  "id",
  "customer_id",
  "session_id",
  "call_id",
  "carrier_recording_id",
  "status",
  "track",
  "channels",
  "format",
  "duration_seconds",
  "size_bytes",
  "url",
  "url_expires_at",
  "started_at",
  "completed_at",
  "created_at"
] as const

const sql = {
  insert:
    `${insertInto("recordings", columns)} ` +
    "on conflict (customer_id, session_id, carrier_recording_id) do nothing",
  page: pageOf({
    table: "recordings",
    columns,
    where: "customer_id = ? and session_id = ?",
    order: "id desc"
  })
}

export const recordings = (database: Database["Type"]): RecordingRows => ({
  insert: (recording) =>
    Effect.map(database.run(sql.insert, pick(recording, columns)), (changed) => changed === 1),
  ofSession: (workspace_id, session_id, page) =>
    readPage(database, sql.page, [workspace_id, session_id], page, asIs<Recording>)
})
