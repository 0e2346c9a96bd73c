import type { ListCallsQuery } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Page } from "../components/Page.tsx"
import { offsetOf, pageLength, Pager } from "../components/Pager.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { useAgents } from "../data/Agents.ts"
import { words } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { place, to } from "../router/Location.ts"
import { CallTable } from "./CallTable.tsx"

const statuses = ["queued", "ringing", "in_progress", "retry_scheduled", "completed", "failed", "cancelled"]

/** The day in the browser's zone as a moment; undefined for none. */
const dayStart = (day: string | null, after = 0): string | undefined => {
  if (day === null || !/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  const [year, month, date] = day.split("-").map(Number)
  return new Date(year!, month! - 1, date! + after).toISOString()
}

const queryOf = (query: URLSearchParams): ListCallsQuery => ({
  limit: pageLength,
  offset: offsetOf(query),
  status: (query.get("status") ?? undefined) as ListCallsQuery["status"],
  agent_id: query.get("agent_id") ?? undefined,
  campaign_id: query.get("campaign_id") ?? undefined,
  created_after: dayStart(query.get("from")),
  created_before: dayStart(query.get("to"), 1)
})

export const CallList = () => {
  const { query } = place.value
  const agents = useAgents() ?? []
  const calls = useResource(
    (api, options) => api.calls.list(queryOf(place.value.query), options),
    [query.toString()]
  )
  useLive(calls.reload, ({ type }) => type === "call")
  const filters: ReadonlyArray<Filter> = [
    { name: "status", label: "Status", options: statuses.map((status) => [status, words(status)]) },
    { name: "agent_id", label: "Agent", options: agents.map(({ id, name }) => [id, name]) },
    { name: "from", label: "From", type: "date" },
    { name: "to", label: "To", type: "date" }
  ]
  const isFiltered = [...query.keys()].some((name) => name !== "page")
  return (
    <Page
      title="Calls"
      actions={
        <a class="button primary" href={to("/calls/new")}>
          Place a call
        </a>
      }
    >
      <Filters filters={filters} />
      <Shown resource={calls} what="calls">
        {({ data, pagination }) =>
          data.length === 0 ? (
            isFiltered ? (
              <Empty title="No call passes these filters" />
            ) : (
              <Empty
                title="No calls yet"
                action={
                  <a class="button primary" href={to("/calls/new")}>
                    Place the first one
                  </a>
                }
              />
            )
          ) : (
            <>
              <CallTable calls={data} caption="Calls, newest first" />
              <Pager pagination={pagination} shown={data.length} />
            </>
          )
        }
      </Shown>
    </Page>
  )
}
