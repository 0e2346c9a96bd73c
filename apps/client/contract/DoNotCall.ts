// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { FileInput, RequestOptions } from "../request/Options.ts"
import type { E164, ImportRowError, Pagination, Timestamp } from "./Shared.ts"

export interface DoNotCallPage {
  readonly data: ReadonlyArray<DoNotCallEntry>
  readonly pagination: Pagination
}

export interface DoNotCallEntry {
  readonly phone_number: string
  readonly created_at: Timestamp
}

export interface AddedDoNotCallEntries {
  /** Numbers that were not on the list. */
  readonly added: number
}

export interface NewDoNotCallEntries {
  readonly phone_numbers: ReadonlyArray<E164>
}

export interface RemovedDoNotCallEntry {
  readonly phone_number: string
  readonly deleted: true
}

export interface DoNotCallImport {
  readonly total_rows: number
  readonly accepted_rows: number
  readonly rejected_rows: number
  /** Numbers that were not on the list. */
  readonly added: number
  /** The first 10,000. */
  readonly errors: ReadonlyArray<ImportRowError>
}

export interface ListDoNotCallQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
}

export interface DoNotCall {
  /**
   * List the numbers not to call.
   * The workspace's own list, newest first, with full numbers.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /do-not-call`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListDoNotCallQuery, options?: RequestOptions) => Promise<DoNotCallPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListDoNotCallQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<DoNotCallEntry>

  /**
   * Put numbers on the do-not-call list.
   * Adds 1 to 1,000 numbers, all of them or none. They hold for imports and at each dial, of campaigns
   * and of single calls.
   *
   * Needs the scope `campaigns:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /do-not-call`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly add: (body: NewDoNotCallEntries, options?: RequestOptions) => Promise<AddedDoNotCallEntries>

  /**
   * Take a number off the do-not-call list.
   * It may be called again. Recipients that were skipped for it stay so.
   *
   * Needs the scope `campaigns:write`.
   *
   * An addition to the published interface.
   *
   * Source: `DELETE /do-not-call/{phone_number}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly remove: (phone_number: string, options?: RequestOptions) => Promise<RemovedDoNotCallEntry>

  /**
   * Import numbers into the do-not-call list.
   * Adds the numbers of a file's phone column, as the import of recipients reads it; other columns are
   * ignored. Rows without a good number are told in `errors` and left out.
   *
   * Needs the scope `campaigns:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /do-not-call/import`.
   *
   * @throws {OutdialError} 400: The body is no form with one part named `file`; or the file is not a
   * UTF-8 CSV or an `.xlsx` spreadsheet, or has no header or no phone column
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly import: (file: FileInput, options?: RequestOptions) => Promise<DoNotCallImport>
}
