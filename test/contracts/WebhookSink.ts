import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, type Layer, Queue } from "effect"
import { type DeliveryResult, type WebhookMessage, WebhookSink } from "../../core/ports/WebhookSink.ts"

/** A receiver at the other end of the sink under test. */
export class SinkReceiver extends Context.Tag("test/SinkReceiver")<
  SinkReceiver,
  {
    readonly url: string
    /** From now on answers such that the sink has to tell `result`. */
    readonly answer: (result: DeliveryResult) => Effect.Effect<void>
    /** From now on never answers. */
    readonly fallSilent: Effect.Effect<void>
    /** What arrives, answered or not. */
    readonly received: Queue.Dequeue<{ readonly id: string; readonly body: string }>
  }
>() {}

const results: ReadonlyArray<DeliveryResult> = [
  { _tag: "Acknowledged", status: 200 },
  { _tag: "Acknowledged", status: 204 },
  { _tag: "Gone", status: 410 },
  { _tag: "Failed", status: 301, error: "http 301", retry_after: null },
  { _tag: "Failed", status: 404, error: "http 404", retry_after: null },
  { _tag: "Failed", status: 429, error: "http 429", retry_after: 30_000 },
  { _tag: "Failed", status: 500, error: "http 500", retry_after: null },
  { _tag: "Failed", status: 503, error: "http 503", retry_after: 0 }
]

const message = (url: string, id = "evt_1", body = "{}"): WebhookMessage => ({
  id,
  webhook_id: "whk_1",
  url,
  secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  body
})

/** What every WebhookSink does, whatever lies between it and the receiver. */
export const webhookSinkContract = (name: string, layer: Layer.Layer<WebhookSink | SinkReceiver>) =>
  describe(`WebhookSink: ${name}`, () => {
    it.effect("tells what the receiver answered, each time anew", () =>
      Effect.gen(function* () {
        const sink = yield* WebhookSink
        const receiver = yield* SinkReceiver
        for (const result of results) {
          yield* receiver.answer(result)
          assert.deepStrictEqual(yield* sink.deliver(message(receiver.url)), result)
        }
        assert.strictEqual(yield* Queue.size(receiver.received), results.length)
      }).pipe(Effect.provide(layer))
    )

    it.effect("delivers id and body as they are", () =>
      Effect.gen(function* () {
        const sink = yield* WebhookSink
        const receiver = yield* SinkReceiver
        const bodies = [
          '{"metadata":{"n":1.0,"n":1e400}}',
          '{"name":"Zoë ☎ 🎉"}',
          "",
          `"${"x".repeat(100_000)}"`
        ]
        for (const [i, body] of bodies.entries()) {
          yield* sink.deliver(message(receiver.url, `evt_${i}`, body))
          const arrived = yield* Queue.take(receiver.received)
          assert.strictEqual(arrived.id, `evt_${i}`)
          assert.strictEqual(arrived.body, body)
        }
      }).pipe(Effect.provide(layer))
    )

    it.effect("many deliveries at once arrive once each", () =>
      Effect.gen(function* () {
        const sink = yield* WebhookSink
        const receiver = yield* SinkReceiver
        const ids = Array.from({ length: 300 }, (_, i) => `evt_${i}`)
        const told = yield* Effect.forEach(ids, (id) => sink.deliver(message(receiver.url, id)), {
          concurrency: "unbounded"
        })
        assert.isTrue(told.every((result) => result._tag === "Acknowledged"))
        const arrived = [...(yield* Queue.takeAll(receiver.received))].map(({ id }) => id)
        assert.deepStrictEqual(arrived.toSorted(), ids.toSorted())
      }).pipe(Effect.provide(layer))
    )

    it.effect("an interrupted delivery ends at once, and the next one goes through", () =>
      Effect.gen(function* () {
        const sink = yield* WebhookSink
        const receiver = yield* SinkReceiver
        yield* receiver.fallSilent
        const delivery = yield* Effect.fork(sink.deliver(message(receiver.url)))
        yield* Queue.take(receiver.received)
        const exit = yield* Fiber.interrupt(delivery)
        assert.strictEqual(exit._tag, "Failure")
        yield* receiver.answer({ _tag: "Acknowledged", status: 200 })
        assert.strictEqual((yield* sink.deliver(message(receiver.url)))._tag, "Acknowledged")
      }).pipe(Effect.provide(layer))
    )

    it.effect("accepts http and https addresses and refuses others, repeating nothing of them", () =>
      Effect.gen(function* () {
        const sink = yield* WebhookSink
        for (const url of ["https://hooks.example.com/a?b=c", "http://hooks.example.com:8080/"]) {
          yield* sink.vet(url)
        }
        const refused = ["", "hooks.example.com", "/a", "ftp://example.com/", "file:///etc/passwd"].concat([
          "javascript:alert(1)",
          "https://user:hunter2@hooks.example.com/",
          "https://hunter2@hooks.example.com/",
          "https://",
          "https://exa mple.com/"
        ])
        for (const url of refused) {
          const { _tag, reason } = yield* Effect.flip(sink.vet(url))
          assert.strictEqual(_tag, "UrlRefused")
          assert.notMatch(reason, /hunter2|example|passwd/)
        }
      }).pipe(Effect.provide(layer))
    )
  })
