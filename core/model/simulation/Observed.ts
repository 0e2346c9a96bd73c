import type { Outcome } from "../calls/Call.ts"
import type { RawJson } from "../json/RawJson.ts"

/** Calls of which all of this is the same, counted. Times are epoch milliseconds. */
export interface ObservedAttempts {
  readonly campaign_id: string | null
  /** The recipient's own; null: none. */
  readonly timezone: string | null
  /** Of a single call, whose window may tell where the callee is. */
  readonly call_config: RawJson | null
  /** The beginning of the quarter of an hour (`grain`) in which they began. */
  readonly at: number
  readonly is_retry: boolean
  /** Null: under way. */
  readonly outcome: Outcome | null
  /** Whether they failed so that no retry can mend it. */
  readonly is_final: boolean
  /** When one that is under way began, and when it was answered. */
  readonly started_at: number | null
  readonly answered_at: number | null
  readonly count: number
  /** Milliseconds of these calls before the talk, or, without a talk, until their end. */
  readonly rang: number
}

/** Talks that lasted as many seconds, counted. `is_cut`: they ended because no call may last longer. */
export interface ObservedTalks {
  readonly outcome: "answered" | "voicemail"
  readonly seconds: number
  readonly is_cut: boolean
  readonly count: number
}

/** What is known of the calls of a campaign, or of a workspace. */
export interface Observed {
  readonly attempts: ReadonlyArray<ObservedAttempts>
  readonly talks: ReadonlyArray<ObservedTalks>
}

/** Outcomes that say nothing of the callee. */
export const untold: ReadonlyArray<Outcome> = ["cancelled", "sent", "delivered"]
/** Reasons for which a failed call is not tried again, and which the carrier alone can tell. */
export const finalReasons: ReadonlyArray<string> = ["invalid_number", "in_doubt"]
