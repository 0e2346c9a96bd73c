import type { TestSuite } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Time } from "../components/Values.tsx"
import { useAgentNames, useAgents } from "../data/Agents.ts"
import { count } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { place, to } from "../router/Location.ts"
import { TestTabs } from "./TestTabs.tsx"

const playsOf = ({ scenarios }: TestSuite) => scenarios.reduce((sum, { runs }) => sum + runs, 0)

export const SuiteList = () => {
  const agents = useAgents() ?? []
  const nameOf = useAgentNames()
  const suites = useList((api, cursor, options) =>
    api.agentTestSuites.list({ ...cursor, agent_id: place.value.query.get("agent_id") ?? undefined }, options)
  )
  const filters: ReadonlyArray<Filter> = [
    { name: "agent_id", label: "Agent", options: agents.map(({ id, name }) => [id, name]) }
  ]
  const columns: ReadonlyArray<Column<TestSuite>> = [
    { label: "Name", kind: "wide", cell: ({ name }) => name },
    { label: "Agent", cell: ({ agent_id }) => nameOf(agent_id) },
    { label: "Scenarios", kind: "number", cell: ({ scenarios }) => count(scenarios.length) },
    { label: "Plays", kind: "number", cell: (suite) => count(playsOf(suite)) },
    { label: "Judges", kind: "number", cell: ({ config }) => count(config.judges.length) },
    { label: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> }
  ]
  const create = (
    <a class="button primary" href={to("/tests/new")}>
      New suite
    </a>
  )
  return (
    <Page title="Tests" actions={create}>
      <TestTabs />
      <Filters filters={filters} />
      <Listed
        resource={suites}
        what="suites"
        caption="Test suites, newest first"
        columns={columns}
        id={({ id }) => id}
        href={({ id }) => to(`/tests/${id}`)}
        empty={
          <Empty title="No suites yet" action={create}>
            A suite has personas that put an agent to the test, and judges that read what was said.
          </Empty>
        }
      />
    </Page>
  )
}
