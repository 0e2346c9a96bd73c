import type { ListTestRunsQuery, TestRunSummary } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { useAgentNames, useAgents } from "../data/Agents.ts"
import { words } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { place, to } from "../router/Location.ts"
import { runAddress, runColumns } from "./RunColumns.tsx"
import { TestTabs } from "./TestTabs.tsx"

const statuses = ["queued", "running", "completed", "failed", "cancelled"]

const filterOf = (query: URLSearchParams): ListTestRunsQuery => ({
  agent_id: query.get("agent_id") ?? undefined,
  status: (query.get("status") ?? undefined) as ListTestRunsQuery["status"]
})

/** The runs of all suites. */
export const RunList = () => {
  const agents = useAgents() ?? []
  const nameOf = useAgentNames()
  const runs = useList((api, cursor, options) =>
    api.agentTestRuns.list({ ...filterOf(place.value.query), ...cursor }, options)
  )
  useLive(runs.reload, ({ type }) => type === "run")
  const filters: ReadonlyArray<Filter> = [
    { name: "agent_id", label: "Agent", options: agents.map(({ id, name }) => [id, name]) },
    { name: "status", label: "Status", options: statuses.map((status) => [status, words(status)]) }
  ]
  const [begun, ...others] = runColumns
  const columns: ReadonlyArray<Column<TestRunSummary>> = [
    begun!,
    { label: "Agent", kind: "wide", cell: ({ agent_id }) => nameOf(agent_id) },
    ...others
  ]
  return (
    <Page title="Tests">
      <TestTabs />
      <Filters filters={filters} />
      <Listed
        resource={runs}
        what="runs"
        caption="Test runs, newest first"
        columns={columns}
        id={({ id }) => id}
        href={runAddress}
        empty={
          <Empty title="No runs yet" action={<a href={to("/tests")}>To the suites</a>}>
            A run plays each scenario of a suite, and judges read what was said.
          </Empty>
        }
      />
    </Page>
  )
}
