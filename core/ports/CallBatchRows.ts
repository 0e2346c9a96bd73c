import type { Effect, Option } from "effect"
import type { BatchItem, CallBatch } from "../model/calls/CallBatch.ts"

export interface CallBatchRows {
  /** None once stored; the batch that has the idempotency key already, and nothing is stored. */
  readonly insert: (batch: CallBatch) => Effect.Effect<Option.Option<CallBatch>>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<CallBatch>>
  /** Keeps what became of a part of the batch's calls, which are counted from 0. */
  readonly addPart: (
    workspace_id: string,
    id: string,
    part: number,
    items: ReadonlyArray<BatchItem>
  ) => Effect.Effect<void>
  readonly part: (
    workspace_id: string,
    id: string,
    part: number
  ) => Effect.Effect<Option.Option<ReadonlyArray<BatchItem>>>
  /** What is kept of all parts, in order. */
  readonly items: (workspace_id: string, id: string) => Effect.Effect<ReadonlyArray<BatchItem>>
  /** Notes when the batch was cancelled, unless that is noted. */
  readonly cancel: (workspace_id: string, id: string, at: number) => Effect.Effect<void>
}
