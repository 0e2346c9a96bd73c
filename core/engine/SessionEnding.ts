import { Effect, Metric } from "effect"
import type { ConversationState } from "../model/conversations/Conversation.ts"
import { overBy, type Session, type SessionTotals } from "../model/conversations/Session.ts"
import { totalsOf } from "../model/conversations/Totals.ts"
import { Repository } from "../ports/Repository.ts"
import * as Metrics from "./Metrics.ts"

/**
 * Stores how a conversation ended, where its state says so. Answers the session as it is stored, or null: it is not
 * over, or of two processes that think so the other was first.
 */
export const makeSessionEnding = Effect.map(Repository, ({ sessions, transaction }) =>
  Effect.fnUntraced(function* (
    session: Session,
    state: ConversationState,
    used: Pick<SessionTotals, "input_tokens" | "output_tokens">
  ) {
    const totals = totalsOf(state, used)
    const over = overBy(session, state, totals)
    if (over === null) return null
    if (!(yield* transaction(session.customer_id, sessions.update(over)))) return null
    yield* Metric.update(Metrics.interruptions, totals.interruptions)
    yield* Metrics.observeTurns(state.turns)
    return over
  })
)
