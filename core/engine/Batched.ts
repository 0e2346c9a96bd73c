import { Array as Arr, Effect, Exit, FiberSet, type Scope } from "effect"

/**
 * Does together what is asked for at the same time in one workspace: `all` takes up to `most` items, in the order in
 * which they came, and answers one result for each. Workspaces do not wait for each other. Where `all` dies, each
 * item is tried by itself, so that one that is broken fails no other. What was asked for is done, even if its caller
 * does not wait for it any more.
 */
export const make = Effect.fnUntraced(function* <A, B>(
  most: number,
  workspaceOf: (item: A) => string,
  all: (workspace_id: string, items: Arr.NonEmptyReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
): Effect.fn.Return<(item: A) => Effect.Effect<B>, never, Scope.Scope> {
  interface Asked {
    readonly item: A
    readonly resume: (exit: Exit.Exit<B>) => void
  }
  const fork = yield* FiberSet.makeRuntime()
  /** Of the workspaces that have something under way: what waits behind it. */
  const queues = new Map<string, Array<Asked>>()

  const alone = (workspace_id: string, { item, resume }: Asked) =>
    Effect.map(Effect.exit(all(workspace_id, [item])), (exit) =>
      resume(Exit.map(exit, ([result]) => result!))
    )

  const drain = Effect.fnUntraced(function* (workspace_id: string) {
    // After all that is asked for right now.
    yield* Effect.yieldNow()
    for (;;) {
      const batch = queues.get(workspace_id)!.splice(0, most)
      if (!Arr.isNonEmptyArray(batch)) return void queues.delete(workspace_id)
      const exit = yield* Effect.exit(
        all(
          workspace_id,
          Arr.map(batch, ({ item }) => item)
        )
      )
      if (Exit.isSuccess(exit)) batch.forEach(({ resume }, i) => resume(Exit.succeed(exit.value[i]!)))
      else yield* Effect.forEach(batch, (asked) => alone(workspace_id, asked), { discard: true })
    }
  })

  /** Answers whether the workspace had nothing under way. */
  const enqueue = (workspace_id: string, asked: Asked): boolean => {
    const queue = queues.get(workspace_id)
    if (queue === undefined) queues.set(workspace_id, [asked])
    else queue.push(asked)
    return queue === undefined
  }

  return (item) =>
    Effect.async<B>((resume) => {
      const workspace_id = workspaceOf(item)
      if (enqueue(workspace_id, { item, resume })) fork(drain(workspace_id))
    })
})
