import { Clock, Duration, Effect, Layer, Option, Stream } from "effect"
import type * as HttpClient from "@effect/platform/HttpClient"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import * as SenderCircuit from "../../core/engine/SenderCircuit.ts"
import { CarrierUnreachable, DialInDoubt, DialRefused } from "../../core/ports/CallDialer.ts"
import { MessageSender, type SenderDriver } from "../../core/ports/MessageSender.ts"
import * as Api from "./Api.ts"
import { http } from "./Http.ts"
import * as Meanings from "./Meanings.ts"
import { messageBody } from "./MessageBody.ts"
import * as SenderNumbers from "./SenderNumbers.ts"
import * as Throttle from "./Throttle.ts"
import { decodeSent, failureOf } from "./Wire.ts"

export interface Options extends Api.Account {
  /** How long a request may take, at most 15 seconds: a message must have gone out before its receipt is missed. */
  readonly timeout: Duration.DurationInput
  readonly circuit?: CircuitOptions | undefined
}

/** Meta's driver. What it tells of messages, and what customers send, comes to `Callbacks`. */
export const driver = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<SenderDriver, never, HttpClient.HttpClient> {
  const { businessAccountId } = options
  const api = yield* Api.make(options)
  const numbers = yield* SenderNumbers.make(api, businessAccountId, options.timeout)
  const throttle = Throttle.make()
  const timeout = Duration.toMillis(options.timeout)

  /** Fails with what a 4xx means, or returns when the message is to be sent once more. */
  const refusal = Effect.fnUntraced(function* ({ status, text }: Api.Answer) {
    const failure = failureOf(text)
    const code = failure === null ? `http_${status}` : String(failure.code)
    const meaning = Meanings.ofRefusal(status, failure)
    switch (meaning._tag) {
      case "Refused":
        return yield* new DialRefused({
          outcome: meaning.outcome,
          sub_status: meaning.sub_status,
          code,
          message: meaning.message
        })
      case "Account": {
        const message = `the provider takes no messages from us: ${meaning.message} (${code})`
        yield* Effect.logWarning(message)
        return yield* new CarrierUnreachable({ message })
      }
      case "Number":
        yield* numbers.forget
        return yield* new CarrierUnreachable({
          message: `the provider does not know the number that the message is sent from (${code})`
        })
      case "Later":
        yield* throttle.slowDown
    }
  })

  const send: SenderDriver["send"] = Effect.fnUntraced(function* (request) {
    const id = yield* numbers.idOf(request.from_number)
    const began = yield* Clock.currentTimeMillis
    for (;;) {
      const now = yield* throttle.turn(began + timeout / 2)
      const answer = yield* api.post([id, "messages"], messageBody(request, now), began + timeout - now).pipe(
        Effect.catchTags({
          NotConnected: ({ code }) =>
            new CarrierUnreachable({ message: `no connection to the provider (${code})` }),
          ConnectionLost: ({ code }) =>
            new DialInDoubt({ message: `the connection to the provider was lost (${code})` }),
          TimedOut: () => new DialInDoubt({ message: "the provider did not answer in time" })
        })
      )
      const { status } = answer
      if (status >= 400 && status < 500 && status !== 408 && status !== 499) {
        yield* refusal(answer)
        continue
      }
      yield* throttle.recovered
      const sent = Api.isOk(answer) ? decodeSent(answer.text) : Option.none()
      if (Option.isNone(sent)) return yield* new DialInDoubt({ message: `the provider answered ${status}` })
      return sent.value.messages[0].id
    }
  })

  const ping: SenderDriver["ping"] = api.get([businessAccountId], { fields: "id" }, options.timeout).pipe(
    Effect.mapError(() => new CarrierUnreachable({ message: "the provider does not answer" })),
    Effect.filterOrFail(
      Api.isOk,
      ({ status }) => new CarrierUnreachable({ message: `the provider answered ${status}` })
    ),
    Effect.asVoid
  )

  return { send, ping, progress: Stream.empty, replies: Stream.empty }
})

/** Meta's WhatsApp Cloud API. */
export const layer = (options: Options): Layer.Layer<MessageSender> =>
  Layer.scoped(
    MessageSender,
    Effect.flatMap(driver(options), (driver) =>
      SenderCircuit.make(driver, { dialTimeout: Infinity, ...options.circuit })
    )
  ).pipe(Layer.provide(http))
