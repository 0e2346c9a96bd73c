import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import type { ClusterOptions } from "../../../adapters/cluster/Config.ts"
import * as Cluster from "../../../adapters/cluster/Dispatcher.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { layer as clientLayer } from "../../../adapters/sql/postgres/Client.ts"
import { DueWork } from "../../../core/engine/DueWork.ts"
import { Dispatcher } from "../../../core/ports/Dispatcher.ts"
import { Repository } from "../../../core/ports/Repository.ts"

/** What the loops of all members have done. */
export interface Book {
  /** Workspaces that have work; a loop ends once its workspace is not among them. */
  readonly busy: Set<string>
  /** The member that runs a workspace's loop now. */
  readonly running: Map<string, string>
  /** Rounds of a workspace's loop so far. */
  readonly rounds: Map<string, number>
  /** Workspaces whose loop ran at two members at once. */
  readonly twice: Set<string>
  /** For how many milliseconds the store holds up the sweep that comes next. */
  holdUp: number
}

export const makeBook = (): Book => ({
  busy: new Set(),
  running: new Map(),
  rounds: new Map(),
  twice: new Set(),
  holdUp: 0
})

/** Loops that do nothing but write down where and how often they run. */
const loops = (name: string, book: Book) =>
  Layer.succeed(DueWork, {
    run: (workspace_id, wake) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          if (book.running.has(workspace_id)) book.twice.add(workspace_id)
          book.running.set(workspace_id, name)
        }),
        () =>
          Effect.repeat(
            Effect.suspend(() => {
              book.rounds.set(workspace_id, (book.rounds.get(workspace_id) ?? 0) + 1)
              return book.busy.has(workspace_id) ? Effect.as(wake.await, true) : Effect.succeed(false)
            }),
            { while: (goesOn) => goesOn }
          ),
        () =>
          Effect.sync(() => {
            if (book.running.get(workspace_id) === name) book.running.delete(workspace_id)
          })
      ).pipe(Effect.asVoid)
  })

/** A sweep finds those that are busy. */
const busyOnes = (book: Book) =>
  Layer.effect(
    Repository,
    Effect.map(Repository, (repository) =>
      Repository.of({
        ...repository,
        workspaces: {
          ...repository.workspaces,
          withWork: Effect.suspend(() => {
            const { holdUp } = book
            book.holdUp = 0
            return Effect.delay(
              Effect.sync(() => [...book.busy]),
              holdUp
            )
          })
        }
      })
    )
  ).pipe(Layer.provide(MemoryRepository.layer))

/** A member of the cluster on this database, as a process of its own would be; `leave` is its orderly end. */
export const join = Effect.fnUntraced(function* (
  url: string,
  name: string,
  book: Book,
  cluster: Partial<ClusterOptions> = {}
) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const { wake } = yield* Layer.buildWithScope(
    Cluster.layer({ host: "127.0.0.1", port: 0, health: { _tag: "Ping" }, ...cluster }).pipe(
      Layer.provide([loops(name, book), busyOnes(book), clientLayer(Redacted.make(url))])
    ),
    scope
  ).pipe(Effect.map((context) => context.unsafeMap.get(Dispatcher.key) as Dispatcher["Type"]))
  return { name, wake, leave: Scope.close(scope, Exit.void) }
})
