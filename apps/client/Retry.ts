import type { OutdialError } from "./OutdialError.ts"
import type { RetryOptions } from "./request/Options.ts"

/** Of Node and Bun: no connection was made, so that nothing was sent. */
const notConnected = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
  "FailedToOpenSocket"
]

/** Deno gives no codes. */
const notConnectedText = /connection refused|dns error/i

interface Cause {
  readonly code?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly errors?: ReadonlyArray<unknown>
}

/** Whether what `fetch` failed of says that nothing was sent. Browsers do not tell. */
const isUnsent = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false
  const { cause, code, errors, message } = error as Cause
  if (errors !== undefined && errors.length > 0) return errors.every(isUnsent)
  return notConnected.includes(String(code)) || notConnectedText.test(String(message)) || isUnsent(cause)
}

/**
 * What a failed try leaves behind:
 * - `untouched`: the server did not act, so that anything may be sent again
 * - `unknown`: it may have acted, so that only what does no harm twice may. A 503 is of this kind: the server
 *   answers it too when its store is lost while a transaction is being committed
 * - `final`: an answer that another try would not change
 */
export const aftermathOf = ({ cause, code, status }: OutdialError): "untouched" | "unknown" | "final" => {
  if (status === 429) return "untouched"
  if (code === "network_error") return isUnsent(cause) ? "untouched" : "unknown"
  return code === "timeout" || status === 502 || status === 503 || status === 504 ? "unknown" : "final"
}

/**
 * Milliseconds until the next try: what `Retry-After` asks for and a little, else half of a doubling delay and up
 * to as much again; null when the server asks for too long.
 *
 * @param failures so far, 1 and more
 * @param chance from 0 to 1
 */
export const delayOf = (
  failures: number,
  retryAfter: number | null,
  { maxDelayMs = 8_000, maxRetryAfterMs = 60_000, minDelayMs = 500 }: RetryOptions,
  chance: number
): number | null => {
  const delay = Math.min(maxDelayMs, minDelayMs * 2 ** (failures - 1))
  const spread = (delay / 2) * chance
  if (retryAfter === null) return delay / 2 + spread
  return retryAfter * 1_000 > maxRetryAfterMs ? null : retryAfter * 1_000 + spread
}

/** The longest that a timer of any runtime may have, some 24 days. */
export const longestMs = 2 ** 31 - 1

/** Waits; rejected with the signal's reason when that is aborted. */
export const sleep = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", end)
        resolve()
      },
      Math.min(millis, longestMs)
    )
    if (signal?.aborted === true) return end()
    signal?.addEventListener("abort", end, { once: true })
  })
