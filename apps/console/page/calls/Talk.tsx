import { useSignal } from "@preact/signals"
import type { CallAttempt } from "outdial/client"
import { Empty, Shown } from "../components/States.tsx"
import { Raw } from "../components/Values.tsx"
import { useRefresh, useResource } from "../data/Resource.ts"
import { Conversation } from "./Conversation.tsx"
import { type Player, Recordings } from "./Recordings.tsx"
import { Review } from "./Review.tsx"

/** How long after a talk its recording may still come. */
const recordingMillis = 60_000

/** Whether a talk has ended so lately that its recording may still come. */
const isAwaited = ({ answered_at, completed_at }: CallAttempt) =>
  answered_at !== null && completed_at !== null && Date.now() - Date.parse(completed_at) < recordingMillis

/** What was said, heard and learnt in one attempt. */
export const Talk = ({ attempt }: { readonly attempt: CallAttempt }) => {
  const { session_id } = attempt
  const live = attempt.completed_at === null
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
      talk.data.recordings.some(({ status }) => status === "processing") ||
      (talk.data.recordings.length === 0 && isAwaited(attempt)))
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
