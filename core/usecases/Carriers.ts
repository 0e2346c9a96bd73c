import { Context, Effect, Layer } from "effect"
import type { CarrierState } from "../model/calls/CarrierState.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import { MessageSender } from "../ports/MessageSender.ts"

const make = Effect.gen(function* () {
  const carriers = { voice: yield* CallDialer, msg: yield* MessageSender }

  const stateOf = (channel: keyof typeof carriers) =>
    Effect.map(carriers[channel].available, (is): CarrierState => ({ channel, status: is ? "up" : "down" }))

  const states: CarriersShape["states"] = Effect.fn("Carriers.states")(() =>
    Effect.all([stateOf("voice"), stateOf("msg")])
  )

  return Carriers.of({ states })
})

export interface CarriersShape {
  /** How the carriers of calls and of messages are, as this process sees them. */
  readonly states: () => Effect.Effect<ReadonlyArray<CarrierState>>
}

export class Carriers extends Context.Tag("outdial/Carriers")<Carriers, CarriersShape>() {
  static readonly layer = Layer.effect(this, make)
}
