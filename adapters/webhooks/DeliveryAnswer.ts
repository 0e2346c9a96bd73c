import type { DeliveryResult } from "../../core/ports/WebhookSink.ts"
import { retryAfter } from "../shared/RetryAfter.ts"

/** What a receiver answered to a delivery. */
export interface DeliveryAnswer {
  readonly status: number
  /** The Retry-After header. */
  readonly retryAfter: string | undefined
  readonly body?: Uint8Array | undefined
}

const mostWait = 24 * 60 * 60 * 1_000

/** Any 2xx acknowledges, 410 disables the endpoint; 429 and 503 may say when to try again. */
export const resultOf = (answer: DeliveryAnswer, now: number): DeliveryResult => {
  const { status } = answer
  const answered =
    answer.body === undefined || answer.body.length === 0
      ? {}
      : { body: new TextDecoder().decode(answer.body) }
  if (status >= 200 && status < 300) return { _tag: "Acknowledged", status, ...answered }
  if (status === 410) return { _tag: "Gone", status, ...answered }
  const mayAsk = status === 429 || status === 503
  return {
    _tag: "Failed",
    status,
    ...answered,
    error: `http ${status}`,
    retry_after: mayAsk ? retryAfter(answer.retryAfter, now, { most: mostWait }) : null
  }
}
