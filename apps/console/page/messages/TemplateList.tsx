import type { ListMessageTemplatesQuery, Template } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Status, Time } from "../components/Values.tsx"
import { words } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { place, to } from "../router/Location.ts"

const statuses = ["pending", "approved", "rejected", "paused", "disabled"]
const categories = ["marketing", "utility", "authentication"]

const filters: ReadonlyArray<Filter> = [
  { name: "status", label: "Review", options: statuses.map((status) => [status, words(status)]) },
  {
    name: "category",
    label: "Category",
    options: categories.map((category) => [category, words(category)])
  },
  { name: "name", label: "Name", hint: "appointment_reminder" },
  { name: "language", label: "Language", hint: "en_US" }
]

const filterOf = (query: URLSearchParams): ListMessageTemplatesQuery =>
  Object.fromEntries(filters.map(({ name }) => [name, query.get(name) ?? undefined]))

const bodyOf = ({ components }: Template): string =>
  components.flatMap((component) => (component.type === "body" ? [component.text] : [])).join()

const columns: ReadonlyArray<Column<Template>> = [
  { label: "Name", cell: ({ name }) => name },
  { label: "Language", cell: ({ language }) => language },
  { label: "Category", cell: ({ category }) => words(category) },
  { label: "Text", kind: "wide", cell: (template) => <span class="clipped">{bodyOf(template)}</span> },
  { label: "Review", cell: ({ status }) => <Status value={status} /> },
  { label: "Made", cell: ({ created_at }) => <Time at={created_at} /> }
]

export const TemplateList = () => {
  const templates = useList((api, cursor, options) =>
    api.messageTemplates.list({ ...filterOf(place.value.query), ...cursor }, options)
  )
  const create = (
    <a class="button primary" href={to("/messages/new")}>
      New template
    </a>
  )
  return (
    <Page title="Messages" actions={create}>
      <Filters filters={filters} />
      <Listed
        resource={templates}
        what="templates"
        caption="Message templates, newest first"
        columns={columns}
        id={({ id }) => id}
        href={({ id }) => to(`/messages/${id}`)}
        empty={
          <Empty title="No templates yet" action={create}>
            A template is a message that may be sent without being asked, once a registry has approved it.
          </Empty>
        }
      />
    </Page>
  )
}
