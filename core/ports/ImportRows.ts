import type { Effect, Option } from "effect"
import type { CampaignImport, RowError } from "../model/campaigns/CampaignImport.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export type ImportKey = Pick<CampaignImport, "customer_id" | "campaign_id" | "id">

export interface ImportRows {
  readonly insert: (campaignImport: CampaignImport) => Effect.Effect<void>
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
  /** Stores status, counts, errors and `completed_at`; all else stays as it is. */
  readonly update: (campaignImport: CampaignImport) => Effect.Effect<void>
  /** Adds refused rows in the order of the file, behind those that are there, as a slice that is read at once. */
  readonly addErrors: (campaignImport: ImportKey, errors: ReadonlyArray<RowError>) => Effect.Effect<void>
  /** The first slice of refused rows behind a row; empty when there is none. */
  readonly errorsAfter: (campaignImport: ImportKey, row: number) => Effect.Effect<ReadonlyArray<RowError>>
}
