import type { Effect, Option } from "effect"

/** A request that came with an idempotency key, and what it was answered. */
export interface KeyedRequest {
  readonly customer_id: string
  readonly key: string
  /** Of the request: its method, path and body. */
  readonly digest: string
  readonly created_at: number
  /** Null while it is under way, and when its process has died. */
  readonly status: number | null
  /** Null when it is not kept. */
  readonly body: string | null
}

export interface AnswerRows {
  /**
   * Notes a request as under way: none once that is stored. If the key was used after `expired`, the request that has it,
   * and nothing is stored.
   */
  readonly begin: (request: KeyedRequest, expired: number) => Effect.Effect<Option.Option<KeyedRequest>>
  readonly finish: (
    workspace_id: string,
    key: string,
    status: number,
    body: string | null
  ) => Effect.Effect<void>
  /** Forgets the key of a request that has done nothing. */
  readonly release: (workspace_id: string, key: string) => Effect.Effect<void>
  /** Removes what was noted by `until`. */
  readonly forget: (workspace_id: string, until: number) => Effect.Effect<void>
}
