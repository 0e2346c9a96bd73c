import { type Context, Effect, type Scope } from "effect"
import type { DialRequest } from "../model/calls/DialRequest.ts"
import type { CallDialer, CarrierDriver, DialReference } from "../ports/CallDialer.ts"
import { type CircuitOptions, makeCircuit } from "./Circuit.ts"
import { span } from "./Span.ts"

/** Lifts one carrier's driver to the port: spans, time-outs, repeated look-ups and the circuit. */
export const make = Effect.fnUntraced(function* (
  driver: CarrierDriver,
  options: CircuitOptions = {}
): Effect.fn.Return<Context.Tag.Service<CallDialer>, never, Scope.Scope> {
  const { available, awaitAvailable, guard, patient } = yield* makeCircuit("carrier", driver.ping, options)
  return {
    dial: Effect.fnUntraced(function* (request: DialRequest) {
      yield* Effect.annotateCurrentSpan({ key: request.key, call_id: request.call_id })
      return yield* guard(driver.dial(request))
    }, span("CallDialer.dial")),
    lookup: Effect.fnUntraced(function* (dial: DialReference) {
      yield* Effect.annotateCurrentSpan({ key: dial.key })
      return yield* patient(driver.lookup(dial))
    }, span("CallDialer.lookup")),
    hangUp: Effect.fnUntraced(function* (dial: DialReference) {
      yield* Effect.annotateCurrentSpan({ key: dial.key })
      return yield* patient(driver.hangUp(dial))
    }, span("CallDialer.hangUp")),
    available,
    awaitAvailable
  }
})
