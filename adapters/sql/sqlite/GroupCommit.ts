import { Cause, Effect, Exit } from "effect"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { runUnit, Unit, type Workspaces } from "../../shared/UnitOfWork.ts"

interface Waiting {
  readonly workspaces: Workspaces
  /** One statement, which the store undoes by itself when it fails. */
  readonly lone: boolean
  readonly run: (unit: Unit) => Exit.Exit<unknown, unknown>
  readonly resume: (exit: Exit.Exit<unknown, unknown>) => void
}

export interface GroupCommit {
  /** Runs work as one unit, together with all others that wait for their turn. */
  readonly transaction: <A, E, R>(
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E, R>
  /** Runs a single statement as one unit. */
  readonly statement: <A>(workspace_id: string, run: (unit: Unit) => Exit.Exit<A>) => Effect.Effect<A>
  /** Runs what waits, and refuses what comes after. */
  readonly close: () => void
}

const isUnavailable = (cause: Cause.Cause<never> | undefined): boolean =>
  cause !== undefined && Cause.squash(cause) instanceof StoreUnavailable

/** Units in one commit at most: what bounds the time for which the event loop stands still. */
const cap = 256

/**
 * Runs units one after the other on a connection and commits all that wait at once: one flush to disk for the
 * whole group. Each has a savepoint of its own, so that a unit that fails undoes no other; when BEGIN or
 * COMMIT fails, so do all. A group runs from BEGIN to COMMIT without a break: nothing else of this process
 * runs meanwhile, and no unit is interrupted half way. `control` runs a statement at once, or throws.
 */
export const make = (control: (sql: string) => void): GroupCommit => {
  const waiting = new Set<Waiting>()
  let scheduled = false
  let closed = false

  const commit = (group: ReadonlyArray<Waiting>): ReadonlyArray<Exit.Exit<unknown, unknown>> => {
    const exits: Array<Exit.Exit<unknown, unknown>> = []
    const alone = group.length === 1
    let spoilt: Exit.Exit<unknown, unknown> | undefined
    try {
      control("begin immediate")
      for (const { lone, run, workspaces } of group) {
        const bare = lone && !alone
        if (!alone && !bare) control("savepoint unit")
        const unit = new Unit(workspaces)
        const exit = run(unit)
        exits.push(exit)
        spoilt = unit.spoilt === undefined ? undefined : exit
        if (bare) {
          // A store that is full or broken may have undone the whole group.
          if (spoilt !== undefined && isUnavailable(unit.spoilt)) throw spoilt
          spoilt = undefined
          continue
        }
        if (Exit.isFailure(exit)) control(alone ? "rollback" : "rollback to savepoint unit")
        if (!alone) control("release savepoint unit")
        spoilt = undefined
      }
      if (!alone || Exit.isSuccess(exits[0]!)) control("commit")
      return exits
    } catch (cause) {
      try {
        control("rollback")
      } catch {
        // The store has rolled back by itself, as it does when the disk is full.
      }
      const lost = spoilt ?? Exit.die(new StoreUnavailable({ cause }))
      return group.map(() => lost)
    }
  }

  const next = () => {
    const group: Array<Waiting> = []
    for (const unit of waiting) {
      if (group.length === cap) break
      group.push(unit)
      waiting.delete(unit)
    }
    if (group.length === 0) return
    const exits = commit(group)
    group.forEach(({ resume }, index) => resume(exits[index]!))
  }

  // After the input that has already arrived: requests that came together are committed together.
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      next()
      if (waiting.size > 0) schedule()
    })
  }

  const wait = <A, E>(workspaces: Workspaces, lone: boolean, run: (unit: Unit) => Exit.Exit<A, E>) =>
    Effect.async<A, E>((resume) => {
      if (closed) {
        resume(Effect.die(new StoreUnavailable({ cause: new Error("the store is closed") })))
        return
      }
      const unit: Waiting = { workspaces, lone, run, resume: (exit) => resume(exit as Exit.Exit<A, E>) }
      waiting.add(unit)
      schedule()
      return Effect.sync(() => waiting.delete(unit))
    })

  return {
    transaction: <A, E, R>(workspaces: Workspaces, work: Effect.Effect<A, E, R>) =>
      Effect.flatMap(Effect.runtime<R>(), (caller) =>
        wait(workspaces, false, (unit) => runUnit(work, caller, unit))
      ),
    statement: (workspace_id, run) => wait(workspace_id, true, run),
    close: () => {
      closed = true
      while (waiting.size > 0) next()
    }
  }
}
