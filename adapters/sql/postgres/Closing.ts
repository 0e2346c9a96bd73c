import { Effect, type Scope } from "effect"
import { within } from "../../shared/Within.ts"
import type { Pool, PoolClient } from "./Driver.ts"

/** How long connections may take to end well. They do so at once, unless the server is away. */
const patience = "500 millis"

/** Ends in bounded time what ends of itself unless its other end says nothing more: that is destroyed. */
export const ending = (end: () => Promise<unknown>, destroy: () => void): Effect.Effect<void> =>
  Effect.zipRight(within(patience, Effect.promise(end)), Effect.sync(destroy))

/**
 * A pool that is closed at the end of the scope, in bounded time: what still waits for an answer then fails. A
 * connection that is lost while nobody uses it is replaced when it is needed.
 */
export const closing = <P extends Pool>(open: () => P): Effect.Effect<P, never, Scope.Scope> =>
  Effect.suspend(() => {
    const connected = new Set<PoolClient>()
    const destroy = () => {
      for (const { connection } of connected) connection.stream.destroy()
    }
    return Effect.acquireRelease(
      Effect.sync(() => {
        const pool = open()
        pool.on("error", () => undefined)
        pool.on("connect", (client) => connected.add(client))
        pool.on("remove", (client) => connected.delete(client))
        return pool
      }),
      (pool) => ending(() => pool.end(), destroy)
    )
  })
