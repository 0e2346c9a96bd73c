import { Effect, FiberRef } from "effect"

/**
 * A span for verbs on the hot path, where `Effect.fn` would capture a stack trace at every call. It costs next to
 * nothing while no spans are made.
 */
export const span =
  (name: string, attributes: Readonly<Record<string, string>> = {}) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled)
        ? (Effect.withSpan(self, name, { captureStackTrace: false, attributes }) as Effect.Effect<A, E, R>)
        : self
    )
