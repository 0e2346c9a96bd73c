import { Clock, Context, Deferred, Effect, Layer } from "effect"
import { span } from "../../core/engine/Span.ts"
import {
  type DeliveryResult,
  UrlRefused,
  type WebhookMessage,
  WebhookSink
} from "../../core/ports/WebhookSink.ts"
import { httpUrl } from "../shared/UrlForm.ts"

/** One try, its end (epoch milliseconds) and what came of it. */
export interface InboxEntry {
  readonly message: WebhookMessage
  readonly at: number
  readonly result: DeliveryResult
}

/** How the receiver answers: at once, or when its effect is done. */
export type Receiver = (message: WebhookMessage) => DeliveryResult | Effect.Effect<DeliveryResult>

/** The receiving side: what was delivered, and how it answers. */
export class WebhookInbox extends Context.Tag("outdial/WebhookInbox")<
  WebhookInbox,
  {
    /** All tries that have ended, oldest first. */
    readonly entries: Effect.Effect<ReadonlyArray<InboxEntry>>
    /** Waits until at least `count` tries have ended, and answers all of them. */
    readonly awaitEntries: (count: number) => Effect.Effect<ReadonlyArray<InboxEntry>>
    /** Forgets what was received. */
    readonly clear: Effect.Effect<void>
    /** Answers every try from now on by `receiver`; until the first call each is acknowledged with 200. */
    readonly respond: (receiver: Receiver) => Effect.Effect<void>
  }
>() {}

const acknowledge: Receiver = () => ({ _tag: "Acknowledged", status: 200 })

const broken: DeliveryResult = { _tag: "Failed", status: null, error: "receiver failed", retry_after: null }

const make = Effect.gen(function* () {
  let entries: Array<InboxEntry> = []
  let waiting: Array<{ readonly count: number; readonly reached: Deferred.Deferred<void> }> = []
  let receiver = acknowledge

  const keep = (entry: InboxEntry) => {
    entries.push(entry)
    if (waiting.length === 0) return
    for (const { count, reached } of waiting) {
      if (entries.length >= count) Deferred.unsafeDone(reached, Effect.void)
    }
    waiting = waiting.filter(({ count }) => entries.length < count)
  }

  const sink = WebhookSink.of({
    deliver: Effect.fnUntraced(function* (message: WebhookMessage) {
      const result = yield* Effect.suspend(() => {
        const answer = receiver(message)
        return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
      }).pipe(Effect.catchAllDefect(() => Effect.succeed(broken)))
      const at = yield* Clock.currentTimeMillis
      keep({ message, at, result })
      return result
    }, span("WebhookSink.deliver")),
    vet: (url) => Effect.mapError(Effect.asVoid(httpUrl(url)), (reason) => new UrlRefused({ reason }))
  })

  const inbox = WebhookInbox.of({
    entries: Effect.sync(() => [...entries]),
    awaitEntries: (count) =>
      Effect.gen(function* () {
        if (entries.length < count) {
          const reached = yield* Deferred.make<void>()
          waiting.push({ count, reached })
          yield* Deferred.await(reached)
        }
        return [...entries]
      }),
    clear: Effect.sync(() => {
      entries = []
    }),
    respond: (next) =>
      Effect.sync(() => {
        receiver = next
      })
  })

  return Context.make(WebhookSink, sink).pipe(Context.add(WebhookInbox, inbox))
})

/** Delivers to a receiver within the process. No address is called, so any http or https URL is accepted. */
export const layer: Layer.Layer<WebhookSink | WebhookInbox> = Layer.effectContext(make)
