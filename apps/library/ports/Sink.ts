import { Effect, Layer } from "effect"
import {
  type DeliveryResult,
  UrlRefused,
  type WebhookMessage,
  WebhookSink
} from "../../../core/ports/WebhookSink.ts"
import { type Answer, errors, lift, type OnError } from "./Lift.ts"

/** Delivers webhook events in your own way. Retries, order and dead letters stay with the platform. */
export interface Sink {
  /**
   * One try: `{_tag: "Acknowledged", status}`, `{_tag: "Gone", status: 410}`, which disables the endpoint, or
   * `{_tag: "Failed", status, error, retry_after}`, after which it is tried again later. Whatever it throws is a
   * failed try. Time is up after 15 seconds.
   */
  readonly deliver: (message: WebhookMessage, signal: AbortSignal) => Answer<DeliveryResult>
  /** Throws `UrlRefused` for an address that no webhook may have. Without it every address is taken. */
  readonly vet?: ((url: string, signal: AbortSignal) => Answer<void>) | undefined
}

const failed = (error: string): DeliveryResult => ({ _tag: "Failed", status: null, error, retry_after: null })

const urlError = errors([UrlRefused], () => new UrlRefused({ reason: "it could not be judged" }))

export const layer = ({ deliver, vet }: Sink, onError: OnError): Layer.Layer<WebhookSink> =>
  Layer.succeed(WebhookSink, {
    deliver: (message) =>
      lift(
        (signal) => deliver(message, signal),
        (thrown) => onError(thrown, "sink.deliver")
      ).pipe(
        Effect.timeoutTo({
          duration: "15 seconds",
          onSuccess: (result: DeliveryResult) => result,
          onTimeout: () => failed("timeout")
        }),
        Effect.orElseSucceed(() => failed("the sink failed"))
      ),
    vet: (url) =>
      vet === undefined ? Effect.void : lift((signal) => vet(url, signal), urlError(onError, "sink.vet"))
  })
