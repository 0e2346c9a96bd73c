import { Cause, Context, Data, type Effect, Exit, Runtime, Scheduler } from "effect"

/** The work of a transaction waited for something, which would have held up all others. */
export class UnitWaited extends Data.TaggedError("UnitWaited")<{ readonly message: string }> {}

/** The work of a transaction went on, in another fiber, after the transaction. */
export class UnitEnded extends Data.TaggedError("UnitEnded")<{ readonly message: string }> {}

/** What the fibers of a unit of work share. A store that failed has spoilt the unit: it runs no more statements. */
export class Unit {
  open = true
  spoilt: Cause.Cause<never> | undefined = undefined
}

/** Marks the fibers of a unit. */
export class CurrentUnit extends Context.Tag("outdial/CurrentUnit")<CurrentUnit, Unit>() {}

/**
 * Runs work from beginning to end, now, with nothing in between: in its caller's context, as `unit`. Work that
 * waits is interrupted and dies with UnitWaited.
 */
export const runUnit = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  caller: Runtime.Runtime<R>,
  unit: Unit
): Exit.Exit<A, E> => {
  const scheduler = new Scheduler.SyncScheduler()
  const runtime = Runtime.make({ ...caller, context: Context.add(caller.context, CurrentUnit, unit) })
  const fiber = Runtime.runFork(runtime)(work, { scheduler })
  scheduler.flush()
  const exit = fiber.unsafePoll()
  unit.open = false
  if (exit === null) fiber.unsafeInterruptAsFork(fiber.id())
  if (unit.spoilt !== undefined) return Exit.failCause(unit.spoilt)
  return exit ?? Exit.die(new UnitWaited({ message: "a transaction may not wait" }))
}

/** Runs a statement of a unit, unless the unit is spoilt or over. A failure spoils it. */
export const inUnit = <A>(
  unit: Unit,
  statement: () => A,
  defect: (error: unknown) => unknown
): Exit.Exit<A> => {
  if (!unit.open) return Exit.die(new UnitEnded({ message: "the transaction is over" }))
  if (unit.spoilt !== undefined) return Exit.failCause(unit.spoilt)
  try {
    return Exit.succeed(statement())
  } catch (error) {
    unit.spoilt = Cause.die(defect(error))
    return Exit.failCause(unit.spoilt)
  }
}
