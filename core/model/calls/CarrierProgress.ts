import type { Outcome, SubStatus } from "./Call.ts"

/** What a carrier tells of a call, at `at` (epoch milliseconds). It may come late, twice or out of order. */
export type Progress =
  | { readonly _tag: "Ringing"; readonly at: number }
  | { readonly _tag: "Answered"; readonly at: number }
  /** Of a message: its provider has passed it on. */
  | { readonly _tag: "Sent"; readonly at: number }
  | {
      readonly _tag: "Ended"
      readonly at: number
      readonly outcome: Outcome
      readonly sub_status: SubStatus | null
      /** Seconds of talk: what is charged, by the started minute. */
      readonly duration_seconds: number
      readonly error_code: string | null
      /** What the failure means. */
      readonly error_message: string | null
      /** The carrier's own words, numbers masked: null when it gave none, absent when `error_message` is its own. */
      readonly carrier_message?: string | null
      /** The conversation was held here: its session tells how the call came out, where it is over. */
      readonly held?: true
      /** The call was recorded: a while later the carrier tells of the recording, or can be asked for it. */
      readonly recorded?: true
    }
  | { readonly _tag: "RecordingReady"; readonly at: number; readonly recording: CarrierRecording }

export interface CarrierRecording {
  readonly carrier_recording_id: string
  readonly track: "mixed" | "caller" | "agent"
  readonly channels: number
  readonly format: string
  readonly duration_seconds: number
  readonly size_bytes: number | null
  readonly url: string | null
  readonly started_at: number
}

/** Progress of the call that was dialled under `key`. */
export interface CallProgress {
  readonly workspace_id: string
  readonly key: string
  readonly progress: Progress
}

/** Why a carrier will not place a dial: nothing rang. */
export interface Refusal {
  readonly outcome: Outcome
  readonly sub_status: SubStatus
  /** The carrier's own code. */
  readonly code: string
  readonly message: string
  /** As in `Progress`. */
  readonly carrier_message?: string | null
}

export type Ended = Extract<Progress, { readonly _tag: "Ended" }>
export type RecordingReady = Extract<Progress, { readonly _tag: "RecordingReady" }>
