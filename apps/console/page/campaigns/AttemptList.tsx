import type { Attempt, Campaign, ListAttemptsQuery } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Status, Time } from "../components/Values.tsx"
import { dayStart } from "../data/Days.ts"
import { duration, words } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { place, to } from "../router/Location.ts"
import { CampaignFrame, type CampaignParams, type CampaignProps } from "./CampaignFrame.tsx"

const statuses = ["scheduled", "in_progress", "completed", "failed", "cancelled", "unknown"]

const outcomes = {
  voice: ["answered", "busy", "no_answer", "voicemail", "rejected", "failed", "cancelled", "unknown"],
  msg: ["sent", "delivered", "rejected", "failed", "cancelled", "unknown"]
}

const filtersOf = (channel: Campaign["channel"]): ReadonlyArray<Filter> => [
  { name: "status", label: "Status", options: statuses.map((status) => [status, words(status)]) },
  { name: "outcome", label: "Outcome", options: outcomes[channel].map((name) => [name, words(name)]) },
  { name: "from", label: "Begun from", type: "date" },
  { name: "to", label: "Begun to", type: "date" }
]

const filterOf = (query: URLSearchParams): ListAttemptsQuery => ({
  status: (query.get("status") ?? undefined) as ListAttemptsQuery["status"],
  outcome: (query.get("outcome") ?? undefined) as ListAttemptsQuery["outcome"],
  created_after: dayStart(query.get("from")),
  created_before: dayStart(query.get("to"), 1)
})

const took = ({ completed_at, started_at }: Attempt): string =>
  completed_at === null || started_at === null
    ? "–"
    : duration((Date.parse(completed_at) - Date.parse(started_at)) / 1_000)

export const attemptColumns: ReadonlyArray<Column<Attempt>> = [
  { label: "Begun", cell: ({ started_at }) => <Time at={started_at} /> },
  { label: "Status", cell: ({ status }) => <Status value={status} /> },
  { label: "Outcome", cell: ({ result }) => <Status value={result?.outcome ?? null} /> },
  { label: "Attempt", kind: "number", cell: ({ attempt_number }) => String(attempt_number) },
  { label: "From", cell: ({ from_number }) => <span class="numeric">{from_number}</span> },
  { label: "Took", kind: "number", cell: took },
  {
    label: "Error",
    kind: "wide",
    cell: ({ error_code, error_message }) =>
      error_code === null && error_message === null
        ? "–"
        : [error_code, error_message].filter((text) => text !== null).join(": ")
  }
]

/** Every dial, or message, of a campaign. */
const Attempts = ({ campaign: { channel, id } }: CampaignProps) => {
  const attempts = useList(
    (api, cursor, options) =>
      api.campaigns.attempts(id, { ...filterOf(place.value.query), ...cursor }, options),
    [id]
  )
  useLive(attempts.reload, (event) => event.type === "campaign" && event.record.id === id)
  return (
    <>
      <Filters filters={filtersOf(channel)} />
      <Listed
        resource={attempts}
        what="attempts"
        caption="Attempts of the campaign, newest first"
        columns={attemptColumns}
        id={(attempt) => attempt.id}
        {...(channel === "voice" && { href: ({ call_id }: Attempt) => to(`/calls/${call_id}`) })}
        empty={<Empty title="No attempts yet" />}
      />
    </>
  )
}

export const AttemptList = ({ params }: CampaignParams) => (
  <CampaignFrame params={params}>{(props) => <Attempts {...props} />}</CampaignFrame>
)
