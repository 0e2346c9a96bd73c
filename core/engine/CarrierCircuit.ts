import { type Context, Effect, type Scope } from "effect"
import type { CallDialer, CarrierDriver } from "../ports/CallDialer.ts"
import { type CircuitOptions, makeCircuit } from "./Circuit.ts"
import { span } from "./Span.ts"

/** Lifts one carrier's driver to the port: spans, time-outs, repeated look-ups and the circuit. */
export const make = Effect.fnUntraced(function* (
  driver: CarrierDriver,
  options: CircuitOptions = {}
): Effect.fn.Return<Context.Tag.Service<CallDialer>, never, Scope.Scope> {
  const { available, awaitAvailable, guard, patient } = yield* makeCircuit("carrier", driver.ping, options)
  return {
    dial: (request) =>
      guard(driver.dial(request)).pipe(
        span("CallDialer.dial", { key: request.key, call_id: request.call_id })
      ),
    lookup: (dial) => patient(driver.lookup(dial)).pipe(span("CallDialer.lookup", { key: dial.key })),
    hangUp: (dial) => patient(driver.hangUp(dial)).pipe(span("CallDialer.hangUp", { key: dial.key })),
    available,
    awaitAvailable
  }
})
