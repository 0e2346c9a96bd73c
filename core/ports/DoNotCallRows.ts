import type { Effect } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"

export interface DoNotCallRequest extends PageRequest {
  /** A whole number: the list then has this one alone, or none. */
  readonly phone_number?: string | undefined
}

export interface DoNotCallRows {
  /** Answers how many were new. */
  readonly add: (workspace_id: string, numbers: ReadonlyArray<string>, at: number) => Effect.Effect<number>
  readonly contains: (workspace_id: string, number: string) => Effect.Effect<boolean>
  /** Those of the numbers that are on the list. */
  readonly among: (workspace_id: string, numbers: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  readonly remove: (workspace_id: string, number: string) => Effect.Effect<boolean>
  readonly list: (
    workspace_id: string,
    page: DoNotCallRequest
  ) => Effect.Effect<Page<{ readonly number: string; readonly created_at: number }>>
}
