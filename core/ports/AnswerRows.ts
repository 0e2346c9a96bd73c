import type { Effect, Option } from "effect"

/** A request that came with an idempotency key, and what it was answered. */
export interface KeyedRequest {
  readonly customer_id: string
  readonly key: string
  /** Of the request: its method, path and body. */
  readonly digest: string
  readonly created_at: number
  /** Null while it is under way, and when its process has died; `carriedOut` from its commit until it is answered. */
  readonly status: number | null
  /** Null when it is not kept. */
  readonly body: string | null
}

/** The status of a request that was carried out and not answered yet. */
export const carriedOut = 0

export interface AnswerRows {
  /**
   * Notes a request as under way: none once that is stored. If the key was used after `expired`, or after `abandoned` by a
   * request that is under way, the request that has it, and nothing is stored.
   */
  readonly begin: (
    request: KeyedRequest,
    expired: number,
    abandoned: number
  ) => Effect.Effect<Option.Option<KeyedRequest>>
  /** Notes that the request that began at a moment is carried out; false when another has its key since. */
  readonly carryOut: (workspace_id: string, key: string, created_at: number) => Effect.Effect<boolean>
  readonly finish: (
    workspace_id: string,
    key: string,
    status: number,
    body: string | null
  ) => Effect.Effect<void>
  /** Forgets the key of a request, unless it is carried out. */
  readonly release: (workspace_id: string, key: string) => Effect.Effect<void>
  /** Removes what was noted by `until`. */
  readonly forget: (workspace_id: string, until: number) => Effect.Effect<void>
}
