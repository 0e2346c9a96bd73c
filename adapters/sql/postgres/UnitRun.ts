import { Cause, Context, type Effect, Exit, Runtime, Scheduler } from "effect"
import { CurrentUnit, UnitWaited } from "../../shared/UnitOfWork.ts"
import type { ConnectionLanes, WaitingUnit } from "./ConnectionLanes.ts"
import type { Result } from "./Driver.ts"
import { type Fault, unavailable } from "./Faults.ts"
import { lockFor, shared } from "./Locks.ts"
import type { Session } from "./Session.ts"
import { PostgresUnit, release, savepoint } from "./Unit.ts"

const sorted = (keys: Iterable<number>): ReadonlyArray<number> =>
  [...keys].toSorted((left, right) => left - right)

export interface UnitRun {
  /** Undoes the unit unless it is being committed already; answers in any case. */
  readonly interrupt: () => void
}

/** Calls back once all that was committed before is on disk. */
export type Flush = (flushed: (fault: Fault | undefined) => void) => void

/**
 * Runs work as a unit: a transaction that begins with its first statement, in the lane of the workspace which that
 * statement names. In between its statements the work runs without a break, so that what waits for anything else
 * is found out at once, and dies with UnitWaited.
 */
export const ride = <A, E, R>(
  lanes: ConnectionLanes,
  flush: Flush,
  work: Effect.Effect<A, E, R>,
  caller: Runtime.Runtime<R>,
  known: ReadonlyArray<number>,
  answer: (exit: Exit.Exit<A, E>, again: ReadonlyArray<number> | undefined) => void
): UnitRun => {
  const scheduler = new Scheduler.SyncScheduler()
  const keys = new Set(known)
  /** How many locks there were at each savepoint that is open. */
  let marks: Array<number> = []
  const held: Array<{ readonly go: () => void; readonly fail: () => void }> = []
  let lane: number | undefined
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

  /** The server gives back the locks that were taken since a savepoint, though what was read under them is known. */
  const mark = (control: string) => {
    if (control === savepoint) marks.push(keys.size)
    else if (control === release) marks.pop()
    else if (keys.size > marks.at(-1)!) spoil({ defect: unavailable("a lock was lost"), again: true })
  }

  const send: PostgresUnit["send"] = (needed, query, answered) => {
    if (typeof query === "string") mark(query)
    const settle = (result: Result | undefined) => {
      if (answered === undefined) return
      awaited -= 1
      answered(unit.spoilt === undefined ? Exit.succeed(result!) : Exit.failCause(unit.spoilt))
      advance()
    }
    const go = () => {
      for (const key of needed) {
        if (keys.has(key)) continue
        keys.add(key)
        session!.send(lockFor(key), note)
      }
      session!.send(query, (fault, result) => {
        note(fault)
        settle(result)
      })
    }
    if (answered !== undefined) awaited += 1
    if (session !== undefined) return go()
    held.push({ go, fail: () => settle(undefined) })
    // A savepoint names no workspace: it waits for the first statement.
    if (lane !== undefined || typeof query === "string") return
    lane = known[0] ?? needed[0] ?? shared
    for (const key of needed.length === 0 ? [lane] : needed) keys.add(key)
    marks = marks.map(() => keys.size)
    lanes.join(lane, rider)
  }
  const unit = new PostgresUnit(send)

  const rider: WaitingUnit = {
    begin: (opened, done) => {
      session = opened
      ended = done
      session.begin(sorted(keys).map(lockFor), note)
      for (const { go } of held) go()
      if (exit !== undefined) end(exit)
    },
    lose: (fault) => {
      spoil(fault)
      if (exit === undefined) for (const { fail } of held) fail()
      else answer(Exit.failCause(unit.spoilt!), undefined)
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
      if (unit.spoilt !== undefined) {
        return answer(Exit.failCause(unit.spoilt), again ? sorted(keys) : undefined)
      }
      flush((fault) => answer(fault === undefined ? outcome : Exit.die(fault.defect), undefined))
    })
    ended()
  }

  const finish = (outcome: Exit.Exit<A, E>) => {
    exit = outcome
    unit.open = false
    scheduler.deferred = true
    if (session !== undefined) return end(outcome)
    if (unit.spoilt !== undefined) return answer(Exit.failCause(unit.spoilt), undefined)
    if (lane !== undefined && Exit.isSuccess(outcome)) return
    if (lane !== undefined) lanes.leave(lane, rider)
    answer(outcome, undefined)
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
        lanes.leave(lane!, rider)
        answer(Exit.interrupt(fiber.id()), undefined)
      }
    }
  }
}
