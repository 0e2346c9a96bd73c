import { Clock, Config, type ConfigError, Duration, Effect, Either, Layer } from "effect"
import {
  type DeliveryResult,
  UrlRefused,
  type WebhookMessage,
  WebhookSink
} from "../../core/ports/WebhookSink.ts"
import { checkUrl } from "./AddressPolicy.ts"
import { makeLocate, type Resolver, systemResolver, type Target } from "./AddressResolver.ts"
import { resultOf } from "./DeliveryAnswer.ts"
import { makePost, type Post } from "./DeliveryConnections.ts"
import { deliveryHeaders } from "./Signature.ts"
import { TryFailed } from "./TryFailed.ts"

export interface Options {
  /** Opens private, loopback and link-local addresses. For development. */
  readonly allowPrivate: boolean
  readonly resolver?: Resolver | undefined
  /** From the start of a try to the end of reading its answer. 15 seconds by default. */
  readonly timeout?: Duration.DurationInput | undefined
  /** How long vetted addresses of a name are used again. 5 seconds by default. */
  readonly resolutionTtl?: Duration.DurationInput | undefined
  /** 128 by default. */
  readonly maxSocketsPerEndpoint?: number | undefined
  /** Certificate authorities to trust in place of the runtime's, PEM. */
  readonly ca?: string | undefined
}

const failed = (error: string): DeliveryResult => ({ _tag: "Failed", status: null, error, retry_after: null })

const make = Effect.fnUntraced(function* (options: Options) {
  const policy = { allowPrivate: options.allowPrivate }
  const timeout = options.timeout ?? "15 seconds"
  const send = yield* makePost({
    maxSocketsPerEndpoint: options.maxSocketsPerEndpoint ?? 128,
    ca: options.ca
  })
  const locate = makeLocate(
    policy,
    options.resolver ?? systemResolver,
    Duration.toMillis(options.resolutionTtl ?? "5 seconds")
  )

  const postOnce = (post: Post) =>
    send(post, false).pipe(
      Effect.catchIf(
        (failure) => failure.remedy === "new_connection",
        () => send(post, true)
      )
    )

  /** Tries the addresses in turn for as long as no connection was made: nothing has been sent until then. */
  const post = ({ addresses, url }: Target, rest: Omit<Post, "url" | "address">) =>
    addresses
      .map((address) => postOnce({ ...rest, url, address }))
      .reduce((tried, next) =>
        Effect.catchIf(
          tried,
          (failure) => failure.remedy === "other_address",
          () => next
        )
      )

  const attempt = Effect.fnUntraced(function* (message: WebhookMessage) {
    const target = yield* locate(message.url)
    const at = yield* Clock.currentTimeMillis
    const answer = yield* post(target, {
      webhook_id: message.webhook_id,
      headers: deliveryHeaders(message, at),
      body: Buffer.from(message.body, "utf8")
    })
    return resultOf(answer, yield* Clock.currentTimeMillis)
  })

  return WebhookSink.of({
    deliver: Effect.fn("WebhookSink.deliver")((message: WebhookMessage) =>
      attempt(message).pipe(
        Effect.timeoutFail({
          duration: timeout,
          onTimeout: () => new TryFailed({ error: "timeout", remedy: "none" })
        }),
        Effect.catchAll((failure) => Effect.succeed(failed(failure.error))),
        Effect.catchAllDefect(() => Effect.succeed(failed("invalid request")))
      )
    ),
    vet: Effect.fn("WebhookSink.vet")((url: string) =>
      Either.match(checkUrl(url, policy), {
        onLeft: (reason) => Effect.fail(new UrlRefused({ reason })),
        onRight: () => Effect.void
      })
    )
  })
})

/** Delivers over HTTP/1.1 by kept connections, to vetted addresses only. */
export const layer = (options: Options): Layer.Layer<WebhookSink> => Layer.scoped(WebhookSink, make(options))

export const settings = Config.all({
  allowPrivate: Config.withDefault(Config.boolean("OUTDIAL_WEBHOOK_ALLOW_PRIVATE"), false)
})

export const layerConfig: Layer.Layer<WebhookSink, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(settings, layer)
)
