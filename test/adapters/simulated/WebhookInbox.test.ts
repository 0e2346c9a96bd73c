import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import { WebhookSink } from "../../../core/ports/WebhookSink.ts"

const message = (id: string) => ({
  id,
  webhook_id: "whk_1",
  url: "https://hooks.example.com/",
  secrets: [],
  body: "{}"
})

describe("WebhookInbox", () => {
  it.effect("keeps every try with its time and its result until it is cleared", () =>
    Effect.gen(function* () {
      const sink = yield* WebhookSink
      const inbox = yield* Inbox.WebhookInbox
      yield* sink.deliver(message("evt_1"))
      yield* TestClock.adjust("1 second")
      yield* inbox.respond(({ id }) =>
        id === "evt_2" ? { _tag: "Gone", status: 410 } : { _tag: "Acknowledged", status: 202 }
      )
      yield* sink.deliver(message("evt_2"))
      yield* sink.deliver(message("evt_3"))
      assert.deepStrictEqual(yield* inbox.entries, [
        { message: message("evt_1"), at: 0, result: { _tag: "Acknowledged", status: 200 } },
        { message: message("evt_2"), at: 1_000, result: { _tag: "Gone", status: 410 } },
        { message: message("evt_3"), at: 1_000, result: { _tag: "Acknowledged", status: 202 } }
      ])
      yield* inbox.clear
      assert.deepStrictEqual(yield* inbox.entries, [])
    }).pipe(Effect.provide(Inbox.layer))
  )

  it.effect("waits for as many tries as are asked for", () =>
    Effect.gen(function* () {
      const sink = yield* WebhookSink
      const inbox = yield* Inbox.WebhookInbox
      const waiting = yield* Effect.fork(inbox.awaitEntries(2))
      yield* sink.deliver(message("evt_1"))
      yield* Effect.yieldNow()
      assert.isNull(waiting.unsafePoll())
      yield* sink.deliver(message("evt_2"))
      const entries = yield* Fiber.join(waiting)
      assert.deepStrictEqual(
        entries.map((entry) => entry.message.id),
        ["evt_1", "evt_2"]
      )
      assert.lengthOf(yield* inbox.awaitEntries(1), 2)
    }).pipe(Effect.provide(Inbox.layer))
  )

  it.effect("a receiver may take its time, and one that breaks is a failed try", () =>
    Effect.gen(function* () {
      const sink = yield* WebhookSink
      const inbox = yield* Inbox.WebhookInbox
      yield* inbox.respond(() =>
        Effect.delay(Effect.succeed({ _tag: "Acknowledged", status: 200 } as const), "10 seconds")
      )
      const delivery = yield* Effect.fork(sink.deliver(message("evt_1")))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual((yield* Fiber.join(delivery))._tag, "Acknowledged")
      const broken = { _tag: "Failed", status: null, error: "receiver failed", retry_after: null } as const
      yield* inbox.respond(() => {
        throw new Error("no")
      })
      assert.deepStrictEqual(yield* sink.deliver(message("evt_2")), broken)
      yield* inbox.respond(() => Effect.dieMessage("no"))
      assert.deepStrictEqual(yield* sink.deliver(message("evt_3")), broken)
    }).pipe(Effect.provide(Inbox.layer))
  )
})
