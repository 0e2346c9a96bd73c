import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { ApiKey } from "../model/workspaces/Workspace.ts"

export interface ApiKeyRows {
  readonly insert: (key: ApiKey) => Effect.Effect<void>
  /** By the id inside the key alone: the workspace is what it tells. */
  readonly get: (key_id: string) => Effect.Effect<Option.Option<ApiKey>>
  readonly find: (workspace_id: string, key_id: string) => Effect.Effect<Option.Option<ApiKey>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /** Stores name and `expires_at`; all else stays as it is. */
  readonly update: (key: ApiKey) => Effect.Effect<void>
  /** Notes that the key was used, unless a later use is noted. */
  readonly used: (workspace_id: string, key_id: string, at: number) => Effect.Effect<void>
  /** False when there is no such key, or it is revoked already. */
  readonly revoke: (workspace_id: string, key_id: string, at: number) => Effect.Effect<boolean>
}
