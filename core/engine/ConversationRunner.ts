import { Context, type Effect } from "effect"
import type { ConversationEvent } from "../model/conversations/ConversationMachine.ts"
import type { SessionNotFound } from "../model/conversations/SessionErrors.ts"
import type { SpeechLine } from "../ports/SpeechLine.ts"

export interface SessionName {
  readonly workspace_id: string
  readonly session_id: string
}

/** What a carrier has to do with a call whose line has ended, while the call is still under way. */
export type AfterLine =
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "Transfer"; readonly to_number: string; readonly from_number: string }
  /** The conversation goes on over another line. */
  | { readonly _tag: "Connect" }

/** What reaches a conversation beside its line, at any process. */
export type OutsideEvent = Extract<
  ConversationEvent,
  { readonly _tag: "AnsweredBy" | "MessageEnded" | "HangUp" }
>

export interface ConversationRunnerShape {
  /**
   * Holds the conversation of a session over a line, until it is over or the line is closed. A session that was talked
   * on before goes on where it stood. Fails when no attempt under way, and no try of an agent, has this session.
   * When it ends by itself the line has been told to end.
   */
  readonly hold: (session: SessionName, line: SpeechLine) => Effect.Effect<void, SessionNotFound>
  /** Tells the conversation, whichever process holds it, within a second. One that is over ignores it. */
  readonly tell: (session: SessionName, event: OutsideEvent) => Effect.Effect<void>
  /** What the carrier is to do when the line of a session has ended. */
  readonly after: (session: SessionName) => Effect.Effect<AfterLine>
}

/** Holds conversations: one machine over a line and a model for each, written down as it goes. */
export class ConversationRunner extends Context.Tag("outdial/ConversationRunner")<
  ConversationRunner,
  ConversationRunnerShape
>() {}
