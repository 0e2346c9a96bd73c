import { Effect, Option } from "effect"
import { type Agent, type AgentDraft, type AgentVersion, draftOf } from "../../core/model/agents/Agent.ts"
import { standardTalk } from "../../core/model/agents/Talk.ts"
import type { AgentRows } from "../../core/ports/AgentRows.ts"
import type { Database } from "./Database.ts"
import { assign, changes, column, insertInto, pageOf, pick, prefixed, reader, write } from "./Statements.ts"

const plain = [
  "name",
  "channel",
  "voice",
  "language",
  "idle_timeout_warning",
  "idle_timeout_end",
  "max_call_length",
  "updated_at",
  "first_message",
  "prompt",
  "version"
] as const
const mutable = [...plain, "published", "unpublished_changes", "talk"]
const columns = ["id", "customer_id", "created_at", ...mutable]

type Talk = Pick<Agent, keyof typeof standardTalk>
const ofTalk = Object.keys(standardTalk) as ReadonlyArray<keyof Talk>

interface AgentRow extends Omit<Agent, "published" | "unpublished_changes" | keyof Talk> {
  readonly published: number
  readonly unpublished_changes: number
  /** JSON; null of an agent that was stored before agents talked here. */
  readonly talk: string | null
}

const mutableOf = (agent: Agent) => [
  ...pick(agent, plain),
  Number(agent.published),
  Number(agent.unpublished_changes),
  JSON.stringify(Object.fromEntries(ofTalk.map((field) => [field, agent[field]])))
]
const fromRow = ({ talk, ...row }: AgentRow): Agent => ({
  ...row,
  ...standardTalk,
  ...(talk === null ? {} : (JSON.parse(talk) as Talk)),
  published: row.published === 1,
  unpublished_changes: row.unpublished_changes === 1
})

interface SpokenRow extends AgentRow {
  readonly body: string | null
}

const spokenFrom = ({ body, ...row }: SpokenRow): Agent => ({
  ...fromRow(row),
  ...(body === null ? {} : (JSON.parse(body) as AgentDraft))
})

interface VersionRow extends Omit<AgentVersion, "agent"> {
  readonly body: string
}

const versionColumns = ["customer_id", "agent_id", "version", "published_at", "body"]

const fromVersionRow = ({ body, ...row }: VersionRow): AgentVersion => ({
  ...row,
  agent: { ...standardTalk, ...(JSON.parse(body) as AgentDraft) }
})

const pageWhere = (where: string) => pageOf({ table: "agents", columns, where, order: "id desc" })

const sql = {
  insert: insertInto("agents", columns),
  get: `select ${columns.join(", ")} from agents where customer_id = ? and id = ?`,
  page: pageWhere("customer_id = ?"),
  pageOfPublished: pageWhere("customer_id = ? and published = ?"),
  update: `update agents set ${assign(mutable)} where customer_id = ? and id = ?`,
  // The agent's id joined to nothing: open calls are found by their phase, not among all calls of the agent.
  users: {
    campaign_id: [
      "select id from campaigns where customer_id = ? and agent_id = ? " +
        "and status not in ('completed', 'cancelled') limit 1"
    ],
    call_id: ["waiting", "live"].map(
      (phase) =>
        "select o.call_id as id from calls o where o.customer_id = ? and o.agent_id || '' = ? " +
        `and o.phase = '${phase}' and o.due_at is not null limit 1`
    ),
    suite_id: ["select id from suites where customer_id = ? and agent_id = ? limit 1"]
  },
  remove: "delete from agents where customer_id = ? and id = ?",
  removeVersions: "delete from agent_versions where customer_id = ? and agent_id = ?",
  spoken:
    `select ${prefixed("agents", columns)}, v.body from agents left join agent_versions v ` +
    "on agents.unpublished_changes = 1 and v.customer_id = agents.customer_id and v.agent_id = agents.id " +
    "and v.version = agents.version where agents.customer_id = ? and agents.id = ?",
  insertVersion: insertInto("agent_versions", versionColumns),
  version:
    `select ${versionColumns.join(", ")} from agent_versions ` +
    "where customer_id = ? and agent_id = ? and version = ?",
  versions: {
    ...pageOf({
      table: "agent_versions",
      key: ["customer_id", "agent_id", "version"],
      columns: versionColumns,
      where: "customer_id = ? and agent_id = ?",
      order: "version desc"
    }),
    place: (_side: "after" | "before", version: string) => [Number.parseInt(version, 10) || 0]
  }
}

export const agents = (database: Database["Type"]): AgentRows => {
  const read = reader(database, fromRow)
  const readVersions = reader(database, fromVersionRow)
  const id = column<string>(database, "id")
  const readSpoken = reader(database, spokenFrom)
  return {
    insert: (agent) =>
      Effect.asVoid(
        database.run(agent.customer_id, sql.insert, [
          agent.id,
          agent.customer_id,
          agent.created_at,
          ...mutableOf(agent)
        ])
      ),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    list: (workspace_id, { published }, page) =>
      published === undefined
        ? read.page(workspace_id, sql.page, page)
        : read.page(workspace_id, sql.pageOfPublished, page, Number(published)),
    update: (agent) =>
      Effect.asVoid(
        database.run(agent.customer_id, sql.update, [...mutableOf(agent), agent.customer_id, agent.id])
      ),
    userOf: Effect.fnUntraced(function* (workspace_id, agent_id) {
      for (const user of ["campaign_id", "call_id", "suite_id"] as const) {
        for (const text of sql.users[user]) {
          const found = yield* id(workspace_id, text, agent_id)
          if (Option.isSome(found)) return Option.some({ user, id: found.value })
        }
      }
      return Option.none()
    }),
    remove: (workspace_id, id) =>
      database.unit(
        workspace_id,
        Effect.zipRight(
          write(database, workspace_id, sql.removeVersions, [workspace_id, id]),
          changes(database, workspace_id, sql.remove, [workspace_id, id])
        )
      ),
    spoken: (workspace_id, id) => readSpoken.one(workspace_id, sql.spoken, id),
    insertVersion: ({ agent, agent_id, customer_id, published_at, version }) =>
      write(database, customer_id, sql.insertVersion, [
        customer_id,
        agent_id,
        version,
        published_at,
        JSON.stringify(draftOf(agent))
      ]),
    version: (workspace_id, id, version) => readVersions.one(workspace_id, sql.version, id, version),
    versions: (workspace_id, id, page) => readVersions.page(workspace_id, sql.versions, page, id)
  }
}
