import type { Schema } from "effect"
import type { Interruptible, Talk, VoicemailPolicy } from "../agents/Talk.ts"

/** Everything that a carrier needs for one dial. Durations are seconds. */
export interface DialRequest {
  /** The attempt's id. A carrier that can files the call under it, and answers a look-up by it. */
  readonly key: string
  readonly workspace_id: string
  readonly call_id: string
  readonly session_id: string
  readonly to_number: string
  readonly from_number: string
  readonly agent: {
    readonly agent_id: string
    /** With its variables filled in. */
    readonly prompt: string
    readonly first_message: string
    readonly voice: string
    readonly language: string
    readonly interruptible: Interruptible
    readonly voicemail: VoicemailPolicy
    readonly transcription: Schema.Schema.Type<typeof Talk.transcription>
    readonly speech: Schema.Schema.Type<typeof Talk.speech>
  }
  readonly idle_timeout_warning: number
  readonly idle_timeout_end: number
  readonly max_call_length: number
}
