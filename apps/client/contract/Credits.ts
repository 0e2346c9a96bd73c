// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Pagination, Timestamp } from "./Shared.ts"

export interface Balance {
  readonly customer_id: string
  /** Whole credits; holds are taken off already. */
  readonly balance: number
}

export interface LedgerPage {
  readonly data: ReadonlyArray<LedgerEntry>
  readonly pagination: Pagination
}

export interface LedgerEntry {
  readonly id: string
  readonly customer_id: string
  readonly kind: "top_up" | "hold" | "settle" | "release" | "generation" | "test"
  readonly amount: number
  readonly reference: string | null
  readonly created_at: Timestamp
}

export interface ListLedgerQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only movements for this call, suite or run. */
  readonly reference?: string | undefined
}

export interface Credits {
  /**
   * Read the balance.
   * The workspace's credits. There is no scope of their own for credits.
   *
   * Needs the scope `sessions:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /credits`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly balance: (options?: RequestOptions) => Promise<Balance>

  /**
   * List the ledger.
   * The movements whose sum is the balance, newest first: top-ups, holds when calls are placed, what
   * attempts cost, and releases. There is no scope of their own for credits.
   *
   * Needs the scope `sessions:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /credits/ledger`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly ledger: (query?: ListLedgerQuery, options?: RequestOptions) => Promise<LedgerPage>
  /**
   * Every record of `ledger`, page by page of `limit`, which is 100 by default. Each comes once, also
   * when records are added or removed meanwhile.
   */
  readonly allLedger: (
    query?: Omit<ListLedgerQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<LedgerEntry>
}
