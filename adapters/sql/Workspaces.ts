import { Effect, Option } from "effect"
import type { Phase } from "../../core/model/calls/Call.ts"
import type { SigningSecret } from "../../core/model/webhooks/SigningSecret.ts"
import type { Workspace } from "../../core/model/workspaces/Workspace.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { WorkspaceRows } from "../../core/ports/WorkspaceRows.ts"
import type { Database, Param } from "./Database.ts"
import { noteChange } from "./ListChanges.ts"
import { assign, insertInto, pageOf, reader, readPage } from "./Statements.ts"

interface WorkspaceRow extends Omit<
  Workspace,
  "allowed_countries" | "allow_costly_destinations" | "indexed_metadata_keys"
> {
  readonly allowed_countries: string
  readonly indexed_metadata_keys: string
  readonly allow_costly_destinations: number
}

const mutable = [
  "name",
  "max_concurrency",
  "calls_per_second",
  "allowed_countries",
  "allow_costly_destinations",
  "indexed_metadata_keys",
  "recording_retention_days",
  "transcript_retention_days",
  "call_retention_days",
  "updated_at"
]

const columns = ["id", "created_at", ...mutable]

const mutableOf = (workspace: Workspace): Array<Param> => [
  workspace.name,
  workspace.max_concurrency,
  workspace.calls_per_second,
  JSON.stringify(workspace.allowed_countries),
  Number(workspace.allow_costly_destinations),
  JSON.stringify(workspace.indexed_metadata_keys),
  workspace.recording_retention_days,
  workspace.transcript_retention_days,
  workspace.call_retention_days,
  workspace.updated_at
]

const fromRow = (row: WorkspaceRow): Workspace => ({
  ...row,
  allowed_countries: JSON.parse(row.allowed_countries) as ReadonlyArray<string>,
  allow_costly_destinations: row.allow_costly_destinations === 1,
  indexed_metadata_keys: JSON.parse(row.indexed_metadata_keys) as ReadonlyArray<string>
})

const sql = {
  insert: insertInto("workspaces", columns),
  get: `select ${columns.join(", ")} from workspaces where id = ?`,
  indexedKeys: "select indexed_metadata_keys from workspaces where id = ?",
  page: pageOf({ table: "workspaces", key: ["id"], columns, where: "true", order: "id desc" }),
  update: `update workspaces set ${assign(mutable)} where id = ?`,
  keepSecret: `${insertInto("secrets", ["name", "value"])} on conflict (name) do update set value = excluded.value`,
  secrets: "select name, value from secrets where name in (?, ?)",
  withWork:
    "select w.id from workspaces w where " +
    [
      "calls o where o.customer_id = w.id and o.phase = 'waiting' and o.due_at is not null",
      "calls o where o.customer_id = w.id and o.phase = 'live' and o.due_at is not null",
      "calls o where o.customer_id = w.id and o.phase = 'done' and o.due_at is not null",
      "tallies o where o.customer_id = w.id and o.due_at is not null",
      "plays o where o.customer_id = w.id and o.open = 1",
      "runs o where o.customer_id = w.id and o.status in ('queued', 'running')",
      "holds o where o.customer_id = w.id",
      "deliveries o where o.customer_id = w.id and o.status = 'pending'",
      "sessions o where o.customer_id = w.id and o.review_due_at is not null"
    ]
      .map((open) => `exists (select 1 from ${open})`)
      .join(" or ") +
    " order by w.id"
}

/** As long after now as it was after the row was stored. */
const after = (due: string) =>
  `cast(? as bigint) + case when ${due} > updated_at then ${due} - updated_at else 0 end`
const shifted = (due: string) => `case when ${due} = due_at then ${after("due_at")} else ${due} end`

/** What `setBack` changes; each text takes `now` as often as `times`, the workspace and `now`. */
const calls = (phase: Phase) => ({
  text:
    `update calls set due_at = ${after("due_at")}, scheduled_for = ${shifted("scheduled_for")}, ` +
    "updated_at = ?, version = version + 1 " +
    `where customer_id = ? and phase = '${phase}' and due_at is not null and updated_at > ?`,
  times: 3
})
const campaigns = (which: string) => ({
  text: `update tallies set due_at = ? where customer_id = ? and ${which} and due_at > ?`,
  times: 1
})
const setBack = [
  calls("waiting"),
  calls("live"),
  {
    text:
      "update attempts set started_at = ?, answered_at = case when answered_at > ? then ? else answered_at end " +
      "where customer_id = ? and started_at > ? and completed_at is null",
    times: 3
  },
  campaigns("work = 'dial'"),
  campaigns(
    "work = 'tend' and exists (select 1 from campaigns c where c.customer_id = tallies.customer_id " +
      "and c.id = tallies.campaign_id and c.status = 'cancelled')"
  ),
  {
    text:
      `update deliveries set next_attempt_at = ${after("next_attempt_at")}, updated_at = ? ` +
      "where customer_id = ? and next_attempt_at is not null and updated_at > ?",
    times: 2
  },
  {
    text:
      `update plays set due_at = ${after("due_at")}, updated_at = ? ` +
      "where customer_id = ? and open = 1 and updated_at > ?",
    times: 2
  }
]

/** Rows of secrets: what signs a workspace's tools, and what did before, behind the time until which it does. */
const secretNames = (workspace_id: string) => ({
  current: `tools ${workspace_id}`,
  previous: `tools-before ${workspace_id}`
})

const none: ReadonlyArray<string> = []

const keysOf = ([row]: ReadonlyArray<Pick<WorkspaceRow, "indexed_metadata_keys">>) =>
  row === undefined || row.indexed_metadata_keys === "[]"
    ? none
    : (JSON.parse(row.indexed_metadata_keys) as ReadonlyArray<string>)

export const workspaces = (database: Database["Type"]): WorkspaceRows => {
  const read = reader(database, fromRow)
  return {
    insert: (workspace) =>
      Effect.asVoid(
        database.run(workspace.id, sql.insert, [workspace.id, workspace.created_at, ...mutableOf(workspace)])
      ),
    get: (id) => read.one(id, sql.get),
    indexedKeys: (id) => database.read(id, sql.indexedKeys, [id], keysOf),
    list: (page) => readPage(database, platformWide, sql.page, [], page, fromRow),
    update: (workspace) =>
      Effect.asVoid(database.run(workspace.id, sql.update, [...mutableOf(workspace), workspace.id])),
    toolSecret: (workspace_id) => {
      const { current, previous } = secretNames(workspace_id)
      return Effect.map(
        database.all<{ readonly name: string; readonly value: string }>(workspace_id, sql.secrets, [
          current,
          previous
        ]),
        (rows) => {
          const valueOf = (wanted: string) => rows.find(({ name }) => name === wanted)?.value
          const [until, secret = null] = valueOf(previous)?.split(" ") ?? []
          return Option.map(Option.fromNullable(valueOf(current)), (value): SigningSecret => ({
            secret: value,
            previous_secret: secret,
            previous_secret_until: until === undefined ? null : Number(until)
          }))
        }
      )
    },
    keepToolSecret: (workspace_id, { previous_secret, previous_secret_until, secret }) => {
      const { current, previous } = secretNames(workspace_id)
      const rows = [
        [current, secret],
        ...(previous_secret === null ? [] : [[previous, `${previous_secret_until ?? 0} ${previous_secret}`]])
      ]
      return database.unit(
        workspace_id,
        Effect.forEach(rows, (row) => database.run(workspace_id, sql.keepSecret, row), { discard: true })
      )
    },
    withWork: Effect.map(database.all<{ readonly id: string }>(platformWide, sql.withWork, []), (rows) =>
      rows.map(({ id }) => id)
    ),
    setBack: (workspace_id, now) =>
      database.unit(
        workspace_id,
        Effect.gen(function* () {
          // Rows may be stored from now on among those that are old already.
          yield* noteChange(database, workspace_id, "")
          const changed = yield* Effect.forEach(setBack, ({ text, times }) =>
            database.run(workspace_id, text, [...Array.from({ length: times }, () => now), workspace_id, now])
          )
          return changed.some((rows) => rows > 0)
        })
      )
  }
}
