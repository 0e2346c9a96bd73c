import { type Context, Effect, type Scope } from "effect"
import type { MessageSender, SenderDriver } from "../ports/MessageSender.ts"
import { type CircuitOptions, makeCircuit } from "./Circuit.ts"
import { span } from "./Span.ts"

/** Lifts one provider's driver to the port: spans, time-outs and the circuit. */
export const make = Effect.fnUntraced(function* (
  driver: SenderDriver,
  options: CircuitOptions = {}
): Effect.fn.Return<Context.Tag.Service<MessageSender>, never, Scope.Scope> {
  const { available, awaitAvailable, guard } = yield* makeCircuit("message provider", driver.ping, options)
  return {
    send: (request) =>
      guard(driver.send(request)).pipe(
        span("MessageSender.send", { key: request.key, call_id: request.call_id })
      ),
    available,
    awaitAvailable
  }
})
