import { Context, Effect, identity, Layer } from "effect"
import { among, CarrierCallbacks } from "../../adapters/shared/CarrierCallbacks.ts"
import * as Carrier from "./Carrier.ts"
import * as Messages from "./Messages.ts"

class OfCarrier extends Context.Tag("outdial/callbacks/OfCarrier")<OfCarrier, CarrierCallbacks["Type"]>() {}
class OfMessages extends Context.Tag("outdial/callbacks/OfMessages")<
  OfMessages,
  CarrierCallbacks["Type"]
>() {}

/** What the carrier of calls and the provider of messages tell over HTTP, each below its own path. */
export const layer = Layer.effect(
  CarrierCallbacks,
  Effect.gen(function* () {
    const carrier = yield* OfCarrier
    const messages = yield* OfMessages
    return {
      handle: among([
        ["/callbacks/twilio", carrier.handle],
        ["/callbacks/meta", messages.handle]
      ])
    }
  })
).pipe(
  Layer.provide(Layer.project(Carrier.callbacks, CarrierCallbacks, OfCarrier, identity)),
  Layer.provide(Layer.project(Messages.callbacks, CarrierCallbacks, OfMessages, identity))
)
