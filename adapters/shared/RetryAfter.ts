export interface RetryAfterOptions {
  /** The longest wait that is answered, in milliseconds. */
  readonly most: number
  /** Takes parts of seconds too, which the standard does not know and some providers send. */
  readonly fractions?: boolean | undefined
}

/**
 * What a Retry-After header asks for (RFC 9110, 10.2.3: seconds or an HTTP date), in milliseconds from `now`
 * (epoch milliseconds); null when there is none or it cannot be read.
 */
export const retryAfter = (
  header: string | undefined,
  now: number,
  { fractions = false, most }: RetryAfterOptions
): number | null => {
  const value = header?.trim() ?? ""
  if ((fractions ? /^\d+(?:\.\d+)?$/ : /^\d+$/).test(value)) return Math.min(Number(value) * 1_000, most)
  const at = /^[A-Z][a-z]+, .* GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : Math.min(Math.max(at - now, 0), most)
}
