import { Cause, Context, Data, type Effect, Exit, Runtime, Scheduler } from "effect"
import { WorkspaceNotNamed } from "../../core/ports/Repository.ts"

/** The work of a transaction waited for something, which would have held up all others. */
export class UnitWaited extends Data.TaggedError("UnitWaited")<{ readonly message: string }> {}

/** The work of a transaction went on, in another fiber, after the transaction. */
export class UnitEnded extends Data.TaggedError("UnitEnded")<{ readonly message: string }> {}

/** The workspaces that a unit names: one, or several. */
export type Workspaces = string | ReadonlyArray<string>

const listOf = (workspaces: Workspaces): ReadonlyArray<string> =>
  typeof workspaces === "string" ? [workspaces] : workspaces

/** What the fibers of a unit of work share. A store that failed has spoilt the unit: it runs no more statements. */
export class Unit {
  open = true
  /** Whether it may have changed a row. A store that needs no such knowledge leaves it as it is. */
  wrote = false
  spoilt: Cause.Cause<never> | undefined = undefined
  /** What its work may touch; undefined of a single verb, which touches what it is asked for. */
  readonly workspaces: Workspaces | undefined

  constructor(workspaces?: Workspaces) {
    this.workspaces = workspaces
  }

  /** The defect of touching these workspaces, if the unit has not named them. */
  notNamed(touched: Workspaces): WorkspaceNotNamed | undefined {
    const { workspaces } = this
    if (workspaces === undefined || workspaces === touched) return undefined
    const workspace_id = listOf(touched).find((id) => !listOf(workspaces).includes(id))
    return workspace_id === undefined ? undefined : new WorkspaceNotNamed({ workspace_id })
  }

  /** Why the unit may not touch these workspaces now, if it may not. Touching what it has not named spoils it. */
  refusal(touched?: Workspaces): Cause.Cause<never> | undefined {
    if (!this.open) return Cause.die(new UnitEnded({ message: "the transaction is over" }))
    if (this.spoilt !== undefined) return this.spoilt
    const defect = touched === undefined ? undefined : this.notNamed(touched)
    if (defect !== undefined) this.spoilt = Cause.die(defect)
    return this.spoilt
  }
}

/** Marks the fibers of a unit. */
export class CurrentUnit extends Context.Tag("outdial/CurrentUnit")<CurrentUnit, Unit>() {}

/** What a unit's work takes over from the fiber that asks for it. */
export type Caller<R> = Pick<Runtime.Runtime<R>, "context" | "fiberRefs" | "runtimeFlags">

/**
 * Runs work from beginning to end, now, with nothing in between: in its caller's context, as `unit`. Work that
 * waits is interrupted and dies with UnitWaited.
 */
export const runUnit = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  { context, fiberRefs, runtimeFlags }: Caller<R>,
  unit: Unit
): Exit.Exit<A, E> => {
  const scheduler = new Scheduler.SyncScheduler()
  const runtime = Runtime.make({ context: Context.add(context, CurrentUnit, unit), fiberRefs, runtimeFlags })
  const fiber = Runtime.runFork(runtime)(work, { scheduler })
  scheduler.flush()
  const exit = fiber.unsafePoll()
  unit.open = false
  if (exit === null) fiber.unsafeInterruptAsFork(fiber.id())
  if (unit.spoilt !== undefined) return Exit.failCause(unit.spoilt)
  return exit ?? Exit.die(new UnitWaited({ message: "a transaction may not wait" }))
}

/** Runs a statement of a unit, unless the unit refuses it. A failure spoils the unit. */
export const inUnit = <A>(
  unit: Unit,
  touched: Workspaces | undefined,
  statement: () => A,
  defect: (error: unknown) => unknown
): Exit.Exit<A> => {
  const refusal = unit.refusal(touched)
  if (refusal !== undefined) return Exit.failCause(refusal)
  try {
    return Exit.succeed(statement())
  } catch (error) {
    unit.spoilt = Cause.die(defect(error))
    return Exit.failCause(unit.spoilt)
  }
}
