import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Webhook } from "../model/webhooks/Webhook.ts"

export interface WebhookRows {
  readonly insert: (webhook: Webhook) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Webhook>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<Webhook>>
  readonly active: (workspace_id: string) => Effect.Effect<ReadonlyArray<Webhook>>
  readonly update: (webhook: Webhook) => Effect.Effect<void>
  /** Removes it with its deliveries; false when there is none. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
}
