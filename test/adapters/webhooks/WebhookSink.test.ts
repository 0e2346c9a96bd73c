import type { ServerResponse } from "node:http"
import { Effect, Layer, Queue } from "effect"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import * as HttpSink from "../../../adapters/webhooks/HttpSink.ts"
import type { DeliveryResult } from "../../../core/ports/WebhookSink.ts"
import { SinkReceiver, webhookSinkContract } from "../../contracts/WebhookSink.ts"
import { serve } from "./server.ts"

const acknowledged: DeliveryResult = { _tag: "Acknowledged", status: 200 }

const httpReceiver = Layer.scoped(
  SinkReceiver,
  Effect.gen(function* () {
    let result: DeliveryResult | null = acknowledged
    const answer = (response: ServerResponse) => {
      if (result === null) return
      const retryAfter = result._tag === "Failed" ? result.retry_after : null
      response.writeHead(
        result.status ?? 500,
        retryAfter === null ? {} : { "retry-after": String(retryAfter / 1_000) }
      )
      response.end()
    }
    const server = yield* serve((_, response) => answer(response))
    const set = (next: DeliveryResult | null) =>
      Effect.sync(() => {
        result = next
      })
    return {
      url: `http://127.0.0.1:${server.port}/hook`,
      answer: set,
      fallSilent: set(null),
      received: server.received
    }
  })
)

const memoryReceiver = Layer.effect(
  SinkReceiver,
  Effect.gen(function* () {
    const inbox = yield* Inbox.WebhookInbox
    const received = yield* Queue.unbounded<{ readonly id: string; readonly body: string }>()
    const answerBy = (answer: Effect.Effect<DeliveryResult>) =>
      inbox.respond(({ id, body }) => Effect.andThen(Queue.offer(received, { id, body }), answer))
    yield* answerBy(Effect.succeed(acknowledged))
    return {
      url: "https://hooks.example.com/hook",
      answer: (result) => answerBy(Effect.succeed(result)),
      fallSilent: answerBy(Effect.never),
      received
    }
  })
)

webhookSinkContract("http", Layer.merge(HttpSink.layer({ allowPrivate: true }), httpReceiver))
webhookSinkContract("memory", Layer.provideMerge(memoryReceiver, Inbox.layer))
