import { Clock, Config, Duration, Effect, Either } from "effect"
import { checkUrl } from "./AddressPolicy.ts"
import { makeLocate, type Resolver, systemResolver } from "./AddressResolver.ts"
import { makePost, type Post } from "./PostConnections.ts"
import { TryFailed } from "./TryFailed.ts"

export interface Options {
  /** Opens private, loopback and link-local addresses. For development. */
  readonly allowPrivate: boolean
  readonly resolver?: Resolver | undefined
  /** How long vetted addresses of a name are used again. 5 seconds by default. */
  readonly resolutionTtl?: Duration.DurationInput | undefined
  /** 128 by default. */
  readonly maxSocketsPerEndpoint?: number | undefined
  /** Certificate authorities to trust in place of the runtime's, PEM. */
  readonly ca?: string | undefined
}

export const settings = Config.all({
  allowPrivate: Config.withDefault(Config.boolean("OUTDIAL_WEBHOOK_ALLOW_PRIVATE"), false)
})

export interface GuardedRequest {
  /** One that is slow holds up no other at its address. */
  readonly endpoint: string
  readonly url: string
  /** All but those of the connection and the length. `at`: the time of the try, epoch milliseconds. */
  readonly headers: (at: number) => Record<string, string>
  readonly body: string
  /** From the start to the end of reading the answer. */
  readonly timeout: Duration.DurationInput
  /**
   * Whether it may go by a kept connection. When the receiver closed that one meanwhile, the request is sent again by
   * a new one: the receiver may have taken it already.
   */
  readonly repeatable: boolean
}

/**
 * POST requests to addresses that others chose: to vetted addresses only, whatever a name resolves to, following no
 * redirect, reading `maxAnswerBytes` of an answer.
 */
export const make = Effect.fnUntraced(function* (options: Options & { readonly maxAnswerBytes: number }) {
  const policy = { allowPrivate: options.allowPrivate }
  const send = yield* makePost({
    maxSocketsPerEndpoint: options.maxSocketsPerEndpoint ?? 128,
    maxAnswerBytes: options.maxAnswerBytes,
    ca: options.ca
  })
  const locate = makeLocate(
    policy,
    options.resolver ?? systemResolver,
    Duration.toMillis(options.resolutionTtl ?? "5 seconds")
  )

  const postOnce = (post: Post, repeatable: boolean) =>
    repeatable
      ? Effect.catchIf(
          send(post, false),
          ({ remedy }) => remedy === "new_connection",
          () => send(post, true)
        )
      : send(post, true)

  /** Tries the addresses in turn for as long as no connection was made: nothing has been sent until then. */
  const attempt = Effect.fnUntraced(function* (request: GuardedRequest) {
    const { addresses, url } = yield* locate(request.url)
    const post = {
      endpoint: request.endpoint,
      url,
      headers: request.headers(yield* Clock.currentTimeMillis),
      body: Buffer.from(request.body, "utf8")
    }
    return yield* addresses
      .map((address) => postOnce({ ...post, address }, request.repeatable))
      .reduce((tried, next) =>
        Effect.catchIf(
          tried,
          ({ remedy }) => remedy === "other_address",
          () => next
        )
      )
  })

  return {
    post: (request: GuardedRequest) =>
      attempt(request).pipe(
        Effect.timeoutFail({
          duration: request.timeout,
          onTimeout: () => new TryFailed({ reason: "timeout", error: "timeout", remedy: "none" })
        }),
        // A header that cannot be written.
        Effect.catchAllDefect(
          () => new TryFailed({ reason: "refused", error: "invalid request", remedy: "none" })
        )
      ),
    /** Why an address may not be called, as far as its text tells. */
    refusalOf: (url: string): string | undefined => Either.getOrUndefined(Either.flip(checkUrl(url, policy)))
  }
})
