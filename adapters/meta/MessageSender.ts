import { Duration, Effect, Layer, Option } from "effect"
import type * as HttpClient from "@effect/platform/HttpClient"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import * as SenderCircuit from "../../core/engine/SenderCircuit.ts"
import { CarrierUnreachable, DialInDoubt } from "../../core/ports/CallDialer.ts"
import { MessageSender, type SenderDriver } from "../../core/ports/MessageSender.ts"
import { type Answer, http, isOk } from "../shared/HttpExchange.ts"
import * as PatientSending from "../shared/PatientSending.ts"
import * as ProviderFailures from "../shared/ProviderFailures.ts"
import * as Throttle from "../shared/Throttle.ts"
import * as ErrorCodes from "./ErrorCodes.ts"
import * as GraphApi from "./GraphApi.ts"
import { messageBody } from "./MessageBody.ts"
import * as SenderNumbers from "./SenderNumbers.ts"
import { decodeSent, failureOf } from "./Wire.ts"

export interface Options extends GraphApi.Account {
  /** How long a request may take, at most 15 seconds: a message must have gone out before its receipt is missed. */
  readonly timeout: Duration.DurationInput
  readonly circuit?: CircuitOptions | undefined
}

const failures = ProviderFailures.make({ name: "the provider", takes: "messages" })

/** Meta's driver. What it tells of messages, and what customers send, comes to `Callbacks`. */
export const driver = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<SenderDriver, never, HttpClient.HttpClient> {
  const { businessAccountId } = options
  const api = yield* GraphApi.make(options)
  const numbers = yield* SenderNumbers.make(api, businessAccountId, options.timeout)
  const throttle = Throttle.make("the provider")
  const timeout = Duration.toMillis(options.timeout)

  /** Fails with what a refusal means, or returns when the message is to be sent once more. */
  const refusal = (pair: Throttle.Throttle) =>
    Effect.fnUntraced(function* ({ headers, status, text }: Answer, atLatest: number) {
      const failure = failureOf(text)
      const code = failure === null ? `http_${status}` : String(failure.code)
      const meaning = ErrorCodes.ofRefusal(status, failure)
      switch (meaning._tag) {
        case "Later":
          return yield* throttle.slowDown(headers["retry-after"])
        case "PairLater":
          yield* pair.slowDown(headers["retry-after"])
          return yield* Effect.asVoid(pair.turn(atLatest))
        case "Number":
          yield* numbers.forget
          return yield* new CarrierUnreachable({
            message: `the provider does not know the number that the message is sent from (${code})`
          })
        default:
          return yield* failures.refused(code, failure?.error_data?.details ?? failure?.message, meaning)
      }
    })

  const send: SenderDriver["send"] = Effect.fnUntraced(function* (request) {
    const id = yield* numbers.idOf(request.from_number)
    const answer = yield* PatientSending.send({
      throttle,
      timeout,
      send: (now, within) =>
        Effect.mapError(api.post([id, "messages"], messageBody(request, now), within), failures.unanswered),
      isRefusal: ({ status, text }) =>
        ProviderFailures.isRefusal(status, ErrorCodes.isKnown(failureOf(text))),
      refused: refusal(Throttle.make("the provider"))
    })
    const sent = isOk(answer) ? decodeSent(answer.text) : Option.none()
    if (Option.isSome(sent)) return sent.value.messages[0].id
    return yield* new DialInDoubt({ message: `the provider answered ${answer.status}` })
  })

  const ping = failures.ping(api.get([businessAccountId], { fields: "id" }, options.timeout))

  return { send, ping }
})

/** Meta's WhatsApp Cloud API. */
export const layer = (options: Options): Layer.Layer<MessageSender> =>
  Layer.scoped(
    MessageSender,
    Effect.flatMap(driver(options), (driver) =>
      SenderCircuit.make(driver, { dialTimeout: Infinity, ...options.circuit })
    )
  ).pipe(Layer.provide(http))
