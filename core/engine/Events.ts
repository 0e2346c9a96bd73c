import { Context, Effect, Layer, type Option, Queue, type Scope, Stream } from "effect"
import type { WebhookEvent } from "../model/webhooks/Webhook.ts"
import { Repository } from "../ports/Repository.ts"

/** The events of the unit under way, to be told when it is committed. It is there only while there are listeners. */
class Untold extends Context.Tag("outdial/Untold")<Untold, Array<WebhookEvent>>() {}

/** How many events a listener may be behind before it loses the oldest of them. */
export const mostBehind = 16_384

/** Where the unit under way notes what is to be told; none when there is no listener. */
export const listening: Effect.Effect<Option.Option<Array<WebhookEvent>>> = Effect.serviceOption(Untold)

type Transaction = Context.Tag.Service<Repository>["transaction"]

/**
 * A transaction that tells, once it is committed, what its work has noted. What a unit within it has noted is
 * forgotten when that unit alone is undone.
 */
const telling =
  (
    transaction: Transaction,
    isHeard: () => boolean,
    tell: (events: ReadonlyArray<WebhookEvent>) => Effect.Effect<void>
  ) =>
  <A, E, R>(
    workspaces: string | ReadonlyArray<string>,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) => {
      const outer = fiber.currentContext.unsafeMap.get(Untold.key) as Array<WebhookEvent> | undefined
      if (outer !== undefined) {
        const before = outer.length
        return Effect.tapErrorCause(transaction(workspaces, work), () =>
          Effect.sync(() => {
            outer.length = before
          })
        )
      }
      if (!isHeard()) return transaction(workspaces, work)
      const noted: Array<WebhookEvent> = []
      const noting = Effect.suspend(() => {
        // A store may run work a second time.
        noted.length = 0
        return Effect.provideService(work, Untold, noted)
      })
      return Effect.tap(transaction(workspaces, noting), () =>
        noted.length === 0 ? Effect.void : tell(noted)
      )
    })

const make = Effect.map(Repository, (repository) => {
  const listeners = new Set<Queue.Enqueue<WebhookEvent>>()
  const tell = (events: ReadonlyArray<WebhookEvent>) =>
    Effect.forEach(listeners, (listener) => listener.offerAll(events), { discard: true })
  const subscribe: EventsShape["subscribe"] = Effect.acquireRelease(
    Effect.tap(Queue.sliding<WebhookEvent>(mostBehind), (queue) => listeners.add(queue)),
    (queue) => {
      listeners.delete(queue)
      return Queue.shutdown(queue)
    }
  ).pipe(Effect.map((queue) => Stream.fromQueue(queue)))
  const told = { ...repository, transaction: telling(repository.transaction, () => listeners.size > 0, tell) }
  return Context.make(Events, { subscribe }).pipe(Context.add(Repository, told))
})

export interface EventsShape {
  /**
   * Every event from now on, in the order of the commits of this process: what webhooks would be told, whether
   * there are any or not. No unit waits for a listener. One that is more than `mostBehind` events behind loses the
   * oldest: what must not be lost goes to a webhook. Without a listener nothing is made.
   */
  readonly subscribe: Effect.Effect<Stream.Stream<WebhookEvent>, never, Scope.Scope>
}

/** Everything that happens to the calls of this process, as it happens. */
export class Events extends Context.Tag("outdial/Events")<Events, EventsShape>() {
  /** Takes a repository, and gives one whose commits are told. */
  static readonly layer: Layer.Layer<Events | Repository, never, Repository> = Layer.effectContext(make)
}
