import type { Call } from "outdial/client"
import { Page, Section } from "../components/Page.tsx"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { type Fact, Facts, Raw, Status, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useAgentNames } from "../data/Agents.ts"
import { count, duration, words } from "../data/Format.ts"
import { useRefresh, useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { Conversation } from "./Conversation.tsx"
import { Recordings } from "./Recordings.tsx"
import { Review } from "./Review.tsx"

const factsOf = (call: Call, agent: string): ReadonlyArray<Fact> => [
  ["Outcome", call.outcome === null ? null : <Status value={call.outcome} />],
  ["Reason", call.sub_status === null ? null : words(call.sub_status)],
  ["Error", call.error === null ? null : `${call.error.code}: ${call.error.message}`],
  ["To", <span class="numeric">{call.to_number_masked}</span>],
  ["From", <span class="numeric">{call.from_number}</span>],
  ["Agent", call.agent_version === null ? agent : `${agent}, version ${call.agent_version}`],
  ["Attempts", count(call.attempt_count)],
  ["Talk", duration(call.duration_seconds)],
  ["Credits", count(call.credits)],
  ["Next attempt", call.scheduled_for === null ? null : <Time at={call.scheduled_for} full />],
  ["Placed", <Time at={call.created_at} full />],
  ["Ended", call.completed_at === null ? null : <Time at={call.completed_at} full />]
]

/** Of one attempt: what was said, heard and learnt. */
const Talk = ({ session_id, live }: { readonly session_id: string; readonly live: boolean }) => {
  const talk = useResource(
    async (api, options) => {
      const [session, transcript, recordings] = await Promise.all([
        api.sessions.get(session_id, options),
        api.sessions.transcript(session_id, options),
        api.recordings.list(session_id, {}, options)
      ])
      return { session, turns: transcript.turns, recordings: recordings.data }
    },
    [session_id, live]
  )
  const isDue =
    talk.data !== null &&
    (talk.data.session.review_status === "due" ||
      talk.data.recordings.some(({ status }) => status === "processing"))
  useRefresh(talk.reload, live || isDue)
  return (
    <Shown resource={talk} what="the conversation">
      {({ recordings, session, turns }) => (
        <>
          <Review session={session} />
          <Section title="Conversation">
            <Recordings recordings={recordings} />
            {turns.length === 0 ? (
              <Empty title={live ? "Nothing has been said yet" : "There is no transcript"} />
            ) : (
              <Conversation turns={turns} />
            )}
          </Section>
          <Raw title="The session's record" value={session} />
        </>
      )}
    </Shown>
  )
}

export const CallPage = ({ params }: { readonly params: { readonly call_id?: string } }) => {
  const id = params.call_id!
  const call = useResource((api, options) => api.calls.get(id, options), [id])
  const live = call.data !== null && call.data.completed_at === null
  useRefresh(call.reload, live)
  const nameOf = useAgentNames()
  const cancelling = useAction(async (api) => {
    await api.calls.cancel(id)
    call.reload()
  })
  const record = call.data
  return (
    <Page
      title={record === null ? "Call" : (record.callee_name ?? record.to_number_masked)}
      aside={record === null ? null : <Status value={record.status} />}
      actions={
        live ? (
          <ConfirmButton
            label="Cancel the call"
            question="Cancel this call? It is hung up if it is under way."
            act={cancelling}
          />
        ) : undefined
      }
    >
      <Shown resource={call} what="the call">
        {(record) => (
          <>
            <Facts facts={factsOf(record, nameOf(record.agent_id))} />
            {record.session_id === null ? (
              <Empty title="Not dialled yet" />
            ) : (
              <Talk session_id={record.session_id} live={live} />
            )}
            <Raw title="The call's record" value={record} />
          </>
        )}
      </Shown>
      <p>
        <a href={to("/calls")}>All calls</a>
      </p>
    </Page>
  )
}
