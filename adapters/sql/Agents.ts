import { Effect } from "effect"
import type { Agent } from "../../core/model/agents/Agent.ts"
import type { AgentRows } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { assign, insertInto, pageOf, pick, reader } from "./Statements.ts"

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
  "prompt"
] as const
const mutable = [...plain, "published"]
const columns = ["id", "customer_id", "created_at", ...mutable]

interface AgentRow extends Omit<Agent, "published"> {
  readonly published: number
}

const mutableOf = (agent: Agent) => [...pick(agent, plain), Number(agent.published)]
const fromRow = (row: AgentRow): Agent => ({ ...row, published: row.published === 1 })

const pageWhere = (where: string) => pageOf({ table: "agents", columns, where, order: "id desc" })

const sql = {
  insert: insertInto("agents", columns),
  get: "select * from agents where customer_id = ? and id = ?",
  page: pageWhere("customer_id = ?"),
  pageOfPublished: pageWhere("customer_id = ? and published = ?"),
  update: `update agents set ${assign(mutable)} where customer_id = ? and id = ?`
}

export const agents = (database: Database["Type"]): AgentRows => {
  const read = reader(database, fromRow)
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
      )
  }
}
