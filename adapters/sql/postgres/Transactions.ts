import { Effect, Exit, type Runtime } from "effect"
import type { Workspaces } from "../../shared/UnitOfWork.ts"
import { within } from "../../shared/Within.ts"
import type { Flush } from "../Flushes.ts"
import type { ConnectionLanes } from "./ConnectionLanes.ts"
import { type Fault, unavailable } from "./Faults.ts"
import { startUnit, type UnitRun } from "./UnitRun.ts"

/** How often a unit is run at most when it was undone by a deadlock, or by a changed layout. */
const tries = 5

/** How long what is under way may take when the store is closed. */
const patience = "2 seconds"

/**
 * Runs work as a unit, and anew when a deadlock or a changed layout has undone it. `close` refuses what comes after,
 * and waits a moment for what is under way.
 */
export const makeTransactions = (lanes: ConnectionLanes, flush: Flush<Fault>) => {
  const open = new Set<object>()
  const drained = Effect.unsafeMakeLatch(true)
  let closed = false

  const begin = <A, E, R>(
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>,
    caller: Runtime.Runtime<R>,
    done: (exit: Exit.Exit<A, E>) => void
  ): (() => void) => {
    if (closed) {
      done(Exit.die(unavailable("the store is closed")))
      return () => undefined
    }
    const mark = {}
    let left = tries
    let wanted = true
    let current: UnitRun | undefined
    const go = () => {
      left -= 1
      current = startUnit(lanes, flush, workspaces, work, caller, (exit, again) => {
        if (again && left > 0 && wanted) return go()
        open.delete(mark)
        if (open.size === 0) drained.unsafeOpen()
        done(exit)
      })
    }
    open.add(mark)
    drained.unsafeClose()
    go()
    return () => {
      wanted = false
      current?.interrupt()
    }
  }

  const transaction = <A, E, R>(
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.runtime<R>(), (caller) =>
      Effect.async<A, E>((resume) => {
        const over = Effect.unsafeMakeLatch(false)
        const interrupt = begin(workspaces, work, caller, (exit) => {
          resume(exit)
          over.unsafeOpen()
        })
        return Effect.zipRight(Effect.sync(interrupt), over.await)
      })
    )

  const close = Effect.suspend(() => {
    closed = true
    return within(patience, drained.await)
  })

  return { transaction, close }
}
