import { type Chunk, Effect, Either, Layer, Option, ParseResult, Queue, Schema, Stream } from "effect"
import { relay } from "../../../core/engine/CarrierReports.ts"
import { describe, issuesOf } from "../../../core/model/Issues.ts"

/** What a function of the embedding program may be: one that answers at once, or with a promise. */
export type Answer<A> = A | Promise<A>

/**
 * Told of everything that the embedding program's own functions throw, and of answers that are not what they must
 * be (as a `TypeError`): what was thrown, and by which function.
 */
export type OnError = (thrown: unknown, by: string) => void

/** What a function of the embedding program answered or told is not what its type says. */
const unusable = (by: string, issue: ParseResult.ParseIssue): TypeError => {
  const [first] = issuesOf(new ParseResult.ParseError({ issue }))
  const said = describe(first!)
  return new TypeError(
    first!.path.length === 0 ? `what ${by} gives ${said}` : `what ${by} gives is wrong: ${said}`
  )
}

/** Tells of an error of the embedding program. What it threw may hold what must not be logged: its name is. */
const reported = (onError: OnError, thrown: unknown, by: string, why: string): Effect.Effect<void> =>
  Effect.zipRight(
    Effect.ignore(Effect.try(() => onError(thrown, by))),
    Effect.logError(`a function of the embedding program failed: ${why}`).pipe(Effect.annotateLogs({ by }))
  )

/** Takes any answer. */
export const anything = Schema.Any

/** The errors that a port's functions may throw, and what becomes of everything else. */
interface Thrown<E> {
  readonly known: ReadonlyArray<abstract new (...args: never) => E>
  readonly otherwise: (thrown: unknown) => E
}

/** Waits for what one of them answers, and checks it: an answer of another form is an error of the port too. */
const answered = <A, B extends A, E>(
  by: string,
  answer: Schema.Schema<A>,
  run: (signal: AbortSignal) => Answer<B>,
  { known, otherwise }: Thrown<E>,
  onError: OnError
): Effect.Effect<B, E> => {
  const validate = ParseResult.validateEither(answer)
  return Effect.tryPromise({ try: async (signal) => run(signal), catch: (thrown) => ({ thrown }) }).pipe(
    Effect.catchAll(({ thrown }) => {
      for (const each of known) if (thrown instanceof each) return Effect.fail(thrown)
      return Effect.zipRight(
        reported(onError, thrown, by, `${by} has thrown`),
        Effect.fail(otherwise(thrown))
      )
    }),
    Effect.flatMap((answered) => {
      const checked = validate(answered)
      if (Either.isRight(checked)) return Effect.succeed(answered)
      const error = unusable(by, checked.left)
      return Effect.zipRight(reported(onError, error, by, error.message), Effect.fail(otherwise(error)))
    })
  )
}

/** Functions of one port: the errors that they may throw, and what becomes of everything else. */
export const asking =
  <E>(known: Thrown<E>["known"], otherwise: Thrown<E>["otherwise"]) =>
  (onError: OnError) =>
  /** Calls one of them. */
  <A, B extends A>(
    by: string,
    answer: Schema.Schema<A>,
    run: (signal: AbortSignal) => Answer<B>
  ): Effect.Effect<B, E> =>
    answered(by, answer, run, { known, otherwise }, onError)

const Iterated = Schema.declare(
  (value: unknown): value is AsyncIterable<unknown> =>
    typeof value === "object" && value !== null && Symbol.asyncIterator in value
).annotations({ message: () => ({ message: "must be an async iterable", override: true }) })

const step = <A>(part: Schema.Schema<A>) =>
  Schema.Union(
    Schema.Struct({ done: Schema.Literal(true), value: Schema.Any }),
    Schema.Struct({ done: Schema.optional(Schema.Literal(false)), value: part })
  )

/** As `asking`, for functions that answer in parts, as they come. */
export const streaming =
  <E>(known: Thrown<E>["known"], otherwise: Thrown<E>["otherwise"]) =>
  (onError: OnError) =>
  /** The signal is aborted when the parts are not wanted any more; nothing waits for what comes after. */
  <A>(
    by: string,
    part: Schema.Schema<A>,
    run: (signal: AbortSignal) => AsyncIterable<A>
  ): Stream.Stream<A, E> => {
    const ask = asking(known, otherwise)(onError)
    const Step = step(part)
    return Stream.unwrapScoped(
      Effect.gen(function* () {
        const controller = yield* Effect.acquireRelease(
          Effect.sync(() => new AbortController()),
          (controller) => Effect.sync(() => controller.abort())
        )
        const parts = yield* ask(by, Iterated, () => run(controller.signal) as AsyncIterable<unknown>)
        const iterator = (parts as AsyncIterable<A>)[Symbol.asyncIterator]()
        yield* Effect.addFinalizer(() =>
          Effect.sync(
            () =>
              void Promise.resolve()
                .then(() => iterator.return?.())
                .catch(() => {})
          )
        )
        return Stream.repeatEffectOption(
          ask(by, Step, () => iterator.next() as Promise<typeof Step.Type>).pipe(
            Effect.mapError(Option.some),
            Effect.flatMap((next) =>
              next.done === true ? Effect.fail(Option.none()) : Effect.succeed(next.value)
            )
          )
        )
      })
    )
  }

/** The layer that was given, or the one that is made of a plain object. */
export const layerOf = <Port, Plain extends object, E>(
  given: Plain | Layer.Layer<Port, E>,
  make: (plain: Plain) => Layer.Layer<Port, E>
): Layer.Layer<Port, E> => (Layer.isLayer(given) ? (given as Layer.Layer<Port, E>) : make(given as Plain))

/** Takes what tells of things: called once, with a function that takes them. What it answers is called at the end. */
export type Listening<A> = (tell: (heard: A) => void) => void | (() => void)

/** Reports what the embedding program tells, until the scope ends. What is of another form is left out. */
export const hearing = Effect.fnUntraced(function* <A>(
  by: string,
  schema: Schema.Schema<A>,
  listen: Listening<A> | undefined,
  onError: OnError,
  report: (chunk: Chunk.Chunk<A>) => Effect.Effect<void>
) {
  if (listen === undefined) return
  const validate = ParseResult.validateEither(schema)
  const heard = yield* Queue.unbounded<A>()
  yield* Effect.acquireRelease(
    Effect.sync(() => listen((each) => void heard.unsafeOffer(each))),
    (stop) => Effect.sync(() => stop?.())
  )
  const usable = Stream.filterEffect(Stream.fromQueue(heard), (each) => {
    const checked = validate(each)
    if (Either.isRight(checked)) return Effect.succeed(true)
    const error = unusable(by, checked.left)
    return Effect.as(reported(onError, error, by, error.message), false)
  })
  yield* relay(usable, report)
})
