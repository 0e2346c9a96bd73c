import { useSignal } from "@preact/signals"
import { Empty, Shown } from "../components/States.tsx"
import { Raw } from "../components/Values.tsx"
import { useRefresh, useResource } from "../data/Resource.ts"
import { Conversation } from "./Conversation.tsx"
import { type Player, Recordings } from "./Recordings.tsx"
import { Review } from "./Review.tsx"

/** What was said, heard and learnt in one attempt. */
export const Talk = ({ live, session_id }: { readonly session_id: string; readonly live: boolean }) => {
  const player = useSignal<Player | null>(null)
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
        <div class="talk">
          <Review session={session} />
          <Recordings
            recordings={recordings}
            onPlayer={(made) => {
              player.value = made
            }}
          />
          {turns.length === 0 ? (
            <Empty title={live ? "Nothing has been said yet" : "There is no transcript"} />
          ) : (
            <Conversation turns={turns} hear={player.value?.playFrom ?? null} />
          )}
          <Raw title="The session's record" value={session} />
        </div>
      )}
    </Shown>
  )
}
