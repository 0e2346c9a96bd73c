import type { ListRecipientsQuery, Recipient } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Status, Time } from "../components/Values.tsx"
import { words } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { named } from "../data/Named.ts"
import { place, to } from "../router/Location.ts"
import { CampaignFrame, type CampaignParams, type CampaignProps } from "./CampaignFrame.tsx"
import { Pairs } from "./Pairs.tsx"

const statuses = ["pending", "in_progress", "retry_scheduled", "completed", "failed", "skipped", "cancelled"]

const qualifications = ["qualified", "not_qualified", "unknown"]

const sentiments = ["positive", "neutral", "negative"]

const optionsOf = (names: ReadonlyArray<string>) => names.map((name) => [name, words(name)] as const)

const filters: ReadonlyArray<Filter> = [
  { name: "status", label: "Status", options: optionsOf(statuses) },
  { name: "qualification", label: "Qualification", options: optionsOf(qualifications) },
  { name: "sentiment", label: "Sentiment", options: optionsOf(sentiments) },
  { name: "answer", label: "Answer", hint: "budget=high" },
  { name: "variable", label: "Variable", hint: "city=Paris" },
  { name: "number", label: "Whole number", hint: "+14155550123" }
]

const filterOf = (query: URLSearchParams): ListRecipientsQuery => ({
  status: (query.get("status") ?? undefined) as ListRecipientsQuery["status"],
  qualification_status: (query.get("qualification") ??
    undefined) as ListRecipientsQuery["qualification_status"],
  sentiment: (query.get("sentiment") ?? undefined) as ListRecipientsQuery["sentiment"],
  answers: named(query.get("answer")),
  variables: named(query.get("variable")),
  phone_number: query.get("number") ?? undefined
})

/** How its last call came out; null before the first. */
export const outcomeOf = ({ outcome }: Recipient): string | null =>
  typeof outcome["outcome"] === "string" ? outcome["outcome"] : null

const columns: ReadonlyArray<Column<Recipient>> = [
  { label: "Number", cell: ({ phone_number_masked }) => <span class="numeric">{phone_number_masked}</span> },
  { label: "Status", cell: ({ status }) => <Status value={status} /> },
  { label: "Outcome", cell: (recipient) => <Status value={outcomeOf(recipient)} /> },
  { label: "Variables", kind: "wide", cell: ({ variables }) => <Pairs of={variables} most={3} /> },
  {
    label: "Learnt",
    kind: "wide",
    cell: ({ answers, qualification_status, sentiment }) => {
      const isQualified = qualification_status !== null && qualification_status !== "unknown"
      const hasAnswers = Object.keys(answers).length > 0
      return (
        <>
          {isQualified && <Status value={qualification_status} />}{" "}
          {sentiment !== null && <Status value={sentiment} />}{" "}
          {(hasAnswers || (!isQualified && sentiment === null)) && <Pairs of={answers} most={3} />}
        </>
      )
    }
  },
  { label: "Next try", cell: ({ next_action_at }) => <Time at={next_action_at} /> },
  { label: "Changed", cell: ({ updated_at }) => <Time at={updated_at} /> }
]

/** The recipients of a campaign, and what was learnt from them. */
const Recipients = ({ campaign: { id } }: CampaignProps) => {
  const recipients = useList(
    (api, cursor, options) => api.recipients.list(id, { ...filterOf(place.value.query), ...cursor }, options),
    [id]
  )
  useLive(recipients.reload, (event) => event.type === "campaign" && event.record.id === id)
  return (
    <>
      <Filters filters={filters} />
      <Listed
        resource={recipients}
        what="recipients"
        caption="Recipients of the campaign, newest first"
        columns={columns}
        id={(recipient) => recipient.id}
        href={(recipient) => to(`/campaigns/${id}/recipients/${recipient.id}`)}
        empty={
          <Empty
            title="No recipients yet"
            action={<a href={to(`/campaigns/${id}/imports`)}>Send in a list</a>}
          />
        }
      />
    </>
  )
}

export const RecipientList = ({ params }: CampaignParams) => (
  <CampaignFrame params={params}>{(props) => <Recipients {...props} />}</CampaignFrame>
)
