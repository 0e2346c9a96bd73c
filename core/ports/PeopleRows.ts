import type { Effect } from "effect"
import type { Recipient } from "../model/campaigns/Recipient.ts"

/** A call's place among those of a workspace that have a number: by its last four digits, then by age. */
export interface KeptCall {
  readonly last_digits: string
  readonly created_at: number
  readonly call_id: string
}

/** What is kept of a person, found by the phone number, across a workspace. */
export interface PeopleRows {
  /**
   * The ids of the next `limit` calls and messages to this number, of those greater than `after`. `next` is where to go
   * on; null: there are no more.
   */
  readonly calls: (
    workspace_id: string,
    phone_number: string,
    after: string,
    limit: number
  ) => Effect.Effect<{ readonly found: ReadonlyArray<string>; readonly next: string | null }>
  /**
   * Calls and messages that ended by `until` and were not erased, from behind `after`, in the order of their places. Those
   * that are over are found without reading those that are younger.
   */
  readonly keptCalls: (
    workspace_id: string,
    until: number,
    after: KeptCall | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptCall>>
  /** Those of this number in all campaigns. */
  readonly recipients: (workspace_id: string, phone_number: string) => Effect.Effect<ReadonlyArray<Recipient>>
  /** Takes number, name, variables, metadata and what else was supplied from a call. */
  readonly eraseCall: (workspace_id: string, call_id: string) => Effect.Effect<void>
  /** Takes number, variables, review and what was written from a recipient. */
  readonly eraseRecipient: (recipient: Recipient) => Effect.Effect<void>
  /**
   * Of the next `limit` webhook events with an id greater than `after`, replaces the bodies of those of these calls.
   * Answers where to go on; null: there are no more.
   */
  readonly eraseEvents: (
    workspace_id: string,
    call_ids: ReadonlySet<string>,
    after: string,
    limit: number
  ) => Effect.Effect<string | null>
}
