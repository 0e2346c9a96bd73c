import { Effect } from "effect"
import type { Template } from "../../core/model/templates/Template.ts"
import type { TemplateFilter, TemplateRows } from "../../core/ports/TemplateRows.ts"
import type { Database, Param } from "./Database.ts"
import { assign, first, insertInto, pageOf, pick, readPage } from "./Statements.ts"

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
const filters = ["name", "status", "language", "category"] as const satisfies ReadonlyArray<
  keyof TemplateFilter
>

const changed = Effect.map((rows: number) => rows === 1)

export const templates = (database: Database["Type"]): TemplateRows => ({
  insert: (template) => {
    const params: Array<Param> = [...pick(template, fixed), ...pick(template, mutable)]
    return changed(
      database.run(template.customer_id, sql.insert, [...params, JSON.stringify(template.components)])
    )
  },
  get: (workspace_id, id) =>
    Effect.map(database.all<TemplateRow>(workspace_id, sql.get, [workspace_id, id]), first(fromRow)),
  find: (workspace_id, name, language) =>
    Effect.map(
      database.all<TemplateRow>(workspace_id, sql.find, [workspace_id, name, language]),
      first(fromRow)
    ),
  list: (workspace_id, filter, page) => {
    const set = filters.filter((name) => filter[name] !== undefined)
    const where = ["customer_id = ?", ...set.map((name) => `${name} = ?`)].join(" and ")
    const texts = pageOf({ table: "templates", columns, where, order: "id desc" })
    return readPage(
      database,
      workspace_id,
      texts,
      [workspace_id, ...set.map((name) => filter[name]!)],
      page,
      fromRow
    )
  },
  update: (template) =>
    changed(
      database.run(template.customer_id, sql.update, [
        ...pick(template, mutable),
        template.customer_id,
        template.id
      ])
    ),
  remove: (workspace_id, id) => changed(database.run(workspace_id, sql.remove, [workspace_id, id]))
})
