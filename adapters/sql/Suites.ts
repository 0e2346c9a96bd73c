import { Effect } from "effect"
import type { Suite } from "../../core/model/suites/Suite.ts"
import type { SuiteRows } from "../../core/ports/SuiteRows.ts"
import type { Database } from "./Database.ts"
import { assign, changes, insertInto, pageOf, pick, reader } from "./Statements.ts"

const fixed = ["id", "customer_id", "agent_id", "created_by_user_id", "created_at"] as const
const mutable = ["name", "updated_at", "config", "scenarios"] as const
const columns = [...fixed, ...mutable]

interface SuiteRow extends Omit<Suite, "config" | "scenarios"> {
  readonly config: string
  readonly scenarios: string
}

const mutableOf = ({ config, name, scenarios, updated_at }: Suite) => [
  name,
  updated_at,
  JSON.stringify(config),
  JSON.stringify(scenarios)
]

const fromRow = (row: SuiteRow): Suite => ({
  ...row,
  config: JSON.parse(row.config) as Suite["config"],
  scenarios: JSON.parse(row.scenarios) as Suite["scenarios"]
})

const pageWhere = (where: string) => pageOf({ table: "suites", columns, where, order: "id desc" })

const sql = {
  insert: `${insertInto("suites", columns)} on conflict (customer_id, name) do nothing`,
  get: `select ${columns.join(", ")} from suites where customer_id = ? and id = ?`,
  nameExists: "select 1 from suites where customer_id = ? and name = ?",
  page: pageWhere("customer_id = ?"),
  pageOfAgent: pageWhere("customer_id = ? and agent_id = ?"),
  update:
    `update suites set ${assign(mutable)} where customer_id = ? and id = ? and not exists ` +
    "(select 1 from suites o where o.customer_id = ? and o.name = ? and o.id <> ?)",
  remove: "delete from suites where customer_id = ? and id = ?"
}

export const suites = (database: Database["Type"]): SuiteRows => {
  const read = reader(database, fromRow)
  return {
    insert: (suite) =>
      changes(database, suite.customer_id, sql.insert, [...pick(suite, fixed), ...mutableOf(suite)]),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    nameExists: (workspace_id, name) =>
      Effect.map(database.all(workspace_id, sql.nameExists, [workspace_id, name]), (rows) => rows.length > 0),
    list: (workspace_id, { agent_id }, page) =>
      agent_id === undefined
        ? read.page(workspace_id, sql.page, page)
        : read.page(workspace_id, sql.pageOfAgent, page, agent_id),
    update: (suite) => {
      const { customer_id, id, name } = suite
      const params = [...mutableOf(suite), customer_id, id, customer_id, name, id]
      return changes(database, customer_id, sql.update, params)
    },
    remove: (workspace_id, id) => changes(database, workspace_id, sql.remove, [workspace_id, id])
  }
}
