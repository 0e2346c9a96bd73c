import { Effect, Exit, type Scope } from "effect"

/**
 * Does together what is asked for at the same time: `all` takes up to `most` items, in the order in which they
 * came, and answers one result for each. Where it dies, each item is tried by itself, so that one that is broken
 * takes nobody with it. What was asked for is done, even if nobody waits for it any more.
 */
export const make = Effect.fnUntraced(function* <A, B>(
  most: number,
  all: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
): Effect.fn.Return<(item: A) => Effect.Effect<B>, never, Scope.Scope> {
  interface Asked {
    readonly item: A
    readonly resume: (exit: Exit.Exit<B>) => void
  }
  let waiting: Array<Asked> = []
  const asked = Effect.unsafeMakeLatch(false)

  const alone = ({ item, resume }: Asked) =>
    Effect.map(Effect.exit(all([item])), (exit) => resume(Exit.map(exit, ([result]) => result!)))

  const round = Effect.gen(function* () {
    yield* asked.await
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    if (waiting.length === 0) asked.unsafeClose()
    const exit = yield* Effect.exit(all(batch.map(({ item }) => item)))
    if (Exit.isSuccess(exit)) batch.forEach(({ resume }, i) => resume(Exit.succeed(exit.value[i]!)))
    else yield* Effect.forEach(batch, alone, { discard: true })
  })
  yield* Effect.forkScoped(Effect.forever(round))

  return (item) =>
    Effect.async<B>((resume) => {
      waiting.push({ item, resume })
      asked.unsafeOpen()
    })
})
