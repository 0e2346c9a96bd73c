import { Clock, Effect, Option } from "effect"
import { minute, second } from "../model/Codecs.ts"
import type { Attempt } from "../model/calls/Attempt.ts"
import { type ConversationState, utterancesOf } from "../model/conversations/Conversation.ts"
import { type Entry, play, sliceOf } from "../model/conversations/Journal.ts"
import type { Session } from "../model/conversations/Session.ts"
import { Repository } from "../ports/Repository.ts"
import { makeSessionEnding } from "./SessionEnding.ts"
import { makeSessionReading } from "./SessionReading.ts"
import { makeTalkCharges } from "./TalkCharges.ts"

/** A conversation whose journal has not grown for this long is held by no process. */
const quiet = 5 * minute

/** How the line ended, as far as can be told afterwards: with the call, or it broke and did not come back. */
const endOf = (attempt: Attempt | null, last_at: number): ReadonlyArray<Entry> => {
  const isOver = attempt !== null && attempt.status !== "in_progress"
  if (isOver) {
    const at = Math.max(last_at, attempt.completed_at ?? last_at)
    if (attempt.sub_status !== "carrier_error") return [{ at, event: { _tag: "Closed", reason: "hangup" } }]
    const { error_code, error_message } = attempt
    const told = { code: error_code ?? "unknown", message: error_message ?? "" }
    return [{ at, event: { _tag: "LineError", ...told, fatal: true } }]
  }
  return [
    { at: last_at, event: { _tag: "Closed", reason: "dropped" } },
    { at: last_at + 31 * second, event: { _tag: "TimerFired" } }
  ]
}

/** Ends conversations that were open when the process that held them died, and that no line came back to. */
export const makeAbandonedSessions = Effect.gen(function* () {
  const repository = yield* Repository
  const { standing } = yield* makeSessionReading
  const charges = yield* makeTalkCharges
  const end = yield* makeSessionEnding

  const lookAgain = (session: Session, at: number) =>
    repository.sessions.update({ ...session, review_due_at: at, version: session.version + 1 })

  /** Writes the end into the journal, so that a process that holds the conversation after all loses it. */
  const close = (
    session: Session,
    before: ConversationState,
    slices: number,
    entries: ReadonlyArray<Entry>
  ) =>
    repository.transaction(
      session.customer_id,
      Effect.gen(function* () {
        const after = play(before, entries)
        const utterances = utterancesOf(after) - utterancesOf(before)
        const slice = { number: slices + 1, body: sliceOf(entries) }
        if ((yield* charges.store(session, slice, utterances)) === "lost") return false
        yield* end(session, after)
        return true
      })
    )

  /** Closes the session, or looks at it again later while its conversation goes on. */
  return Effect.fnUntraced(function* (session: Session) {
    const { last_at, slices, state } = yield* standing(session)
    if (state.over !== null) return void (yield* end(session, state))
    const { attempt_id, customer_id } = session
    const attempt =
      attempt_id === null ? null : Option.getOrNull(yield* repository.attempts.get(customer_id, attempt_id))
    const entries = endOf(attempt, last_at)
    const now = yield* Clock.currentTimeMillis
    const goesOn = entries.at(-1)!.event._tag === "TimerFired" && now < last_at + quiet
    if (goesOn) return void (yield* lookAgain(session, last_at + quiet))
    if (!(yield* close(session, state, slices, entries))) yield* lookAgain(session, now + quiet)
  })
})
