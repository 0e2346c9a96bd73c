import { Schema } from "effect"
import { hasReached } from "../calls/Call.ts"
import type { Ended } from "../calls/CarrierProgress.ts"
import { Timestamp } from "../Codecs.ts"
import type { RawJson } from "../json/RawJson.ts"
import type { ConversationState, EndReason, Settings } from "./Conversation.ts"
import { Review } from "./Review.ts"
import { TranscriptTurn } from "./Transcript.ts"

export const SessionReason = Schema.Literal(
  "user_hangup",
  "agent_hangup",
  "idle_timeout",
  "max_call_length",
  "transferred",
  "voicemail",
  "agent_error",
  "carrier_error"
)

/** Median and worst of the times of a conversation's turns, in milliseconds; null where nothing was measured. */
const Spread = Schema.NullOr(
  Schema.Struct({ median: Schema.Int, worst: Schema.Int }).annotations({ identifier: "Latency" })
)

export const ReviewStatus = Schema.Literal("none", "due", "done", "failed")

/** What is kept of a conversation when it is over. */
export const SessionTotals = Schema.Struct({
  turns: Schema.Int.annotations({ description: "What the agent and the callee have said, together" }),
  interruptions: Schema.Int,
  tool_calls: Schema.Int,
  first_token_ms: Spread,
  first_sound_ms: Spread,
  input_tokens: Schema.Int,
  output_tokens: Schema.Int
}).annotations({ identifier: "SessionTotals" })
export type SessionTotals = typeof SessionTotals.Type

export const noTotals: SessionTotals = {
  turns: 0,
  interruptions: 0,
  tool_calls: 0,
  first_token_ms: null,
  first_sound_ms: null,
  input_tokens: 0,
  output_tokens: 0
}

/** A conversation as the REST interface shows it. */
export const SessionRecord = Schema.Struct({
  session_id: Schema.String,
  kind: Schema.Literal("call", "trial").annotations({
    description: "`trial`: an agent was tried out, and no number was called"
  }),
  call_id: Schema.NullOr(Schema.String),
  attempt_id: Schema.NullOr(Schema.String),
  agent_id: Schema.String,
  agent_version: Schema.NullOr(Schema.Int).annotations({
    description: "The agent's version; null for its draft, or an agent that had none"
  }),
  status: Schema.Literal("waiting", "open", "over").annotations({
    description: "`waiting`: no line has been connected yet"
  }),
  reason: Schema.NullOr(SessionReason),
  error_code: Schema.NullOr(Schema.String).annotations({ description: "The carrier's own code" }),
  started_at: Timestamp,
  connected_at: Schema.NullOr(Timestamp),
  ended_at: Schema.NullOr(Timestamp),
  credits: Schema.Int.annotations({ description: "What its turns and its review have cost" }),
  model: Schema.NullOr(Schema.String).annotations({
    description: "The language model that was asked, by its name; null where nothing was talked here"
  }),
  ...SessionTotals.fields,
  review_status: ReviewStatus,
  review: Schema.NullOr(Review)
}).annotations({ identifier: "Session" })

export type SessionRecord = typeof SessionRecord.Type

/** A conversation. */
export interface Session extends Schema.Schema.Type<typeof SessionRecord> {
  readonly customer_id: string
  readonly settings: Settings
  /** Of a trial: what fills the placeholders, as supplied. */
  readonly variables: RawJson | null
  /**
   * When the review is to be made, or made again; null when it is not. Of a session that is not over: when it counts
   * as abandoned.
   */
  readonly review_due_at: number | null
  /** Times in a row that the reviewer failed. */
  readonly review_failures: number
  /** Grows by one with each update; every update is conditional on it. */
  readonly version: number
}

/** The session when its conversation has come to its end; null while it has not. What was talked on is reviewed. */
export const overBy = (session: Session, state: ConversationState, totals: SessionTotals): Session | null => {
  if (state.over === null) return null
  const { at, error_code, reason } = state.over
  const isReviewed = session.kind === "call" && state.turns.some(({ role }) => role === "callee")
  return {
    ...session,
    status: "over",
    reason,
    error_code,
    connected_at: state.connected_at,
    ended_at: at,
    ...totals,
    review_status: isReviewed ? "due" : "none",
    // Due at once: the clock of a carrier whose calls are sped up runs ahead.
    review_due_at: isReviewed ? session.started_at : null,
    version: session.version + 1
  }
}

/** A session as it begins. */
export const newSession = (
  given: Pick<
    Session,
    | "session_id"
    | "customer_id"
    | "kind"
    | "call_id"
    | "attempt_id"
    | "agent_id"
    | "agent_version"
    | "status"
    | "model"
    | "settings"
    | "variables"
    | "review_due_at"
  >,
  now: number
): Session => ({
  ...given,
  reason: null,
  error_code: null,
  started_at: now,
  connected_at: null,
  ended_at: null,
  credits: 0,
  ...noTotals,
  review_status: "none",
  review: null,
  review_failures: 0,
  version: 1
})

/** The attempt that a session belongs to has an id of the same body. */
export const attemptOf = (session_id: string): string => session_id.replace(/^sess_/, "att_")
export const sessionOf = (attempt_id: string): string => attempt_id.replace(/^att_/, "sess_")

/** What becomes of a call whose conversation ended so. */
const endings = {
  user_hangup: { outcome: "answered", sub_status: "user_hangup" },
  agent_hangup: { outcome: "answered", sub_status: "agent_hangup" },
  idle_timeout: { outcome: "answered", sub_status: "idle_timeout" },
  max_call_length: { outcome: "answered", sub_status: "max_call_length" },
  transferred: { outcome: "answered", sub_status: "transferred" },
  voicemail: { outcome: "voicemail", sub_status: "agent_hangup" },
  agent_error: { outcome: "answered", sub_status: "agent_error" },
  carrier_error: { outcome: "failed", sub_status: "carrier_error" }
} as const satisfies Record<EndReason, Pick<Ended, "outcome" | "sub_status">>

/**
 * The end of a call by how its conversation ended. A callee whom the carrier did not reach, or knows to be a machine,
 * stays that.
 */
export const endedBy = (
  told: Ended,
  { error_code, reason }: { readonly reason: EndReason; readonly error_code: string | null }
): Ended => {
  if (!hasReached(told.outcome)) return told
  const { outcome, sub_status } = endings[reason]
  if (outcome === "failed") return { ...told, outcome, sub_status, error_code }
  return { ...told, outcome: told.outcome === "voicemail" ? "voicemail" : outcome, sub_status }
}

/** A conversation without a carrier, which waits for its line. */
export const TrialRecord = Schema.Struct({
  session_id: Schema.String,
  agent_id: Schema.String,
  agent_version: Schema.NullOr(Schema.Int).annotations({ description: "Null for the draft" }),
  url: Schema.String.annotations({ description: "The WebSocket's address, which needs no other credential" }),
  url_expires_at: Timestamp
}).annotations({ identifier: "TrialConversation" })

/** What a conversation tells while it goes on. */
export const SessionUpdate = Schema.Union(
  Schema.Struct({
    type: Schema.Literal("turn"),
    number: Schema.Int.annotations({ description: "Its place in the transcript, from 1" }),
    turn: TranscriptTurn
  }),
  Schema.Struct({ type: Schema.Literal("over"), session: SessionRecord })
).annotations({ identifier: "SessionUpdate" })
export type SessionUpdate = typeof SessionUpdate.Type

export const Transcript = Schema.Struct({
  session_id: Schema.String,
  turns: Schema.Array(TranscriptTurn)
}).annotations({ identifier: "Transcript" })
