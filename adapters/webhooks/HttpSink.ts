import { Clock, type ConfigError, type Duration, Effect, Layer } from "effect"
import {
  type DeliveryResult,
  UrlRefused,
  type WebhookMessage,
  WebhookSink
} from "../../core/ports/WebhookSink.ts"
import * as GuardedPost from "../shared/GuardedPost.ts"
import { deliveryHeaders } from "../shared/Signature.ts"
import { resultOf } from "./DeliveryAnswer.ts"

export interface Options extends GuardedPost.Options {
  /** From the start of a try to the end of reading its answer. 15 seconds by default. */
  readonly timeout?: Duration.DurationInput | undefined
}

/** An answer that is longer counts by its status. */
const maxAnswerBytes = 64 * 1_024

const failed = (error: string): DeliveryResult => ({ _tag: "Failed", status: null, error, retry_after: null })

const make = Effect.fnUntraced(function* ({ timeout = "15 seconds", ...options }: Options) {
  const { post, refusalOf } = yield* GuardedPost.make({ ...options, maxAnswerBytes })

  return WebhookSink.of({
    deliver: Effect.fn("WebhookSink.deliver")((message: WebhookMessage) =>
      post({
        endpoint: message.webhook_id,
        url: message.url,
        headers: (at) => deliveryHeaders(message, at),
        body: message.body,
        timeout,
        repeatable: true
      }).pipe(
        Effect.flatMap((answer) => Effect.map(Clock.currentTimeMillis, (now) => resultOf(answer, now))),
        Effect.catchAll(({ error }) => Effect.succeed(failed(error)))
      )
    ),
    vet: Effect.fn("WebhookSink.vet")((url: string) => {
      const reason = refusalOf(url)
      return reason === undefined ? Effect.void : Effect.fail(new UrlRefused({ reason }))
    })
  })
})

/** Delivers over HTTP/1.1 by kept connections, to vetted addresses only. */
export const layer = (options: Options): Layer.Layer<WebhookSink> => Layer.scoped(WebhookSink, make(options))

export const layerConfig: Layer.Layer<WebhookSink, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(GuardedPost.settings, layer)
)
