import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"

export const ImportStatus = Schema.Literal("processing", "completed", "completed_with_errors", "failed")
export type ImportStatus = typeof ImportStatus.Type

export const RowError = Schema.Struct({
  row: Schema.Int.annotations({ description: "As the spreadsheet counts; the header is row 1" }),
  error: Schema.String,
  value: Schema.String.annotations({ description: "The offending cell" })
}).annotations({ identifier: "ImportRowError" })
export type RowError = typeof RowError.Type

/** Source: contract, "Campaign import record". */
export const ImportRecord = Schema.Struct({
  id: Schema.String,
  campaign_id: Schema.String,
  filename: Schema.String,
  source_uri: Schema.NullOr(Schema.String),
  status: ImportStatus,
  total_rows: Schema.Int,
  accepted_rows: Schema.Int,
  rejected_rows: Schema.Int,
  errors: Schema.Array(RowError),
  metadata: Schema.Struct({ content_type: Schema.String }),
  created_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp)
}).annotations({ identifier: "CampaignImport" })

/** What `import_completed` brings: the record without its errors, which may be many. */
export const ImportSummary = ImportRecord.omit("errors").annotations({ identifier: "CampaignImportSummary" })
export type ImportSummary = typeof ImportSummary.Type

/** One uploaded file and what became of its rows. */
export interface CampaignImport extends Schema.Schema.Type<typeof ImportRecord> {
  readonly customer_id: string
}

/** Errors that the record lists whenever it is read. All of them are stored beside it. */
export const keptErrors = 1_000

/** Errors that the answer to an upload lists. */
export const answeredErrors = 10_000
