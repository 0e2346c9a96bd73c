import type { Array as Arr, Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Recording } from "../model/recordings/Recording.ts"

/** A recording's place among those of all workspaces: by age, then by workspace and id. */
export type KeptRecording = Pick<Recording, "created_at" | "customer_id" | "id">

export interface RecordingRows {
  /**
   * Stores recordings of one workspace. Answers for each, in order: false when its session has one of that
   * `carrier_recording_id` already, be it one before it.
   */
  readonly insert: (
    ...recordings: Arr.NonEmptyReadonlyArray<Recording>
  ) => Effect.Effect<ReadonlyArray<boolean>>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Recording>>
  readonly ofSession: (
    workspace_id: string,
    session_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<Recording>>
  /** Makes the record one of status deleted, without a url; false when it is that already, or there is none. */
  readonly erase: (workspace_id: string, id: string) => Effect.Effect<boolean>
  /** Those of all workspaces of status completed that were made by `until`, oldest first, from behind `after`. */
  readonly kept: (
    until: number,
    after: KeptRecording | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recording>>
  /** The same of one workspace. */
  readonly keptOf: (
    workspace_id: string,
    until: number,
    after: KeptRecording | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recording>>
  /** The secret that links are signed with: `fresh` if there is none yet, for good. Of racers one's is taken. */
  readonly secret: (fresh: string) => Effect.Effect<string>
}
