import { Cause, Clock, Effect } from "effect"
import { utterancesOf } from "../model/conversations/Conversation.ts"
import { AgentModel } from "../ports/AgentModel.ts"
import { Repository } from "../ports/Repository.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"
import { faultOf } from "./Faults.ts"
import * as Held from "./HeldConversation.ts"
import { makeJournalWriter } from "./JournalWriter.ts"
import type { Opened } from "./SessionOpening.ts"
import { makeTalkCharges } from "./TalkCharges.ts"
import { makeToolUses } from "./ToolUses.ts"

/**
 * Holds the conversations of sessions. What happens is written into the journal as it goes; a tool is carried out
 * once its use is stored.
 */
export const makeHolding = Effect.gen(function* () {
  const repository = yield* Repository
  const model = yield* AgentModel
  const { prepare } = yield* makeToolUses
  const charges = yield* makeTalkCharges

  const doNotCall = (workspace_id: string, to_number: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      repository.doNotCall.add(workspace_id, [to_number], now)
    ).pipe(
      Effect.catchAllCause((cause) =>
        Effect.logError("a number could not be put on the do-not-call list", faultOf(Cause.squash(cause)))
      )
    )

  const hold = (
    opened: Opened,
    line: SpeechLine,
    listen: (talk: Held.Here) => void
  ): Effect.Effect<Held.Held> =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, session, slices, state, to_number } = opened
        const { customer_id: workspace_id, session_id } = session
        let here: Held.Here | null = null
        const journal = yield* makeJournalWriter(
          (slice, utterances) => charges.store(session, slice, utterances),
          slices,
          { unpaid: () => here?.tell({ _tag: "HangUp" }), lost: () => here?.stop() }
        )
        const talk: Held.Talk = {
          session_id,
          state,
          connects: true,
          asked,
          reply: model.reply,
          tools: prepare(opened, journal),
          doNotCall: to_number === null ? Effect.void : doNotCall(workspace_id, to_number),
          record: {
            ...journal,
            changed: (now, before) => {
              if (now.turns !== before.turns) journal.owe(utterancesOf(now) - utterancesOf(before))
              journal.hurry()
              return null
            }
          }
        }
        return yield* Held.hold(talk, line, (held) => {
          here = held
          listen(held)
        })
      })
    )

  return { hold }
})
