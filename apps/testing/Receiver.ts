import { Effect } from "effect"
import { deliveryHeaders } from "../../adapters/shared/Signature.ts"
import { type DeliveryAnswer, resultOf } from "../../adapters/webhooks/DeliveryAnswer.ts"
import { isoTimestamp } from "../../core/model/Codecs.ts"
import type { DeliveryResult, WebhookMessage } from "../../core/ports/WebhookSink.ts"
import type { WebhookEvent } from "../client/main.ts"
import type { Outside } from "./Outside.ts"
import type { SteppedTime } from "./SteppedTime.ts"

/** A webhook event's try, as it was sent, and what came of it. */
export interface Delivered {
  readonly url: string
  readonly event: WebhookEvent
  /** `webhook-id`, `webhook-timestamp`, `webhook-signature` (Standard Webhooks 1.0) and the rest. */
  readonly headers: Readonly<Record<string, string>>
  /** The JSON text of the event, byte for byte. */
  readonly body: string
  /** ISO 8601, of virtual time. */
  readonly at: string
  /** 1 for the event's first try at this address. */
  readonly attempt_number: number
  /** What the receiver answered; null: it threw, or it could not be reached. */
  readonly status: number | null
  /** Any 2xx. What is not acknowledged comes again. */
  readonly acknowledged: boolean
  /** What the receiver threw; null: nothing. */
  readonly error: string | null
}

/** Receives webhooks, as an application's own route does. Nothing for an answer is 200; what it throws is a failed try. */
export type WebhookHandler = (request: Request) => Response | void | Promise<Response | void>

/** An answer, or what the receiver threw. */
type Reply = DeliveryAnswer | { readonly status: null; readonly error: string }

const toResult = (reply: Reply, now: number): DeliveryResult =>
  reply.status === null ? { _tag: "Failed", ...reply, retry_after: null } : resultOf(reply, now)

const said = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** Where webhooks arrive: at the test's handler, unless they are made to fail before. */
export const makeReceiver = (time: SteppedTime, outside: Outside) => {
  const delivered: Array<Delivered> = []
  const tries = new Map<string, number>()
  let handler: WebhookHandler | null = null
  let respond: { readonly status: number; left: number } | null = null

  const handled = (handle: WebhookHandler, request: Request): Effect.Effect<Reply> =>
    outside
      .call("a webhook's receiver", async () => {
        const response = await handle(request)
        await response?.body?.cancel()
        return {
          status: response?.status ?? 200,
          retryAfter: response?.headers.get("retry-after") ?? undefined
        }
      })
      .pipe(Effect.catchAll((thrown) => Effect.succeed({ status: null, error: said(thrown) })))

  const reply = (url: string, headers: Record<string, string>, body: string): Effect.Effect<Reply> => {
    if (respond !== null && respond.left > 0) {
      respond.left -= 1
      return Effect.succeed({ status: respond.status, retryAfter: undefined })
    }
    return handler === null
      ? Effect.succeed({ status: 200, retryAfter: undefined })
      : handled(handler, new Request(url, { method: "POST", headers, body }))
  }

  const receive = (message: WebhookMessage): Effect.Effect<DeliveryResult> =>
    Effect.suspend(() => {
      const { body, id, url } = message
      const attempt_number = (tries.get(`${id} ${url}`) ?? 0) + 1
      tries.set(`${id} ${url}`, attempt_number)
      // By the clock that the receiver checks it with, which is not virtual time.
      const headers = deliveryHeaders(message, Date.now())
      return Effect.map(reply(url, headers, body), (answer) => {
        const now = time.unsafeCurrentTimeMillis()
        const result = toResult(answer, now)
        delivered.push({
          url,
          event: JSON.parse(body) as WebhookEvent,
          headers,
          body,
          at: isoTimestamp(now),
          attempt_number,
          status: answer.status,
          acknowledged: result._tag === "Acknowledged",
          error: answer.status === null ? answer.error : null
        })
        return result
      })
    })

  return {
    receive,
    delivered: delivered as ReadonlyArray<Delivered>,
    handle: (next: WebhookHandler | null) => {
      handler = next
    },
    respond: (status: number, times: number) => {
      if (!Number.isInteger(status) || status < 200 || status > 599)
        throw new RangeError("a status is a whole number from 200 to 599")
      respond = { status, left: times }
    },
    recover: () => {
      respond = null
    }
  }
}
