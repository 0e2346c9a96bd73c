import type { ErrorCode, ValidationError } from "./contract/Shared.ts"

/**
 * What an error is told apart by: the code of an error body, or
 * - `network_error`: no whole answer came, and whether the request was acted on is not known
 * - `timeout`: the same, after `timeoutMs`
 * - `invalid_answer`: an answer came that is not the interface's, from a wrong address or a proxy for instance
 */
export type OutdialErrorCode = ErrorCode | "network_error" | "timeout" | "invalid_answer"

export interface OutdialErrorFields {
  readonly status?: number | undefined
  readonly code: OutdialErrorCode
  readonly message: string
  readonly details?: unknown
  readonly detail?: ValidationError["detail"] | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly cause?: unknown
}

/** Why an operation failed. Neither its message nor its fields hold the credential or what was sent. */
export class OutdialError extends Error {
  /** Of the answer; null when none came. */
  readonly status: number | null
  readonly code: OutdialErrorCode
  /** What a program may act on, such as `call_id` of a 409, if the error has any. */
  readonly details: unknown
  /** Each rule that is broken, for a 422. */
  readonly detail: ValidationError["detail"] | null
  /** `X-Request-Id`, by which the server's operator finds the request. */
  readonly requestId: string | null
  /** Seconds after which the request may be sent again, if the server said. */
  readonly retryAfter: number | null

  constructor(fields: OutdialErrorFields) {
    super(fields.message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = "OutdialError"
    this.status = fields.status ?? null
    this.code = fields.code
    this.details = fields.details
    this.detail = fields.detail ?? null
    this.requestId = fields.requestId ?? null
    this.retryAfter = fields.retryAfter ?? null
  }
}

/** For answers that have no error body, from proxies mostly. */
const codes: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  402: "insufficient_credits",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "too_many_requests",
  502: "bad_gateway",
  503: "service_unavailable",
  504: "gateway_timeout"
}

const codeOf = (status: number): ErrorCode =>
  codes[status] ?? (status >= 500 ? "internal_error" : "invalid_request")

/** Seconds from now; source: RFC 9110, `Retry-After`: seconds, or a date. */
export const retryAfterOf = (value: string | null, now: number): number | undefined => {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value)
  const at = value.endsWith(" GMT") ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1_000))
}

interface ErrorBody extends Partial<ValidationError> {
  readonly error?: { readonly code?: ErrorCode; readonly message?: string; readonly details?: unknown }
}

const bodyOf = (text: string): ErrorBody => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === "object" && body !== null ? body : {}
  } catch {
    return {}
  }
}

/** The error that an answer with a status of 400 and more tells. */
export const errorOf = ({ headers, status }: Response, text: string): OutdialError => {
  const { detail, error = {} } = bodyOf(text)
  const told = Array.isArray(detail) ? detail : undefined
  return new OutdialError({
    status,
    code: error.code ?? codeOf(status),
    message: error.message ?? told?.map(({ msg }) => msg).join("; ") ?? `the server answered ${status}`,
    details: error.details,
    detail: told,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfter: retryAfterOf(headers.get("retry-after"), Date.now())
  })
}
