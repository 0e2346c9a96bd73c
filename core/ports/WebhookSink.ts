import { Context, Data, type Effect } from "effect"

export interface WebhookMessage {
  /** The event's id, the same at every try: the receiver's key for telling repeats. */
  readonly id: string
  /** The endpoint: one that is slow must not slow down others at its address. */
  readonly webhook_id: string
  readonly url: string
  /** `whsec_…`; two of them for 24 hours after a rotation, the newest first. */
  readonly secrets: ReadonlyArray<string>
  /** The JSON body, sent byte for byte. */
  readonly body: string
}

/** What the receiver answered, as text; of a long answer the beginning will do. Absent: nothing that can be shown. */
interface Answered {
  readonly body?: string | undefined
}

/**
 * What came of one try. `retry_after` is what the receiver asked for, in milliseconds from now.
 * `error` says in a few words what went wrong and names no secret.
 */
export type DeliveryResult =
  | (Answered & { readonly _tag: "Acknowledged"; readonly status: number })
  | (Answered & { readonly _tag: "Gone"; readonly status: 410 })
  | (Answered & {
      readonly _tag: "Failed"
      readonly status: number | null
      readonly error: string
      readonly retry_after: number | null
    })

/** The address may not be called. `reason` is a few words and repeats no part of the address. */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{ readonly reason: string }> {}

/** Delivers one event to one address: signed, timed, never following a redirect, never to a private address. */
export class WebhookSink extends Context.Tag("outdial/WebhookSink")<
  WebhookSink,
  {
    readonly deliver: (message: WebhookMessage) => Effect.Effect<DeliveryResult>
    /** Judges an address by what is written in it; names are not resolved before a delivery. */
    readonly vet: (url: string) => Effect.Effect<void, UrlRefused>
  }
>() {}
