import { Effect, Layer, Schema } from "effect"
import {
  type DeliveryResult,
  UrlRefused,
  type WebhookMessage,
  WebhookSink
} from "../../../core/ports/WebhookSink.ts"
import { type Answer, anything, asking, type OnError } from "./Lift.ts"

/** Delivers webhook events in your own way. Retries, order and dead letters stay with the platform. */
export interface Sink {
  /**
   * One try: `{_tag: "Acknowledged", status}`, `{_tag: "Gone", status: 410}`, which disables the endpoint, or
   * `{_tag: "Failed", status, error, retry_after}`, after which it is tried again later. Whatever it throws is a
   * failed try. `body` may tell what the receiver answered. Time is up after 15 seconds.
   */
  readonly deliver: (message: WebhookMessage, signal: AbortSignal) => Answer<DeliveryResult>
  /** Throws `UrlRefused` for an address that no webhook may have. Without it every address is taken. */
  readonly vet?: ((url: string, signal: AbortSignal) => Answer<void>) | undefined
}

const failed = (error: string): DeliveryResult => ({ _tag: "Failed", status: null, error, retry_after: null })

const body = Schema.optional(Schema.String)

const DeliveryResultSchema: Schema.Schema<DeliveryResult> = Schema.Union(
  Schema.Struct({ _tag: Schema.Literal("Acknowledged"), status: Schema.Int, body }),
  Schema.Struct({ _tag: Schema.Literal("Gone"), status: Schema.Literal(410), body }),
  Schema.Struct({
    _tag: Schema.Literal("Failed"),
    body,
    status: Schema.NullOr(Schema.Int),
    error: Schema.String,
    retry_after: Schema.NullOr(Schema.Number)
  })
)

const delivering = asking<DeliveryResult>([], () => failed("the sink failed"))
const vetting = asking([UrlRefused], () => new UrlRefused({ reason: "it could not be judged" }))

export const layer = (sink: Sink, onError: OnError): Layer.Layer<WebhookSink> => {
  const [deliver, vet] = [delivering(onError), vetting(onError)]
  return Layer.succeed(WebhookSink, {
    deliver: (message) =>
      deliver("sink.deliver", DeliveryResultSchema, (signal) => sink.deliver(message, signal)).pipe(
        Effect.timeoutTo({
          duration: "15 seconds",
          onSuccess: (result: DeliveryResult) => result,
          onTimeout: () => failed("timeout")
        }),
        Effect.merge
      ),
    vet: (url) =>
      sink.vet === undefined ? Effect.void : vet("sink.vet", anything, (signal) => sink.vet!(url, signal))
  })
}
