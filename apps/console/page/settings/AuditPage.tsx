import type { AuditEntry } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Time } from "../components/Values.tsx"
import { useList } from "../data/List.ts"
import { useResource } from "../data/Resource.ts"
import { place } from "../router/Location.ts"
import { RecordLink } from "./RecordLink.tsx"
import { SettingsPage } from "./SettingsPage.tsx"

const filters: ReadonlyArray<Filter> = [
  { name: "operation", label: "What", hint: "updateCampaign" },
  { name: "object_id", label: "Record", hint: "camp_…" },
  { name: "actor", label: "Key or person", hint: "A key's id" }
]

/** `updateCampaign` as `Update campaign`. */
const wordsOf = (operation: string): string => {
  const text = operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

export const AuditPage = () => {
  const { query } = place.value
  const log = useList((api, slice, options) =>
    api.workspace.audit(
      {
        ...slice,
        operation: query.get("operation") ?? undefined,
        object_id: query.get("object_id") ?? undefined,
        actor: query.get("actor") ?? undefined
      },
      options
    )
  )
  // A credential that may not list keys sees their ids.
  const keys = useResource((api, options) => api.apiKeys.list({ limit: 100 }, options))
  const names = new Map(keys.data?.data.map(({ id, name }) => [id, name]))
  const columns: ReadonlyArray<Column<AuditEntry>> = [
    { label: "What", cell: ({ operation }) => wordsOf(operation) },
    { label: "Record", kind: "wide", cell: ({ object_id }) => <RecordLink id={object_id} /> },
    {
      label: "Who",
      cell: ({ actor, actor_kind }) => (
        <>
          {names.get(actor) ?? (actor_kind === "api_key" ? "API key" : "Token")}
          <span class="second">{actor}</span>
        </>
      )
    },
    { label: "When", cell: ({ created_at }) => <Time at={created_at} /> }
  ]
  return (
    <SettingsPage title="Audit log">
      <Filters filters={filters} />
      <Listed
        resource={log}
        what="changes"
        caption="Changes, newest first"
        columns={columns}
        id={({ id }) => id}
        empty={
          <Empty title="Nothing was changed yet">Single calls are not among what is written down here.</Empty>
        }
      />
    </SettingsPage>
  )
}
