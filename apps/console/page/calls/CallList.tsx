import type { ListCallsQuery } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import { useAgents } from "../data/Agents.ts"
import { dayStart } from "../data/Days.ts"
import { words } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { named } from "../data/Named.ts"
import { useResource } from "../data/Resource.ts"
import { place, to } from "../router/Location.ts"
import { callAddress, callId, useCallColumns } from "./CallTable.tsx"

const outcomes = ["answered", "busy", "no_answer", "voicemail", "rejected", "failed", "cancelled", "unknown"]

const statuses = ["queued", "ringing", "in_progress", "retry_scheduled", "completed", "failed", "cancelled"]

/** `order=17` for one key, any other text for all keys that the workspace names. */
const metadataOf = (text: string | null): ListCallsQuery["metadata"] => named(text) ?? text ?? undefined

/** Which keys of their metadata calls are found by, and where more are named. */
const Keys = ({ keys }: { readonly keys: ReadonlyArray<string> }) =>
  keys.length === 0 ? (
    <>
      No metadata key is named to find calls by. <a href={to("/settings")}>Name keys in Settings</a>
    </>
  ) : (
    <>
      Metadata: a whole value of any of {keys.join(", ")}, or of one: {keys[0]}=17.{" "}
      <a href={to("/settings")}>Name other keys in Settings</a>
    </>
  )

const filterOf = (query: URLSearchParams): ListCallsQuery => ({
  status: (query.get("status") ?? undefined) as ListCallsQuery["status"],
  agent_id: query.get("agent_id") ?? undefined,
  campaign_id: query.get("campaign_id") ?? undefined,
  outcome: (query.get("outcome") ?? undefined) as ListCallsQuery["outcome"],
  from_phone_number_id: query.get("caller") ?? undefined,
  to_number: query.get("number") ?? undefined,
  metadata: metadataOf(query.get("metadata")),
  created_after: dayStart(query.get("from")),
  created_before: dayStart(query.get("to"), 1)
})

export const CallList = () => {
  const agents = useAgents() ?? []
  const others = useResource(async (api, options) => {
    const [campaigns, numbers] = await Promise.all([
      api.campaigns.list({ limit: 100 }, options),
      api.phoneNumbers.list({ limit: 100 }, options)
    ])
    return { campaigns: campaigns.data, numbers: numbers.data }
  })
  const workspace = useResource((api, options) => api.workspace.get(options))
  const keys = workspace.data?.indexed_metadata_keys
  const { campaigns = [], numbers = [] } = others.data ?? {}
  const calls = useList((api, cursor, options) =>
    api.calls.list({ ...filterOf(place.value.query), ...cursor }, options)
  )
  useLive(calls.reload, ({ type }) => type === "call")
  const filters: ReadonlyArray<Filter> = [
    { name: "status", label: "Status", options: statuses.map((status) => [status, words(status)]) },
    { name: "outcome", label: "Outcome", options: outcomes.map((outcome) => [outcome, words(outcome)]) },
    { name: "agent_id", label: "Agent", options: agents.map(({ id, name }) => [id, name]) },
    { name: "campaign_id", label: "Campaign", options: campaigns.map(({ id, name }) => [id, name]) },
    { name: "caller", label: "Called from", options: numbers.map(({ id, number }) => [id, number]) },
    { name: "number", label: "Number ends in", hint: "0123" },
    {
      name: "metadata",
      label: "Metadata",
      hint: "17 or order=17",
      ...(keys !== undefined && { about: <Keys keys={keys} /> })
    },
    { name: "from", label: "From", type: "date" },
    { name: "to", label: "To", type: "date" }
  ]
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
      <Listed
        resource={calls}
        what="calls"
        caption="Calls, newest first"
        columns={useCallColumns()}
        id={callId}
        href={callAddress}
        empty={
          <Empty
            title="No calls yet"
            action={
              <a class="button primary" href={to("/calls/new")}>
                Place the first one
              </a>
            }
          />
        }
      />
    </Page>
  )
}
