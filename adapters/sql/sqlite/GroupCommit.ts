import { Cause, type Context, Effect, Exit, FiberId, FiberRef, RuntimeFlags } from "effect"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import type { Flush } from "../Flushes.ts"
import { type Caller, runUnit, Unit, type Workspaces } from "../../shared/UnitOfWork.ts"

interface Waiting {
  /** Whether its caller was interrupted meanwhile, and may be. */
  readonly isLeft: () => boolean
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
  /** Whether the connection is in the midst of a group. */
  readonly underWay: () => boolean
  /** Runs what waits, and refuses what comes after. Completes when all is on disk. */
  readonly close: Effect.Effect<void>
}

const isUnavailable = (cause: Cause.Cause<never> | undefined): boolean =>
  cause !== undefined && Cause.squash(cause) instanceof StoreUnavailable

const interrupted = Exit.interrupt(FiberId.none)

/** Units in one commit at most: what bounds the time for which the event loop stands still. */
const cap = 256

/** How many groups run guarded after one that had to run again. */
const guardedFor = 64

/**
 * Runs units one after the other on a connection and commits all that wait at once: one flush to disk for the
 * whole group. A unit that fails undoes no other; when BEGIN or COMMIT fails, so do all. A group runs from BEGIN to
 * COMMIT without a break: nothing else of this process runs meanwhile, and no unit is interrupted half way. `control`
 * runs a statement at once, or throws. COMMIT may leave to `flush` what has to be on disk before the group is answered.
 * A flush that fails fails the group, which is stored or not.
 *
 * A savepoint for each unit is a tenth of the processor time of `POST /calls`, so a group runs without them. When a unit
 * that has written fails, the group is rolled back and runs once more, guarded: each unit has a savepoint of its own. The
 * next groups are guarded too, so that units which fail again and again do not make every group run twice.
 */
export const make = (control: (sql: string) => void, flush: Flush<unknown>): GroupCommit => {
  // No Set, which would have requests outlive collections of garbage: see apps/platform/RootFibers.ts.
  const waiting: Array<Waiting> = []
  let scheduled = false
  let closed = false
  let underWay = false
  let guardedLeft = 0
  /** Whether the group has something to flush. */
  let wrote = false
  /** Groups that are committed and may not be on disk. */
  let unflushed = 0
  let drained = () => {}

  const rollback = () => {
    try {
      control("rollback")
    } catch {
      // The store has rolled back by itself, as it does when the disk is full.
    }
  }

  /** Answers null when the group is undone, and has to run again guarded. */
  const commit = (
    group: ReadonlyArray<Waiting>,
    guarded: boolean
  ): ReadonlyArray<Exit.Exit<unknown, unknown>> | null => {
    const exits: Array<Exit.Exit<unknown, unknown>> = []
    const alone = group.length === 1
    let spoilt: Exit.Exit<unknown, unknown> | undefined
    wrote = false
    try {
      control("begin immediate")
      for (const { lone, run, workspaces } of group) {
        const saved = guarded && !lone && !alone
        if (saved) control("savepoint unit")
        const unit = new Unit(workspaces)
        const exit = run(unit)
        wrote ||= unit.wrote && Exit.isSuccess(exit)
        exits.push(exit)
        spoilt = unit.spoilt === undefined ? undefined : exit
        if (Exit.isFailure(exit)) {
          if (saved) control("rollback to savepoint unit")
          else if (alone) control("rollback")
          // A store that is full or broken may have undone the whole group.
          else if (unit.wrote || isUnavailable(unit.spoilt)) {
            if (guarded) throw exit
            rollback()
            return null
          }
        }
        if (saved) control("release savepoint unit")
        spoilt = undefined
      }
      if (!alone || Exit.isSuccess(exits[0]!)) control("commit")
      return exits
    } catch (cause) {
      rollback()
      const lost = spoilt ?? Exit.die(new StoreUnavailable({ cause }))
      return group.map(() => lost)
    }
  }

  const commitAll = (group: ReadonlyArray<Waiting>) => {
    if (guardedLeft > 0) guardedLeft -= 1
    else {
      const exits = commit(group, false)
      if (exits !== null) return exits
      guardedLeft = guardedFor
    }
    return commit(group, true)!
  }

  /** Whether a unit is still wanted. One that is not is over. */
  const isWanted = ({ isLeft, resume }: Waiting) => {
    const left = isLeft()
    if (left) resume(interrupted)
    return !left
  }

  const next = () => {
    const group = waiting.splice(0, cap).filter(isWanted)
    if (group.length === 0) return
    underWay = true
    const exits = commitAll(group)
    underWay = false
    // A group that has only read may have seen what is not on disk.
    if (!wrote && unflushed === 0) return group.forEach(({ resume }, index) => resume(exits[index]!))
    unflushed += 1
    flush((cause) => {
      unflushed -= 1
      const lost = cause === undefined ? undefined : Exit.die(new StoreUnavailable({ cause }))
      group.forEach(({ resume }, index) => resume(lost ?? exits[index]!))
      if (unflushed === 0) drained()
    })
  }

  // After the input that has already arrived: requests that came together are committed together.
  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      next()
      if (waiting.length > 0) schedule()
    })
  }

  /** A unit whose caller is interrupted before its turn does not run; after it, the caller waits until all is on disk. */
  const wait = <A, E, R>(
    workspaces: Workspaces,
    lone: boolean,
    run: (unit: Unit, caller: Caller<R>) => Exit.Exit<A, E>
  ): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber, { runtimeFlags }) => {
      const isLeft = () =>
        RuntimeFlags.interruptible(runtimeFlags) &&
        !Cause.isEmpty(fiber.getFiberRef(FiberRef.interruptedCause))
      const joined = Effect.async<A, E>((resume) => {
        if (closed) {
          resume(Effect.die(new StoreUnavailable({ cause: new Error("the store is closed") })))
          return
        }
        waiting.push({
          isLeft,
          workspaces,
          lone,
          run: (unit) =>
            run(unit, {
              context: fiber.currentContext as Context.Context<R>,
              fiberRefs: fiber.getFiberRefs(),
              runtimeFlags
            }),
          resume: resume as Waiting["resume"]
        })
        schedule()
      })
      return Effect.uninterruptible(joined)
    })

  return {
    transaction: <A, E, R>(workspaces: Workspaces, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      wait(workspaces, false, (unit, caller) => runUnit(work, caller, unit)),
    statement: (workspace_id, run) => wait(workspace_id, true, run),
    underWay: () => underWay,
    close: Effect.async<void>((resume) => {
      closed = true
      while (waiting.length > 0) next()
      drained = () => resume(Effect.void)
      if (unflushed === 0) drained()
    })
  }
}
