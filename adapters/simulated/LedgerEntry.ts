import { Schema } from "effect"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"

/** A dial as the simulated carrier files it: its numbers, and all that its course depends on. `at` is when it came. */
export const Dial = Schema.TaggedStruct("Dial", {
  key: Schema.String,
  workspace_id: Schema.String,
  call_id: Schema.String,
  to_number: Schema.String,
  from_number: Schema.String,
  at: Schema.Number,
  /** How long the agent's first message takes. */
  greeting_seconds: Schema.Number,
  idle_timeout_warning: Schema.Number,
  idle_timeout_end: Schema.Number,
  max_call_length: Schema.Number,
  /** Its course lasts as long as the conversation that is held on it. */
  talks: Schema.optional(Schema.Boolean)
})
export type Dial = typeof Dial.Type

export const HangUp = Schema.TaggedStruct("HangUp", {
  workspace_id: Schema.String,
  key: Schema.String,
  at: Schema.Number,
  /** The conversation has come to its end; else the platform hangs up. */
  talked: Schema.optional(Schema.Boolean)
})
export type HangUp = typeof HangUp.Type

/** What a carrier has to remember of what it was told. */
export const Entry = Schema.Union(Dial, HangUp)
export type Entry = typeof Entry.Type

/** About fifteen characters are spoken in a second. */
const spoken = (text: string): number => Math.min(60, Math.max(1, Math.ceil(text.length / 15)))

export const dialOf = (request: DialRequest, at: number, talks = false): Dial => ({
  _tag: "Dial",
  key: request.key,
  workspace_id: request.workspace_id,
  call_id: request.call_id,
  to_number: request.to_number,
  from_number: request.from_number,
  at,
  greeting_seconds: spoken(request.agent.first_message),
  idle_timeout_warning: request.idle_timeout_warning,
  idle_timeout_end: request.idle_timeout_end,
  max_call_length: request.max_call_length,
  ...(talks && { talks })
})
