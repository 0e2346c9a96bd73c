import type { Effect, Option } from "effect"
import type { UsageCount } from "../model/workspaces/Usage.ts"

/** A kept count, with the beginning of its day. */
export interface KeptUsage extends UsageCount {
  readonly day: number
}

/** What a workspace has used, counted hour by hour. Counting reads what is there anyway: no attempt writes for it. */
export interface UsageRows {
  /** Counts the attempts begun and the credits charged from `from` (inclusive) until `until` (exclusive). */
  readonly count: (
    workspace_id: string,
    from: number,
    until: number
  ) => Effect.Effect<ReadonlyArray<UsageCount>>
  /** The earliest moment, at `from` or later, at which an attempt began or credits moved. */
  readonly next: (workspace_id: string, from: number) => Effect.Effect<Option.Option<number>>
  /** Keeps what was counted in the hour that begins at `at`. */
  readonly keep: (workspace_id: string, at: number, counts: ReadonlyArray<UsageCount>) => Effect.Effect<void>
  /** The hours that are kept, oldest first. */
  readonly hours: (workspace_id: string, from: number, until: number) => Effect.Effect<ReadonlyArray<number>>
  /** What is kept of these hours, summed by day, campaign and agent. */
  readonly kept: (
    workspace_id: string,
    from: number,
    until: number
  ) => Effect.Effect<ReadonlyArray<KeptUsage>>
}
