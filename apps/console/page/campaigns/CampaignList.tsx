import type { Campaign, ListCampaignsQuery } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Progress } from "../components/Progress.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Status, Time } from "../components/Values.tsx"
import { useAgentNames, useAgents } from "../data/Agents.ts"
import { dayStart } from "../data/Days.ts"
import { share, words } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { place, to } from "../router/Location.ts"
import { doneOf, reasonOf, statuses } from "./Words.ts"

const filterOf = (query: URLSearchParams): ListCampaignsQuery => ({
  status: (query.get("status") ?? undefined) as ListCampaignsQuery["status"],
  agent_id: query.get("agent_id") ?? undefined,
  created_after: dayStart(query.get("from")),
  created_before: dayStart(query.get("to"), 1)
})

const columnsOf = (nameOf: (agent_id: string) => string): ReadonlyArray<Column<Campaign>> => [
  { label: "Name", cell: ({ name }) => name },
  {
    label: "Status",
    cell: (campaign) => (
      <>
        <Status value={campaign.status} />
        {campaign.status === "paused" && campaign.status_reason !== "user" && (
          <span class="second">{reasonOf(campaign)}</span>
        )}
      </>
    )
  },
  { label: "Agent", kind: "wide", cell: ({ agent_id }) => nameOf(agent_id) },
  {
    label: "Recipients done",
    cell: ({ name, stats }) => (
      <Progress label={`Recipients of ${name} who are done`} part={doneOf(stats)} whole={stats.total} />
    )
  },
  {
    label: "Dials answered",
    kind: "number",
    cell: ({ stats }) => share(stats.answered, stats.attempts)
  },
  {
    label: "Begun",
    cell: ({ scheduled_for, started_at, status }) =>
      status === "scheduled" ? (
        <>
          <Time at={scheduled_for} />
          <span class="second">planned</span>
        </>
      ) : (
        <Time at={started_at} />
      )
  },
  { label: "Created", cell: ({ created_at }) => <Time at={created_at} /> }
]

export const CampaignList = () => {
  const nameOf = useAgentNames()
  const agents = useAgents() ?? []
  const campaigns = useList((api, cursor, options) =>
    api.campaigns.list({ ...filterOf(place.value.query), ...cursor }, options)
  )
  useLive(campaigns.reload, ({ type }) => type === "campaign")
  const filters: ReadonlyArray<Filter> = [
    { name: "status", label: "Status", options: statuses.map((status) => [status, words(status)]) },
    { name: "agent_id", label: "Agent", options: agents.map(({ id, name }) => [id, name]) },
    { name: "from", label: "Created from", type: "date" },
    { name: "to", label: "Created to", type: "date" }
  ]
  const create = (
    <a class="button primary" href={to("/campaigns/new")}>
      New campaign
    </a>
  )
  return (
    <Page title="Campaigns" actions={create}>
      <Filters filters={filters} />
      <Listed
        resource={campaigns}
        what="campaigns"
        caption="Campaigns, newest first"
        columns={columnsOf(nameOf)}
        id={({ id }) => id}
        href={({ id, status }) => to(status === "draft" ? `/campaigns/${id}/setup` : `/campaigns/${id}`)}
        empty={
          <Empty title="No campaigns yet" action={create}>
            In a campaign one agent calls many recipients, at the hours and the pace that you set.
          </Empty>
        }
      />
    </Page>
  )
}
