import type { Array as Arr, Effect, Option } from "effect"
import type { Call, CallStatus, Outcome } from "../model/calls/Call.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export interface CallFilter {
  /** One, or any of several. */
  readonly status?: CallStatus | ReadonlyArray<CallStatus> | undefined
  readonly outcome?: Outcome | undefined
  readonly agent_id?: string | undefined
  readonly campaign_id?: string | undefined
  readonly from_phone_number_id?: string | undefined
  /** A whole number, which begins with a plus, or the last digits of one, at least four. */
  readonly to_number?: string | undefined
  readonly idempotency_key?: string | undefined
  /** A session of any of its attempts. */
  readonly session_id?: string | undefined
  /** Values by which calls are found, by their keys: see `index`. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
  /** A value that any of several keys may have. */
  readonly any_metadata?: { readonly keys: ReadonlyArray<string>; readonly value: string } | undefined
  /** Inclusive, epoch milliseconds. */
  readonly created_after?: number | undefined
  /** Exclusive, epoch milliseconds. */
  readonly created_before?: number | undefined
}

export interface CallRows {
  /** None once stored; the id of the call that has the idempotency key already, and nothing is stored. */
  readonly insert: (call: Call) => Effect.Effect<Option.Option<string>>
  /**
   * Stores calls of one workspace, but for those whose idempotency key another call has, the first of two with one key
   * among them. Answers by its key the id of a call that has it, for each such key.
   */
  readonly insertMany: (calls: ReadonlyArray<Call>) => Effect.Effect<ReadonlyMap<string, string>>
  /** How many of these calls stand so; of a status that none has there is no entry. */
  readonly countByStatus: (
    workspace_id: string,
    call_ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<CallStatus, number>>
  /** Lets a call that is being stored be found by these values of its metadata. */
  readonly index: (
    call: Call,
    values: ReadonlyArray<readonly [name: string, value: string]>
  ) => Effect.Effect<void>
  readonly get: (workspace_id: string, call_id: string) => Effect.Effect<Option.Option<Call>>
  /** Answers the calls that exist, in any order. */
  readonly many: (workspace_id: string, call_ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Call>>
  readonly byKey: (workspace_id: string, idempotency_key: string) => Effect.Effect<Option.Option<string>>
  readonly list: (workspace_id: string, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<Call>>
  /**
   * Stores calls of one workspace, each of them if its stored version is `call.version - 1`; false when that of one is
   * not, which stays as it is. What was supplied on creation (numbers, agent, JSON but for `call_config`, key,
   * campaign, price, `created_at`) stays as it is.
   */
  readonly update: (...calls: Arr.NonEmptyReadonlyArray<Call>) => Effect.Effect<boolean>
  /** Calls of phase waiting of a campaign, or of none, with `due_at <= now`, earliest first. */
  readonly dialable: (
    workspace_id: string,
    campaign_id: string | null,
    now: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Call>>
  /** Calls of phase live, and calls of phase done, with `due_at <= now`, earliest first. */
  readonly overdue: (workspace_id: string, now: number, limit: number) => Effect.Effect<ReadonlyArray<Call>>
  /** Calls of phase live with an id greater than `after`, by id: what a new owner has to look up. */
  readonly live: (workspace_id: string, after: string, limit: number) => Effect.Effect<ReadonlyArray<Call>>
  /** How many calls, messages not counted, are live. */
  readonly countLive: (workspace_id: string) => Effect.Effect<number>
  /** The earliest `due_at` of the waiting calls of a campaign, or of none. */
  readonly nextWaiting: (
    workspace_id: string,
    campaign_id: string | null
  ) => Effect.Effect<Option.Option<number>>
  /** The earliest `due_at` of the live calls, and of those that are done. */
  readonly nextOverdue: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}
