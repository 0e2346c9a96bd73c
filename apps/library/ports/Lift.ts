import { type Chunk, Effect, Layer, Queue, Stream } from "effect"
import { relay } from "../../../core/engine/CarrierReports.ts"

/** What a function of the embedding program may be: one that answers at once, or with a promise. */
export type Answer<A> = A | Promise<A>

/** Told of everything that the embedding program's own functions throw: what was thrown, and by which function. */
export type OnError = (thrown: unknown, by: string) => void

/** Runs a function of the embedding program. What it throws is an error of the port, or is made one. */
export const lift = <A, E>(
  run: (signal: AbortSignal) => Answer<A>,
  toError: (thrown: unknown) => E
): Effect.Effect<A, E> => Effect.tryPromise({ try: async (signal) => run(signal), catch: toError })

/** Keeps errors of the known classes, and makes of any other what `otherwise` says, once `onError` was told. */
export const errors =
  <E>(known: ReadonlyArray<abstract new (...args: never) => E>, otherwise: () => E) =>
  (onError: OnError, by: string) =>
  (thrown: unknown): E => {
    for (const each of known) if (thrown instanceof each) return thrown
    onError(thrown, by)
    return otherwise()
  }

/** The layer that was given, or the one that is made of a plain object. */
export const layerOf = <Port, Plain extends object, E>(
  given: Plain | Layer.Layer<Port, E>,
  make: (plain: Plain) => Layer.Layer<Port, E>
): Layer.Layer<Port, E> => (Layer.isLayer(given) ? (given as Layer.Layer<Port, E>) : make(given as Plain))

/** Takes what tells of things: called once, with a function that takes them. What it answers is called at the end. */
export type Listening<A> = (tell: (heard: A) => void) => void | (() => void)

/** Reports what the embedding program tells, until the scope ends. */
export const hearing = Effect.fnUntraced(function* <A>(
  listen: Listening<A> | undefined,
  report: (chunk: Chunk.Chunk<A>) => Effect.Effect<void>
) {
  if (listen === undefined) return
  const heard = yield* Queue.unbounded<A>()
  yield* Effect.acquireRelease(
    Effect.sync(() => listen((each) => void heard.unsafeOffer(each))),
    (stop) => Effect.sync(() => stop?.())
  )
  yield* relay(Stream.fromQueue(heard), report)
})
