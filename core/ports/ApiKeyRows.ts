import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { ApiKey } from "../model/workspaces/Workspace.ts"

export interface ApiKeyRows {
  readonly insert: (key: ApiKey) => Effect.Effect<void>
  /** By the id inside the key alone: the workspace is what it tells. */
  readonly get: (key_id: string) => Effect.Effect<Option.Option<ApiKey>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /** False when there is no such key, or it is revoked already. */
  readonly revoke: (workspace_id: string, key_id: string, at: number) => Effect.Effect<boolean>
}
