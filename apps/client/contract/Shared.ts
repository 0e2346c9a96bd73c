// Written by apps/client/generator/main.ts from adapters/http/contract.

export interface CampaignStats {
  readonly total: number
  readonly pending: number
  readonly in_progress: number
  readonly retry_scheduled: number
  readonly completed: number
  readonly failed: number
  readonly skipped: number
  readonly attempts: number
  readonly answered: number
}

export interface Deleted {
  readonly id: string
  readonly deleted: true
}

/** A phone number in E.164 form. */
export type E164 = string

export interface ImportRowError {
  /** As the spreadsheet counts; the header is row 1. */
  readonly row: number
  readonly error: string
  /** The offending cell. */
  readonly value: string
}

export interface Pagination {
  readonly limit: number
  readonly offset: number
  /** How many records the filter lets through in all. */
  readonly total: number
}

/** A moment: ISO 8601 in UTC. */
export type Timestamp = string

/** The request breaks rules: each with the field that does. */
export interface ValidationError {
  readonly detail: ReadonlyArray<{
    /** Where it is: `body`, `path` or `query`, then the properties. */
    readonly loc: ReadonlyArray<string>
    /** Says which field and rule, in words. */
    readonly msg: string
    readonly type: "json_invalid" | "missing" | "extra_forbidden" | "value_error"
    /** What was sent, if it is short, no object or list, and cannot be personal; else null. */
    readonly input: unknown
    readonly ctx: Readonly<Record<string, unknown>>
  }>
}

/** The codes of error bodies. */
export type ErrorCode =
  | "bad_gateway"
  | "conflict"
  | "forbidden"
  | "gateway_timeout"
  | "insufficient_credits"
  | "internal_error"
  | "invalid_request"
  | "not_found"
  | "service_unavailable"
  | "too_many_requests"
  | "unauthorized"
