import { Effect, Metric, Option } from "effect"
import type { ConversationState } from "../model/conversations/Conversation.ts"
import { overBy, type Session } from "../model/conversations/Session.ts"
import { totalsOf } from "../model/conversations/Totals.ts"
import { isOptOut } from "../model/messages/OptOut.ts"
import { Repository } from "../ports/Repository.ts"
import * as Metrics from "./Metrics.ts"

/** Whether the callee asked not to be called again, as the model understood it or in words that say nothing else. */
const optedOut = ({ tools, turns }: ConversationState): boolean =>
  Object.values(tools).some(({ name }) => name === "do_not_call") ||
  turns.some((turn) => turn.role === "callee" && !turn.digits && isOptOut(turn.text))

/**
 * Stores how a conversation ended, where its state says so. A number whose callee asked not to be called again is on
 * the do-not-call list from then on, even if the process that heard it died before it stored that. Answers the session
 * as it is stored, or null: it is not over, or of two processes that think so the other was first.
 */
export const makeSessionEnding = Effect.map(Repository, ({ calls, doNotCall, sessions, transaction }) => {
  const store = Effect.fnUntraced(function* (over: Session, state: ConversationState) {
    if (!(yield* sessions.update(over))) return false
    if (over.call_id === null || !optedOut(state)) return true
    const call = yield* calls.get(over.customer_id, over.call_id)
    if (Option.isSome(call)) {
      yield* doNotCall.add(over.customer_id, [call.value.to_number], over.ended_at ?? over.started_at)
    }
    return true
  })

  return Effect.fnUntraced(function* (session: Session, state: ConversationState) {
    const totals = totalsOf(state)
    const over = overBy(session, state, totals)
    if (over === null) return null
    if (!(yield* transaction(session.customer_id, store(over, state)))) return null
    yield* Metric.update(Metrics.interruptions, totals.interruptions)
    yield* Metrics.observeTurns(state.turns)
    return over
  })
})
