import type { Effect } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"

export interface DoNotCallRequest extends PageRequest {
  /** A whole number: the list then has this one alone, or none. */
  readonly phone_number?: string | undefined
}

/** Numbers not to call. That of a person who was erased stands there as a keyed hash, and is found by the number too. */
export interface DoNotCallRows {
  /** Answers how many were new. */
  readonly add: (workspace_id: string, numbers: ReadonlyArray<string>, at: number) => Effect.Effect<number>
  readonly contains: (workspace_id: string, number: string) => Effect.Effect<boolean>
  /** Those of the numbers that are on the list. */
  readonly among: (workspace_id: string, numbers: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  readonly remove: (workspace_id: string, number: string) => Effect.Effect<boolean>
  /**
   * Puts a keyed hash in the place of a number that is on the list. `fresh` is the workspace's key if it has none yet, for
   * good.
   */
  readonly erase: (workspace_id: string, number: string, fresh: string) => Effect.Effect<void>
  readonly list: (
    workspace_id: string,
    page: DoNotCallRequest
  ) => Effect.Effect<Page<{ readonly number: string; readonly created_at: number }>>
}
