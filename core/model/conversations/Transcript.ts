import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import { type ConversationState, textOf, type ToolUse, type Turn } from "./Conversation.ts"

const Millis = Schema.NullOr(Schema.Int.annotations({ description: "Milliseconds" }))

/** One turn of a talk, to be read. */
export const TranscriptTurn = Schema.Struct({
  role: Schema.Literal("agent", "callee", "tool"),
  text: Schema.String.annotations({
    description: "What was said, as far as it was heard; of a tool, its result"
  }),
  generated: Schema.NullOr(Schema.String).annotations({
    description: "What the agent was about to say, where less of it was heard"
  }),
  started_at: Timestamp,
  ended_at: Schema.NullOr(Timestamp),
  interrupted: Schema.Boolean,
  digits: Schema.Boolean.annotations({ description: "The callee pressed keys: `text` holds them" }),
  tool: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String, arguments: Schema.String })),
  first_token_ms: Millis.annotations({ description: "From the request to the model to its first text" }),
  first_sound_ms: Millis.annotations({ description: "From the request to the model to the first sound" })
}).annotations({ identifier: "TranscriptTurn" })
export type TranscriptTurn = typeof TranscriptTurn.Type

const since = (from: number | null, until: number | null): number | null =>
  from === null || until === null ? null : Math.max(0, until - from)

const ofTool = ({ arguments: given, ended_at, id, name, result, started_at }: ToolUse): TranscriptTurn => ({
  role: "tool",
  text: result ?? "",
  generated: null,
  started_at,
  ended_at,
  interrupted: false,
  digits: false,
  tool: { id, name, arguments: given },
  first_token_ms: null,
  first_sound_ms: null
})

const ofTurn = (turn: Turn, tools: ConversationState["tools"]): ReadonlyArray<TranscriptTurn> => {
  if (turn.role === "note") return []
  if (turn.role === "callee") {
    const { digits, ended_at, started_at, text } = turn
    return [
      {
        role: "callee",
        text,
        generated: null,
        started_at,
        ended_at,
        interrupted: false,
        digits,
        tool: null,
        first_token_ms: null,
        first_sound_ms: null
      }
    ]
  }
  const whole = textOf(turn.segments).trim()
  const heard = turn.heard.trim()
  const uses = turn.segments.flatMap(({ tools: ids }) => ids.flatMap((id) => tools[id] ?? []))
  const said: ReadonlyArray<TranscriptTurn> =
    whole === ""
      ? []
      : [
          {
            role: "agent",
            text: heard,
            generated: heard === whole ? null : whole,
            started_at: turn.started_at,
            ended_at: turn.ended_at,
            interrupted: turn.interrupted,
            digits: false,
            tool: null,
            first_token_ms: since(turn.requested_at, turn.first_token_at),
            first_sound_ms: since(turn.requested_at, turn.first_sound_at)
          }
        ]
  return [...said, ...uses.map(ofTool)]
}

/** What was said, heard and done, oldest first. The same state gives the same transcript, to the byte. */
export const transcriptOf = ({ tools, turns }: ConversationState): ReadonlyArray<TranscriptTurn> =>
  turns.flatMap((turn) => ofTurn(turn, tools))
