import { Context, type Effect } from "effect"
import type { ReviewPolicy } from "../model/agents/Talk.ts"
import type { Review } from "../model/conversations/Review.ts"
import type { TranscriptTurn } from "../model/conversations/Transcript.ts"
import type { ModelFailure, Usage } from "./ModelFailure.ts"

export interface ReviewRequest {
  /** The same for each try. */
  readonly session_id: string
  readonly agent: { readonly name: string; readonly prompt: string; readonly language: string }
  readonly policy: ReviewPolicy
  /** Oldest first. */
  readonly transcript: ReadonlyArray<TranscriptTurn>
}

/** Reads the transcript of a conversation that is over. */
export class CallReviewer extends Context.Tag("outdial/CallReviewer")<
  CallReviewer,
  {
    /** Answers are of their questions' types, and null where the transcript does not tell. */
    readonly review: (
      request: ReviewRequest
    ) => Effect.Effect<{ readonly review: Review; readonly usage: Usage }, ModelFailure>
  }
>() {}
