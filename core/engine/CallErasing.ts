import { Effect, Option } from "effect"
import type { Call } from "../model/calls/Call.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import type { Session } from "../model/conversations/Session.ts"
import { Repository } from "../ports/Repository.ts"
import { makeErasing } from "./Erasing.ts"
import { makeNoting } from "./Noting.ts"

/** A session has few recordings: one for each track. */
const allOf = { limit: 100, offset: 0 }

/** A recipient that a call is under way to, or is to be placed to. */
export const isUnderWay = ({ status }: Recipient): boolean =>
  status === "in_progress" || status === "retry_scheduled"
const isToBeCalled = (recipient: Recipient) => recipient.status === "pending" || isUnderWay(recipient)

/** Takes what is personal from calls that are over. Counts and charges stay. */
export const makeCallErasing = Effect.gen(function* () {
  const repository = yield* Repository
  const { people, recordings, sessions, transaction } = repository
  const eraseRecording = yield* makeErasing
  const { noted } = yield* makeNoting

  const sessionsOf = Effect.fnUntraced(function* ({ call_id, customer_id }: Call) {
    const attempts = yield* repository.attempts.ofCall(customer_id, call_id)
    return attempts.map(({ session_id }) => session_id)
  })

  const recordingsOf = (workspace_id: string, session_id: string) =>
    Effect.map(recordings.ofSession(workspace_id, session_id, allOf), ({ data }) =>
      data.filter(({ status }) => status !== "deleted")
    )

  /** Its settings have texts in which placeholders are filled in. */
  const eraseTalk = Effect.fnUntraced(function* (session: Session) {
    const { customer_id, session_id, settings, version } = session
    const voicemail = { ...settings.voicemail, message: "" }
    const bare = { ...settings, first_message: "", voicemail }
    yield* sessions.update({ ...session, settings: bare, version: version + 1 })
    yield* sessions.erase(customer_id, session_id)
  })

  /**
   * Erases a call. What was recorded and said in it goes first: the call is found by its number as long as
   * anything is left.
   */
  const eraseCall = Effect.fnUntraced(function* (call: Call) {
    const { call_id, customer_id } = call
    let [recorded, said] = [0, 0]
    for (const session_id of yield* sessionsOf(call)) {
      for (const recording of yield* recordingsOf(customer_id, session_id)) {
        yield* eraseRecording(recording)
        recorded++
      }
      const session = yield* sessions.get(customer_id, session_id)
      if (Option.isSome(session)) {
        yield* noted(customer_id, eraseTalk(session.value))
        said++
      }
    }
    yield* noted(customer_id, people.eraseCall(customer_id, call_id))
    return { recorded, said }
  })

  /** Erases the recipient that a call was placed for, unless it is called again meanwhile. */
  const eraseRecipientOf = ({ call_id, campaign_id, customer_id, recipient_id }: Call) =>
    campaign_id === null || recipient_id === null
      ? Effect.void
      : transaction(
          customer_id,
          Effect.gen(function* () {
            const found = yield* repository.recipients.get(customer_id, campaign_id, recipient_id)
            if (Option.isNone(found) || found.value.call_id !== call_id || isToBeCalled(found.value)) return
            yield* people.eraseRecipient(found.value)
          })
        )

  return { eraseCall, eraseRecipientOf, sessionsOf, recordingsOf }
})
