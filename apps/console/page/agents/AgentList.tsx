import type { Agent } from "outdial/client"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Badge, Time } from "../components/Values.tsx"
import { useList } from "../data/List.ts"
import { to } from "../router/Location.ts"

/** Whether calls can use it, and whether its draft has gone on since. */
export const Publication = ({ agent }: { readonly agent: Agent }) => (
  <>
    {agent.published ? (
      <Badge tone="good">Published{agent.version === null ? "" : `, version ${agent.version}`}</Badge>
    ) : (
      <Badge tone="quiet">Not published</Badge>
    )}{" "}
    {agent.published && agent.unpublished_changes && <Badge tone="warn">Unpublished changes</Badge>}
  </>
)

const columns: ReadonlyArray<Column<Agent>> = [
  { label: "Name", cell: ({ name }) => name },
  { label: "State", cell: (agent) => <Publication agent={agent} /> },
  { label: "Channel", cell: ({ channel }) => (channel === "voice" ? "Voice" : "Messages") },
  { label: "Language", cell: ({ language }) => language },
  { label: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> }
]

export const AgentList = () => {
  const agents = useList((api, cursor, options) => api.agents.list(cursor, options))
  const create = (
    <a class="button primary" href={to("/agents/new")}>
      New agent
    </a>
  )
  return (
    <Page title="Agents" actions={create}>
      <Listed
        resource={agents}
        what="agents"
        caption="Agents, newest first"
        columns={columns}
        id={({ id }) => id}
        href={({ id }) => to(`/agents/${id}`)}
        empty={
          <Empty title="No agents yet" action={create}>
            An agent is what is said in a call, and how.
          </Empty>
        }
      />
    </Page>
  )
}
