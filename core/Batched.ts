import { Deferred, Effect, Queue, type Scope } from "effect"

/**
 * Does together what is asked for at the same time: `all` takes up to `most` items, in the order in which they
 * came, and answers one result for each. Where it dies, each item is tried by itself, so that one that is broken
 * takes nobody with it.
 */
export const make = Effect.fnUntraced(function* <A, B>(
  most: number,
  all: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
): Effect.fn.Return<(item: A) => Effect.Effect<B>, never, Scope.Scope> {
  const asked = yield* Queue.unbounded<{ readonly item: A; readonly done: Deferred.Deferred<B> }>()

  const alone = (item: A) => Effect.map(all([item]), ([result]) => result!)

  const round = Effect.gen(function* () {
    const batch = [...(yield* Queue.takeBetween(asked, 1, most))]
    yield* all(batch.map(({ item }) => item)).pipe(
      Effect.map((results) => {
        batch.forEach(({ done }, i) => Deferred.unsafeDone(done, Effect.succeed(results[i]!)))
      }),
      Effect.catchAllDefect(() =>
        Effect.forEach(batch, ({ done, item }) => Deferred.complete(done, alone(item)), { discard: true })
      )
    )
  })
  yield* Effect.forkScoped(Effect.forever(round))

  return (item) =>
    Effect.flatMap(Deferred.make<B>(), (done) =>
      Effect.zipRight(Queue.offer(asked, { item, done }), Deferred.await(done))
    )
})
