import type { Effect, Option } from "effect"
import type { Session } from "../model/conversations/Session.ts"

/** A slice of a conversation's journal: all events between two writes, as text. */
export interface Slice {
  /** From 1. */
  readonly number: number
  readonly body: string
}

/** What has reached a conversation beside its line. */
export interface InboxEntry {
  readonly id: string
  readonly body: string
}

/** A conversation's place among those of all workspaces: by the time of its end, then by workspace and id. */
export interface KeptSession {
  readonly ended_at: number
  readonly customer_id: string
  readonly session_id: string
}

export interface SessionRows {
  /** False when the session is there already. */
  readonly insert: (session: Session) => Effect.Effect<boolean>
  readonly get: (workspace_id: string, session_id: string) => Effect.Effect<Option.Option<Session>>
  /**
   * Stores the session if the stored version is `session.version - 1`; false, and nothing happens, if it is not.
   * `credits` stays as it is.
   */
  readonly update: (session: Session) => Effect.Effect<boolean>
  /** Has a session that is not over looked at by `at`, if it was later. Its version stays as it is. */
  readonly lookAt: (workspace_id: string, session_id: string, at: number) => Effect.Effect<void>
  /** Adds to what the session has cost. Its version stays as it is. */
  readonly charge: (workspace_id: string, session_id: string, amount: number) => Effect.Effect<void>
  /** Adds a slice to the journal. False when there is one of that number: another process holds the conversation. */
  readonly append: (workspace_id: string, session_id: string, slice: Slice) => Effect.Effect<boolean>
  /** The slices behind `after`, in their order. */
  readonly slices: (
    workspace_id: string,
    session_id: string,
    after: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Slice>>
  readonly post: (workspace_id: string, session_id: string, entry: InboxEntry) => Effect.Effect<void>
  /** What was posted behind the entry of that id, oldest first. */
  readonly posted: (
    workspace_id: string,
    session_id: string,
    after: string
  ) => Effect.Effect<ReadonlyArray<InboxEntry>>
  /** Those with `review_due_at <= now`, earliest first. */
  readonly reviewable: (
    workspace_id: string,
    now: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Session>>
  /** The earliest `review_due_at`. */
  readonly nextReview: (workspace_id: string) => Effect.Effect<Option.Option<number>>
  /**
   * Removes the journal and the inbox of a session, and what was learnt from it; the rest of the record stays, as one
   * that is not reviewed. Its version grows, so that a review under way is not stored any more.
   */
  readonly erase: (workspace_id: string, session_id: string) => Effect.Effect<void>
  /** Those of all workspaces that ended by `until` and were not erased, oldest first, from behind `after`. */
  readonly kept: (
    until: number,
    after: KeptSession | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptSession>>
  /** The same of one workspace. */
  readonly keptOf: (
    workspace_id: string,
    until: number,
    after: KeptSession | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptSession>>
}
