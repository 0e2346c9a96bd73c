import type { DeliveryResult } from "../../core/ports/WebhookSink.ts"
import { retryAfter } from "../shared/RetryAfter.ts"

/** What a receiver answered to a delivery. */
export interface DeliveryAnswer {
  readonly status: number
  /** The Retry-After header. */
  readonly retryAfter: string | undefined
}

const mostWait = 24 * 60 * 60 * 1_000

/** Any 2xx acknowledges, 410 disables the endpoint; 429 and 503 may say when to try again. */
export const resultOf = (answer: DeliveryAnswer, now: number): DeliveryResult => {
  const { status } = answer
  if (status >= 200 && status < 300) return { _tag: "Acknowledged", status }
  if (status === 410) return { _tag: "Gone", status }
  const mayAsk = status === 429 || status === 503
  return {
    _tag: "Failed",
    status,
    error: `http ${status}`,
    retry_after: mayAsk ? retryAfter(answer.retryAfter, now, { most: mostWait }) : null
  }
}
