import { Cause, Context, type Effect, Exit, Runtime, Scheduler } from "effect"
import type { Flush } from "../Flushes.ts"
import { CurrentUnit, UnitWaited, type Workspaces } from "../../shared/UnitOfWork.ts"
import type { ConnectionLanes, WaitingUnit } from "./ConnectionLanes.ts"
import type { Result } from "./Driver.ts"
import { type Fault, unavailable } from "./Faults.ts"
import { keysOf, lockFor } from "./Locks.ts"
import type { Session } from "./Session.ts"
import { PostgresUnit } from "./Unit.ts"

export interface UnitRun {
  /** Undoes the unit unless it is being committed already; answers in any case. */
  readonly interrupt: () => void
}

/**
 * Runs work as a unit: a transaction that begins with its first statement, in the lane of its first workspace, and
 * takes the locks of all of them at once. In between its statements the work runs without a break, so that what waits
 * for anything else is found out at once, and dies with UnitWaited. `again` says that nothing happened, and that the
 * same work may succeed in another run.
 */
export const startUnit = <A, E, R>(
  lanes: ConnectionLanes,
  flush: Flush<Fault>,
  workspaces: Workspaces,
  work: Effect.Effect<A, E, R>,
  caller: Runtime.Runtime<R>,
  answer: (exit: Exit.Exit<A, E>, again: boolean) => void
): UnitRun => {
  const scheduler = new Scheduler.SyncScheduler()
  const keys = keysOf(workspaces)
  const lane = keys[0] ?? 0
  /** What was sent before there was a connection. */
  const held: Array<{ readonly go: () => void; readonly fail: () => void }> = []
  let joined = false
  let session: Session | undefined
  let ended: () => void = () => undefined
  let exit: Exit.Exit<A, E> | undefined
  let awaited = 0
  let again = false
  let running = true

  const spoil = ({ again: mayRepeat, defect }: Pick<Fault, "again" | "defect">) => {
    if (unit.spoilt !== undefined) return
    unit.spoilt = Cause.die(defect)
    again = mayRepeat
  }
  const note = (fault: Fault | undefined) => {
    if (fault !== undefined) spoil(fault)
  }

  const unit = new PostgresUnit(workspaces, (query, answered) => {
    const settle = (result: Result | undefined) => {
      if (answered === undefined) return
      awaited -= 1
      answered(unit.spoilt === undefined ? Exit.succeed(result!) : Exit.failCause(unit.spoilt))
      advance()
    }
    const go = () =>
      session!.send(query, (fault, result) => {
        note(fault)
        settle(result)
      })
    if (answered !== undefined) awaited += 1
    if (session !== undefined) return go()
    held.push({ go, fail: () => settle(undefined) })
    if (joined) return
    joined = true
    lanes.join(lane, waiting)
  })

  const waiting: WaitingUnit = {
    begin: (opened, done) => {
      session = opened
      ended = done
      session.begin(keys.map(lockFor), note)
      for (const { go } of held) go()
      if (exit !== undefined) end(exit)
    },
    lose: (fault) => {
      spoil(fault)
      if (exit === undefined) for (const { fail } of held) fail()
      else answer(Exit.failCause(unit.spoilt!), false)
    }
  }

  /** The commit is sent behind all statements: should one of them have failed, the server rolls back instead. */
  const end = (outcome: Exit.Exit<A, E>) => {
    const good = Exit.isSuccess(outcome) && unit.spoilt === undefined
    session!.send(good ? "commit" : "rollback", (fault, result) => {
      if (good) note(fault)
      if (good && unit.spoilt === undefined && result?.command !== "COMMIT") {
        spoil({ defect: unavailable("a transaction was not committed"), again: false })
      }
      if (unit.spoilt !== undefined) return answer(Exit.failCause(unit.spoilt), again)
      flush((fault) => answer(fault === undefined ? outcome : Exit.die(fault.defect), false))
    })
    ended()
  }

  const finish = (outcome: Exit.Exit<A, E>) => {
    exit = outcome
    unit.open = false
    scheduler.deferred = true
    if (session !== undefined) return end(outcome)
    const good = Exit.isSuccess(outcome) && unit.spoilt === undefined
    // What it has written goes out with the connection that it waits for.
    if (joined && good) return
    if (joined) lanes.leave(lane, waiting)
    answer(unit.spoilt === undefined ? outcome : Exit.failCause(unit.spoilt), false)
  }

  const advance = () => {
    if (running || exit !== undefined) return
    running = true
    scheduler.flush()
    running = false
    const outcome = fiber.unsafePoll()
    if (outcome !== null) return finish(outcome)
    scheduler.deferred = false
    if (awaited > 0) return
    finish(Exit.die(new UnitWaited({ message: "a transaction may not wait" })))
    fiber.unsafeInterruptAsFork(fiber.id())
  }

  const runtime = Runtime.make({ ...caller, context: Context.add(caller.context, CurrentUnit, unit) })
  const fiber = Runtime.runFork(runtime)(work, { scheduler })
  running = false
  advance()

  return {
    interrupt: () => {
      if (exit === undefined) {
        fiber.unsafeInterruptAsFork(fiber.id())
        advance()
      } else if (session === undefined) {
        lanes.leave(lane, waiting)
        answer(Exit.interrupt(fiber.id()), false)
      }
    }
  }
}
