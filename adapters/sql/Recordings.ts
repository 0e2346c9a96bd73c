import { Array as Arr, Effect } from "effect"
import type { Recording } from "../../core/model/recordings/Recording.ts"
import type { RecordingRows } from "../../core/ports/RecordingRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { asIs, changes, insertInto, pageOf, pick, reader } from "./Statements.ts"

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
  get: `select ${columns.join(", ")} from recordings where customer_id = ? and id = ?`,
  page: pageOf({
    table: "recordings",
    columns,
    where: "customer_id = ? and session_id = ?",
    order: "id desc"
  }),
  erase:
    "update recordings set status = 'deleted', url = null, url_expires_at = null " +
    "where customer_id = ? and id = ? and status <> 'deleted'",
  kept:
    `select ${columns.join(", ")} from recordings where status = 'completed' and created_at <= ? ` +
    "and (created_at, customer_id, id) > (?, ?, ?) order by created_at, customer_id, id limit ?",
  keptOf:
    `select ${columns.join(", ")} from recordings where customer_id = ? and status = 'completed' and created_at <= ? ` +
    "and (created_at, id) > (?, ?) order by created_at, id limit ?",
  keepSecret: `${insertInto("secrets", ["name", "value"])} on conflict (name) do nothing`,
  secret: "select value from secrets where name = ?"
}

const linkSecret = "recording_links"

export const recordings = (database: Database["Type"]): RecordingRows => {
  const read = reader(database, asIs<Recording>)
  return {
    insert: (...all) =>
      Effect.map(
        database.runEach(
          all[0].customer_id,
          sql.insert,
          all.map((recording) => pick(recording, columns))
        ),
        Arr.map((inserted) => inserted === 1)
      ),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    ofSession: (workspace_id, session_id, page) => read.page(workspace_id, sql.page, page, session_id),
    erase: (workspace_id, id) => changes(database, workspace_id, sql.erase, [workspace_id, id]),
    kept: (until, after, limit) =>
      database.all<Recording>(platformWide, sql.kept, [
        until,
        after?.created_at ?? -1,
        after?.customer_id ?? "",
        after?.id ?? "",
        limit
      ]),
    keptOf: (workspace_id, until, after, limit) =>
      read.all(workspace_id, sql.keptOf, until, after?.created_at ?? -1, after?.id ?? "", limit),
    secret: (fresh) =>
      database.unit(
        platformWide,
        Effect.flatMap(database.run(platformWide, sql.keepSecret, [linkSecret, fresh]), () =>
          Effect.map(
            database.all<{ readonly value: string }>(platformWide, sql.secret, [linkSecret]),
            ([row]) => row!.value
          )
        )
      )
  }
}
