// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { FileInput, RequestOptions } from "../request/Options.ts"
import type { E164, ImportRowError, Pagination, Timestamp } from "./Shared.ts"

export interface RecipientPage {
  readonly data: ReadonlyArray<Recipient>
  readonly pagination: Pagination
}

export interface Recipient {
  readonly id: string
  readonly campaign_id: string
  readonly phone_number_masked: string
  readonly status:
    | "pending"
    | "in_progress"
    | "retry_scheduled"
    | "completed"
    | "failed"
    | "skipped"
    | "cancelled"
  /** The zone that the calling window is moved to, when the recipient has one of its own. */
  readonly timezone: string | null
  readonly variables: Readonly<Record<string, unknown>>
  readonly msg_context: Readonly<Record<string, unknown>>
  /** Empty until the recipient was tried; then the outcome, its reason and the call. */
  readonly outcome: Readonly<Record<string, unknown>>
  readonly answers: Readonly<Record<string, unknown>>
  readonly qualification_status: string | null
  readonly sentiment: string | null
  readonly next_action_at: Timestamp | null
  readonly last_customer_message_at: Timestamp | null
  readonly service_window_expires_at: Timestamp | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface AddedRecipients {
  readonly recipients: ReadonlyArray<Recipient>
}

export interface AddRecipients {
  readonly recipients: ReadonlyArray<NewRecipient>
}

export interface NewRecipient {
  readonly phone_number: E164
  /** Values for the prompt's placeholders; at most 64 keys and 30,000 bytes of JSON. */
  readonly variables?: Readonly<Record<string, string | number | boolean | null>> | undefined
  /** Moves the calling window to this zone. */
  readonly timezone?: string | null | undefined
}

export interface ImportedRecipients {
  readonly recipients: ReadonlyArray<Recipient>
  readonly import: CampaignImport
}

export interface CampaignImport {
  readonly id: string
  readonly campaign_id: string
  readonly filename: string
  readonly source_uri: string | null
  readonly status: "processing" | "completed" | "completed_with_errors" | "failed"
  readonly total_rows: number
  readonly accepted_rows: number
  readonly rejected_rows: number
  readonly errors: ReadonlyArray<ImportRowError>
  readonly metadata: {
    readonly content_type: string
  }
  readonly created_at: Timestamp
  readonly completed_at: Timestamp | null
  /** The path of all refused rows as CSV, on this server. Null when there are none. */
  readonly errors_url: string | null
}

export interface ImportPage {
  readonly data: ReadonlyArray<CampaignImport>
  readonly pagination: Pagination
}

export interface ListRecipientsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only recipients of this status. */
  readonly status?:
    | "pending"
    | "in_progress"
    | "retry_scheduled"
    | "completed"
    | "failed"
    | "skipped"
    | "cancelled"
    | undefined
}

export interface ListImportsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
}

export interface Recipients {
  /**
   * List a campaign's recipients.
   * Newest first, with masked numbers.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}/recipients`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (
    campaign_id: string,
    query?: ListRecipientsQuery,
    options?: RequestOptions
  ) => Promise<RecipientPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    campaign_id: string,
    query?: Omit<ListRecipientsQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Recipient>

  /**
   * Add recipients.
   * Adds 1 to 1,000 recipients, all of them or none: unlike an import it refuses what breaks a rule. The
   * body may have 5 MB. Numbers on the do-not-call list come in as `skipped`.
   *
   * Needs the scope `campaigns:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /campaigns/{campaign_id}/recipients`.
   *
   * @throws {OutdialError} 400: A property breaks its rule, a number is given twice, or the campaign is
   * completed or cancelled
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 409: The campaign has a recipient of the number already: `details` has the
   * `index` in the request and the `recipient_id`
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly add: (
    campaign_id: string,
    body: AddRecipients,
    options?: RequestOptions
  ) => Promise<AddedRecipients>

  /**
   * Import recipients.
   * Adds the recipients of a file of at most 5 MB: CSV in UTF-8, or `.xlsx`. Its first row is the
   * header; one column is named `phone_number`, `phone`, `mobile` or `number`, every other one becomes a
   * variable (a column `timezone` the recipient's zone too). Good rows are added. The others are left
   * out, those that repeat a number too: `import.errors` lists the first 10,000 of them,
   * `import.errors_url` has all. The answer is sent while rows are added: one that breaks off has added
   * what it tells, and the same file can be sent again. One file of a workspace is read at a time,
   * others wait for up to half a minute.
   *
   * Needs the scope `campaigns:write`.
   *
   * Source: `POST /campaigns/{campaign_id}/recipients/import`.
   *
   * @throws {OutdialError} 400: The body is no form with one part named `file`; the file is not a UTF-8
   * CSV or an `.xlsx` spreadsheet, or has no header or no phone column; or the campaign is completed or
   * cancelled
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly import: (
    campaign_id: string,
    file: FileInput,
    options?: RequestOptions
  ) => Promise<ImportedRecipients>

  /**
   * List a campaign's imports.
   * Newest first, with the first thousand errors of each. `errors_url` has all of them.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}/imports`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly imports: (
    campaign_id: string,
    query?: ListImportsQuery,
    options?: RequestOptions
  ) => Promise<ImportPage>
  /**
   * Every record of `imports`, page by page of `limit`, which is 100 by default. Each comes once, also
   * when records are added or removed meanwhile.
   */
  readonly allImports: (
    campaign_id: string,
    query?: Omit<ListImportsQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<CampaignImport>

  /**
   * Read an import.
   * `processing` while it adds rows; `failed` when it was broken off.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}/imports/{import_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly getImport: (
    campaign_id: string,
    import_id: string,
    options?: RequestOptions
  ) => Promise<CampaignImport>

  /**
   * Export the refused rows of an import.
   * Every refused row in the order of the file, as CSV in UTF-8: its number, the error, and the
   * offending cell. A cell that a spreadsheet would run as a formula begins with an apostrophe.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}/imports/{import_id}/errors.csv`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly importErrors: (campaign_id: string, import_id: string, options?: RequestOptions) => Promise<string>
  /** `importErrors` as it arrives, in bytes; its deadline ends with the answer's head. */
  readonly importErrorsStream: (
    campaign_id: string,
    import_id: string,
    options?: RequestOptions
  ) => Promise<NonNullable<Response["body"]>>

  /**
   * Export what came of a campaign.
   * Every recipient, oldest first, as CSV in UTF-8: its status, how its last call came out and why, and
   * one column for each variable. A cell that a spreadsheet would run as a formula begins with an
   * apostrophe.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /campaigns/{campaign_id}/results.csv`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly results: (campaign_id: string, options?: RequestOptions) => Promise<string>
  /** `results` as it arrives, in bytes; its deadline ends with the answer's head. */
  readonly resultsStream: (
    campaign_id: string,
    options?: RequestOptions
  ) => Promise<NonNullable<Response["body"]>>
}
