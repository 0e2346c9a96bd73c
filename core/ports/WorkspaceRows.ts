import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { SigningSecret } from "../model/webhooks/SigningSecret.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"

export interface WorkspaceRows {
  readonly insert: (workspace: Workspace) => Effect.Effect<void>
  /** The keys of metadata by whose values its calls are found; none of a workspace that does not exist. */
  readonly indexedKeys: (id: string) => Effect.Effect<ReadonlyArray<string>>
  readonly get: (workspace_id: string) => Effect.Effect<Option.Option<Workspace>>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Workspace>>
  readonly update: (workspace: Workspace) => Effect.Effect<void>
  /** What the workspace's tools are signed with; none as long as nothing was kept. */
  readonly toolSecret: (workspace_id: string) => Effect.Effect<Option.Option<SigningSecret>>
  /** Keeps it instead of what was kept. */
  readonly keepToolSecret: (workspace_id: string, secret: SigningSecret) => Effect.Effect<void>
  /**
   * The workspaces that have a call not yet done, a campaign due, a test run open, a hold, a delivery pending or a review due:
   * those whose loop has something to run or to wait for.
   */
  readonly withWork: Effect.Effect<ReadonlyArray<string>>
  /**
   * Follows a clock that was set back to `now`. What a clock that was ahead has stored (`updated_at` is later than `now`)
   * counts as stored now, and is due as long after it as before: calls, webhook deliveries and plays. Attempts under
   * way count as begun at `now` at the latest. Campaigns that dial, or clear what is left, are due now. Answers whether
   * anything was changed.
   */
  readonly setBack: (workspace_id: string, now: number) => Effect.Effect<boolean>
}
