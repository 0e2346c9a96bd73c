import { Option } from "effect"
import type { Template } from "../../core/model/templates/Template.ts"
import type { TemplateFilter, TemplateRows } from "../../core/ports/TemplateRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { Table } from "./Table.ts"
import type { UndoLog } from "./UndoLog.ts"

const byName = (left: Pick<Template, "name" | "language">, right: Pick<Template, "name" | "language">) =>
  byText(left.name, right.name) || byText(left.language, right.language)

export const makeTemplates = (undo: UndoLog) => {
  const table = new Table<Template>(undo, ({ id }) => id)
  return { table, byName: table.index(byName) }
}

const admits = (filter: TemplateFilter) => {
  const { category, language, name, status } = filter
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  return (template: Template): boolean =>
    (name === undefined || template.name === name) &&
    (language === undefined || template.language === language) &&
    (status === undefined || template.status === status) &&
    (category === undefined || template.category === category)
}

export const templates = ({ undo, read, write }: Store): TemplateRows => {
  const find = (workspace_id: string, wanted: Pick<Template, "name" | "language">) =>
    read(workspace_id).templates.byName.find((template) => byName(template, wanted))

  return {
    insert: (template) =>
      undo.verb(() => {
        if (find(template.customer_id, template) !== undefined) return false
        write(template.customer_id).templates.table.insert(template)
        return true
      }),
    get: (workspace_id, id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).templates.table.get(id))),
    find: (workspace_id, name, language) =>
      undo.verb(() => Option.fromNullable(find(workspace_id, { name, language }))),
    list: (workspace_id, { category, language, name, status }, page) =>
      undo.verb(() =>
        read(workspace_id).templates.table.page(page, admits({ category, language, name, status }))
      ),
    update: ({ customer_id, id, provider_template_id, rejection_reason, status, updated_at }) =>
      undo.verb(() => {
        const { table } = read(customer_id).templates
        const stored = table.get(id)
        if (stored === undefined) return false
        table.set({ ...stored, provider_template_id, rejection_reason, status, updated_at })
        return true
      }),
    remove: (workspace_id, id) => undo.verb(() => read(workspace_id).templates.table.delete(id))
  }
}
