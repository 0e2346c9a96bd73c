import { Effect, Layer, Queue } from "effect"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import * as HttpSink from "../../../adapters/webhooks/HttpSink.ts"
import type { DeliveryResult } from "../../../core/ports/WebhookSink.ts"
import { SinkReceiver, webhookSinkContract } from "../../contracts/WebhookSink.ts"
import { asText, listen } from "../../Listener.ts"

const acknowledged: DeliveryResult = { _tag: "Acknowledged", status: 200 }

const httpReceiver = Layer.scoped(
  SinkReceiver,
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<{ readonly id: string; readonly body: string }>()
    let result: DeliveryResult | null = acknowledged
    const { url } = yield* listen(asText, ({ body, headers, response }) => {
      Queue.unsafeOffer(received, { id: String(headers["webhook-id"]), body })
      if (result === null) return
      const retryAfter = result._tag === "Failed" ? result.retry_after : null
      response.writeHead(
        result.status ?? 500,
        retryAfter === null ? {} : { "retry-after": String(retryAfter / 1_000) }
      )
      response.end()
    })
    const set = (next: DeliveryResult | null) =>
      Effect.sync(() => {
        result = next
      })
    return {
      url: `${url}/hook`,
      answer: set,
      fallSilent: set(null),
      received
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
