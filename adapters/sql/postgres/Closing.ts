import { Effect, type Scope } from "effect"
import { within } from "../../shared/Within.ts"
import type { Pool, PoolClient } from "./Driver.ts"

/** How long connections may take to end well. They end at once, unless the server does not answer. */
const patience = "500 millis"

/** Ends a connection, or several, in bounded time: what the other end does not let go is destroyed. */
export const ending = (end: () => Promise<unknown>, destroy: () => void): Effect.Effect<void> =>
  Effect.zipRight(within(patience, Effect.promise(end)), Effect.sync(destroy))

/**
 * A pool that is closed at the end of the scope, in bounded time: a query that still waits for its answer then fails.
 * A connection that is lost while it is idle is replaced when it is needed.
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
