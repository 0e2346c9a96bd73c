import { Effect } from "effect"
import type { Suite } from "../../core/model/suites/Suite.ts"
import type { SuiteRows } from "../../core/ports/SuiteRows.ts"
import type { Database } from "./Database.ts"
import { assign, first, insertInto, pageOf, pick, readPage } from "./Statements.ts"

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

export const suites = (database: Database["Type"]): SuiteRows => ({
  insert: (suite) =>
    Effect.map(
      database.run(suite.customer_id, sql.insert, [...pick(suite, fixed), ...mutableOf(suite)]),
      (stored) => stored === 1
    ),
  get: (workspace_id, id) =>
    Effect.map(database.all<SuiteRow>(workspace_id, sql.get, [workspace_id, id]), first(fromRow)),
  nameExists: (workspace_id, name) =>
    Effect.map(database.all(workspace_id, sql.nameExists, [workspace_id, name]), (rows) => rows.length > 0),
  list: (workspace_id, { agent_id }, page) =>
    agent_id === undefined
      ? readPage(database, workspace_id, sql.page, [workspace_id], page, fromRow)
      : readPage(database, workspace_id, sql.pageOfAgent, [workspace_id, agent_id], page, fromRow),
  update: (suite) => {
    const { customer_id, id, name } = suite
    const params = [...mutableOf(suite), customer_id, id, customer_id, name, id]
    return Effect.map(database.run(customer_id, sql.update, params), (changed) => changed === 1)
  },
  remove: (workspace_id, id) =>
    Effect.map(database.run(workspace_id, sql.remove, [workspace_id, id]), (changed) => changed === 1)
})
