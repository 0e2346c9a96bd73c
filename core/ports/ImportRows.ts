import type { Effect, Option } from "effect"
import type { CampaignImport, RowError } from "../model/campaigns/CampaignImport.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export type ImportKey = Pick<CampaignImport, "customer_id" | "campaign_id" | "id">

export interface ImportRows {
  /** `due_at` is by when its process renews it, or has died. */
  readonly insert: (campaignImport: CampaignImport, due_at: number) => Effect.Effect<void>
  /** Its process is alive. Does nothing once it is completed. */
  readonly renew: (campaignImport: ImportKey, due_at: number) => Effect.Effect<void>
  /** Those of all workspaces that are open and were to be renewed by now, the longest overdue first. */
  readonly overdue: (now: number, limit: number) => Effect.Effect<ReadonlyArray<ImportKey>>
  /** The same of one, as it stands in the caller's unit; none when it is completed or was renewed. */
  readonly getOverdue: (
    campaignImport: ImportKey,
    now: number
  ) => Effect.Effect<Option.Option<CampaignImport>>
  readonly get: (
    workspace_id: string,
    campaign_id: string,
    id: string
  ) => Effect.Effect<Option.Option<CampaignImport>>
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<CampaignImport>>
  /**
   * Stores status, counts, errors and `completed_at`; all else stays as it is. Answers whether it was open, by
   * `completed_at`: one that is completed stays as it is.
   */
  readonly update: (campaignImport: CampaignImport) => Effect.Effect<boolean>
  /** Adds refused rows in the order of the file, behind those that are there, as a slice that is read at once. */
  readonly addErrors: (campaignImport: ImportKey, errors: ReadonlyArray<RowError>) => Effect.Effect<void>
  /** The first slice of refused rows behind a row; empty when there is none. */
  readonly errorsAfter: (campaignImport: ImportKey, row: number) => Effect.Effect<ReadonlyArray<RowError>>
}
