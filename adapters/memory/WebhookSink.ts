import { Chunk, Clock, Context, Effect, Layer, Option, Stream, SubscriptionRef } from "effect"
import {
  type DeliveryResult,
  UrlRefused,
  type WebhookMessage,
  WebhookSink
} from "../../core/ports/WebhookSink.ts"

/** One try, its end (epoch milliseconds) and what came of it. */
export interface InboxEntry {
  readonly message: WebhookMessage
  readonly at: number
  readonly result: DeliveryResult
}

/** How the receiver answers: at once, or when its effect is done. */
export type Receiver = (message: WebhookMessage) => DeliveryResult | Effect.Effect<DeliveryResult>

/** The receiving side of the sink in memory. */
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

const refusal = (text: string): string | null => {
  if (!URL.canParse(text)) return "not a URL"
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return "neither http nor https"
  return url.username !== "" || url.password !== "" ? "credentials in the URL" : null
}

const make = Effect.gen(function* () {
  const ledger = yield* SubscriptionRef.make(Chunk.empty<InboxEntry>())
  let receiver = acknowledge

  const sink = WebhookSink.of({
    deliver: Effect.fn("WebhookSink.deliver")(function* (message: WebhookMessage) {
      const result = yield* Effect.suspend(() => {
        const answer = receiver(message)
        return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
      }).pipe(Effect.catchAllDefect(() => Effect.succeed(broken)))
      const at = yield* Clock.currentTimeMillis
      yield* SubscriptionRef.update(ledger, Chunk.append({ message, at, result }))
      return result
    }),
    vet: (url) => {
      const reason = refusal(url)
      return reason === null ? Effect.void : Effect.fail(new UrlRefused({ reason }))
    }
  })

  const inbox = WebhookInbox.of({
    entries: Effect.map(SubscriptionRef.get(ledger), Chunk.toReadonlyArray),
    awaitEntries: (count) =>
      ledger.changes.pipe(
        Stream.filter((entries) => entries.length >= count),
        Stream.runHead,
        Effect.map(Option.match({ onNone: () => [], onSome: Chunk.toReadonlyArray }))
      ),
    clear: SubscriptionRef.set(ledger, Chunk.empty()),
    respond: (next) =>
      Effect.sync(() => {
        receiver = next
      })
  })

  return Context.make(WebhookSink, sink).pipe(Context.add(WebhookInbox, inbox))
})

/** Delivers to a receiver within the process. No address is called, so any http or https URL is accepted. */
export const layer: Layer.Layer<WebhookSink | WebhookInbox> = Layer.effectContext(make)
