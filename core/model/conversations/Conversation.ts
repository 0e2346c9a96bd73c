import type { Interruptible } from "../agents/Talk.ts"
import type { Speakable } from "./Speakable.ts"
import type { LineCapabilities } from "./Speech.ts"

/** The lines of an agent that no model makes. Of several the next is taken each time. */
export interface Lines {
  readonly nudge: ReadonlyArray<string>
  readonly filler: ReadonlyArray<string>
  readonly closing: string
  readonly apology: string
  /** Said when the line comes back after it broke. */
  readonly resumed: string
}

export interface Voicemail {
  readonly action: "hang_up" | "leave_message" | "continue"
  readonly message: string
}

/** What a conversation goes by. Durations are seconds. */
export interface Settings {
  /** Placeholders filled in; empty: the model opens. */
  readonly first_message: string
  readonly idle_timeout_warning: number
  readonly idle_timeout_end: number
  readonly max_call_length: number
  readonly interruptible: Interruptible
  /** Words, in lower case, which alone do not interrupt. */
  readonly backchannels: ReadonlyArray<string>
  readonly lines: Lines
  readonly voicemail: Voicemail
  /** Numbers that a call may be transferred to. */
  readonly transfers: ReadonlyArray<string>
  readonly line: LineCapabilities
}

/** A tool that the model asks for. Arguments are the model's own text: JSON if it keeps to the rules. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export interface ToolUse extends ToolCall {
  readonly started_at: number
  readonly ended_at: number | null
  /** Null while it runs. */
  readonly result: string | null
}

/** A stretch of an agent's turn: what one generation, or a line of the agent's own, said, and the tools it asked for. */
export interface Segment {
  readonly text: string
  readonly tools: ReadonlyArray<string>
}

/** Times of a turn in epoch milliseconds, null where there was no such thing. */
export type Turn =
  | {
      readonly role: "agent"
      /** What was sent to be said, in the order in which it was. */
      readonly segments: ReadonlyArray<Segment>
      /** What was heard of it: a beginning of all segments joined. */
      readonly heard: string
      readonly interrupted: boolean
      readonly requested_at: number | null
      readonly first_token_at: number | null
      readonly first_sound_at: number | null
      readonly started_at: number
      readonly ended_at: number
    }
  | {
      readonly role: "callee"
      readonly text: string
      readonly digits: boolean
      readonly language: string | null
      readonly started_at: number
      readonly ended_at: number
    }
  /** What the model is told beside the talk. */
  | { readonly role: "note"; readonly text: string; readonly started_at: number; readonly ended_at: number }

/** How a conversation has come to its end. */
export type EndReason =
  | "user_hangup"
  | "agent_hangup"
  | "idle_timeout"
  | "max_call_length"
  | "transferred"
  | "voicemail"
  | "agent_error"
  | "carrier_error"

/** A request to the model under way. */
export interface Generation {
  readonly id: number
  readonly requested_at: number
  readonly first_token_at: number | null
  /** What the model has sent and waits for more before it can be said. */
  readonly speakable: Speakable
  /** Whether any of it was sent to be said. */
  readonly spoke: boolean
  /** The one before failed: another failure ends the call. */
  readonly retried: boolean
  /** What came while it was not known whether the callee interrupts. */
  readonly held: string
  /** When it last showed a sign of life. */
  readonly heard_at: number
}

/** What the agent is saying. */
export interface Cycle {
  readonly segments: ReadonlyArray<Segment>
  /** All that was told as played. */
  readonly played: string
  readonly began_at: number
  readonly requested_at: number | null
  readonly first_token_at: number | null
  readonly first_sound_at: number | null
  /** Nothing more follows. */
  readonly complete: boolean
  /** Characters of the text that it had when it was complete once, and more followed after all. */
  readonly joined: number
  readonly interruptible: boolean
  readonly speaking: boolean
  readonly last_sent_at: number
  /** The callee began to speak over it at this time; whether that counts is not known yet. */
  readonly interrupted_at: number | null
  /** A nudge does not end a silence. */
  readonly kind: "reply" | "nudge" | "closing"
}

export interface Closing {
  readonly reason: EndReason
  readonly token: string
  /** `End` was sent at this time. */
  readonly ended_at: number | null
  /** The latest time for `End`, and then for the line to close. */
  readonly until: number
}

/** What the callee is doing. */
export interface Callee {
  readonly speaking: boolean
  readonly began_at: number | null
  /** What the callee is saying, as understood so far. */
  readonly partial: string
  readonly partial_at: number | null
  readonly digits: string
  readonly digit_at: number | null
}

/** A line on which nothing is said, thought or carried out. */
export interface Silence {
  /** From when the window counts. */
  readonly since: number
  /** When sound without words suspended it. */
  readonly suspended_at: number | null
}

export interface Used {
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface ConversationState {
  readonly settings: Settings
  readonly started_at: number
  readonly connected_at: number | null
  readonly turns: ReadonlyArray<Turn>
  readonly tools: Readonly<Record<string, ToolUse>>
  readonly cycle: Cycle | null
  readonly generation: Generation | null
  /** Ids of generations count up. */
  readonly generations: number
  readonly callee: Callee
  /** Null while it is not silent. */
  readonly silence: Silence | null
  /** When the agent had first finished since the callee was last understood; sound and nudges do not move it. */
  readonly waiting_since: number | null
  /** Whether the agent has nudged since the callee was last understood. */
  readonly nudged: boolean
  /** Something in the history is yet to be answered by the model. */
  readonly unanswered: boolean
  /** Tools that this turn of the model has asked for. */
  readonly toolsOfTurn: number
  readonly filled: boolean
  readonly warned: boolean
  /** How many of the agent's own lines were taken. */
  readonly nudges: number
  readonly fillers: number
  /** Tokens that models have taken and given. */
  readonly used: Used
  /** A machine has answered; `ready` when a message can be left. */
  readonly voicemail: { readonly detected_at: number; readonly ready: boolean } | null
  readonly closing: Closing | null
  /** When the connection broke. */
  readonly dropped_at: number | null
  readonly over: {
    readonly reason: EndReason
    readonly at: number
    readonly error_code: string | null
  } | null
}

export type Phase = "opening" | "listening" | "calleeSpeaking" | "thinking" | "speaking" | "closing" | "over"

export const phaseOf = (state: ConversationState): Phase => {
  if (state.over !== null) return "over"
  if (state.closing !== null) return "closing"
  if (state.connected_at === null) return "opening"
  if (state.cycle !== null && lengthOf(state.cycle.segments) > 0) return "speaking"
  if (state.generation !== null || runningTools(state) > 0) return "thinking"
  return state.callee.speaking ? "calleeSpeaking" : "listening"
}

export const runningTools = ({ tools }: ConversationState): number =>
  Object.values(tools).filter(({ result }) => result === null).length

export const textOf = (segments: ReadonlyArray<Segment>): string => segments.map(({ text }) => text).join("")

/** The characters of it. Unlike the text itself it costs nothing to tell, however long that has become. */
export const lengthOf = (segments: ReadonlyArray<Segment>): number => {
  let length = 0
  for (const { text } of segments) length += text.length
  return length
}

/** How often the agent has said something: what is paid for. */
export const utterancesOf = ({ turns }: Pick<ConversationState, "turns">): number =>
  turns.filter((turn) => turn.role === "agent" && textOf(turn.segments).trim() !== "").length

/** How many answers of the model were heard, at least in part: the one that is being said counts with its first words. */
export const answersOf = ({ cycle, turns }: Pick<ConversationState, "cycle" | "turns">): number => {
  const isHeard = cycle !== null && cycle.requested_at !== null && cycle.played !== ""
  const over = turns.filter(
    (turn) => turn.role === "agent" && turn.requested_at !== null && turn.heard !== ""
  )
  return over.length + Number(isHeard)
}
