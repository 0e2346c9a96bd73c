import type { Template } from "../../core/model/templates/Template.ts"
import type { TemplateRows } from "../../core/ports/TemplateRows.ts"
import type { Database, Param } from "./Database.ts"
import { assign, changes, filtered, insertInto, pageOf, pick, reader } from "./Statements.ts"

const fixed = ["id", "customer_id", "name", "language", "category", "parameter_format", "created_at"] as const
const mutable = ["provider_template_id", "status", "rejection_reason", "updated_at"] as const
const columns = [...fixed, ...mutable, "components"]

interface TemplateRow extends Omit<Template, "components"> {
  readonly components: string
}

const fromRow = (row: TemplateRow): Template => ({
  ...row,
  components: JSON.parse(row.components) as Template["components"]
})

const sql = {
  insert: `${insertInto("templates", columns)} on conflict (customer_id, name, language) do nothing`,
  get: `select ${columns.join(", ")} from templates where customer_id = ? and id = ?`,
  find: `select ${columns.join(", ")} from templates where customer_id = ? and name = ? and language = ?`,
  update: `update templates set ${assign(mutable)} where customer_id = ? and id = ?`,
  remove: "delete from templates where customer_id = ? and id = ?"
}

/** The narrowest first. */
const conditions = {
  name: "name = ?",
  status: "status = ?",
  language: "language = ?",
  category: "category = ?"
}

export const templates = (database: Database["Type"]): TemplateRows => {
  const read = reader(database, fromRow)
  return {
    insert: (template) => {
      const params: Array<Param> = [...pick(template, fixed), ...pick(template, mutable)]
      return changes(database, template.customer_id, sql.insert, [
        ...params,
        JSON.stringify(template.components)
      ])
    },
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    find: (workspace_id, name, language) => read.one(workspace_id, sql.find, name, language),
    list: (workspace_id, filter, page) => {
      const { params, where } = filtered(["customer_id = ?"], conditions, filter)
      const texts = pageOf({ table: "templates", columns, where, order: "id desc" })
      return read.page(workspace_id, texts, page, ...params)
    },
    update: (template) =>
      changes(database, template.customer_id, sql.update, [
        ...pick(template, mutable),
        template.customer_id,
        template.id
      ]),
    remove: (workspace_id, id) => changes(database, workspace_id, sql.remove, [workspace_id, id])
  }
}
