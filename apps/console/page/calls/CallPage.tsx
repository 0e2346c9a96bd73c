import type { Call } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Page, Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { type Fact, Facts, Raw, Status, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useAgentNames } from "../data/Agents.ts"
import { count, duration, words } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { Deliveries } from "./Deliveries.tsx"
import { Timeline } from "./Timeline.tsx"

const factsOf = (call: Call, agent: string): ReadonlyArray<Fact> => [
  ["Outcome", call.outcome === null ? null : <Status value={call.outcome} />],
  ["Reason", call.sub_status === null ? null : words(call.sub_status)],
  ["Error", call.error === null ? null : `${call.error.code}: ${call.error.message}`],
  ["To", <span class="numeric">{call.to_number_masked}</span>],
  ["From", <span class="numeric">{call.from_number}</span>],
  ["Agent", call.agent_version === null ? agent : `${agent}, version ${call.agent_version}`],
  [
    "Campaign",
    call.campaign_id === null || call.recipient_id === null ? null : (
      <>
        <a href={to(`/campaigns/${call.campaign_id}`)}>Its progress</a>,{" "}
        <a href={to(`/campaigns/${call.campaign_id}/recipients/${call.recipient_id}`)}>its recipient</a>
      </>
    )
  ],
  ["Talk", duration(call.duration_seconds)],
  ["Credits", count(call.credits)],
  ["Next attempt", call.scheduled_for === null ? null : <Time at={call.scheduled_for} full />],
  ["Placed", <Time at={call.created_at} full />],
  ["Ended", call.completed_at === null ? null : <Time at={call.completed_at} full />]
]

export const CallPage = ({ params }: { readonly params: { readonly call_id?: string } }) => {
  const id = params.call_id!
  const found = useResource(
    async (api, options) => {
      const [call, attempts, events] = await Promise.all([
        api.calls.get(id, options),
        api.calls.attempts(id, options),
        api.calls.events(id, options)
      ])
      return { call, attempts: attempts.data, transitions: events.data }
    },
    [id]
  )
  useLive(found.reload, (event) => event.type === "call" && event.record.call_id === id)
  const nameOf = useAgentNames()
  const cancelling = useAction(async (api) => {
    await api.calls.cancel(id)
    found.reload()
  })
  const call = found.data?.call ?? null
  return (
    <Page
      title={call === null ? "Call" : (call.callee_name ?? call.to_number_masked)}
      aside={call === null ? null : <Status value={call.status} />}
      actions={
        call !== null && call.completed_at === null ? (
          <ConfirmButton
            label="Cancel the call"
            question="Cancel this call? It is hung up if it is under way."
            act={cancelling}
          />
        ) : undefined
      }
    >
      <Shown resource={found} what="the call">
        {({ attempts, call, transitions }) => (
          <>
            <Facts facts={factsOf(call, nameOf(call.agent_id))} />
            <Section title="What became of it">
              <Timeline attempts={attempts} transitions={transitions} />
            </Section>
            <Deliveries call_id={id} />
            <Raw title="The call's record" value={call} />
          </>
        )}
      </Shown>
      <p>
        <a href={to("/calls")}>All calls</a>
      </p>
    </Page>
  )
}
