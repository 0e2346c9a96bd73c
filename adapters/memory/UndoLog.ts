import { Context, Effect, Exit, Fiber, identity, Option, type Runtime } from "effect"
import { CurrentUnit, inUnit, runUnit, Unit, UnitEnded, type Workspaces } from "../shared/UnitOfWork.ts"

/** A unit of work under way, and how to undo what it did. */
class UndoableUnit extends Unit {
  readonly undo: Array<() => void> = []

  rollBack(to: number) {
    while (this.undo.length > to) this.undo.pop()!()
  }
}

/** Whether the fiber that runs now began in a unit. */
const isOfUnit = (): boolean =>
  Option.exists(Fiber.getCurrentFiber(), ({ currentContext }) =>
    Option.isSome(Context.getOption(currentContext, CurrentUnit))
  )

/**
 * Units of work over data in memory. A unit runs from beginning to end with nothing in between, so no other work
 * sees a part of it; when it fails, what it did is undone, last thing first.
 */
export class UndoLog {
  #unit: UndoableUnit | undefined

  /** Registers how to take back the change that is about to be made. */
  undo(change: () => void): void {
    this.#unit?.undo.push(change)
  }

  /** What a verb is about to read or change, which its unit has to have named. */
  touch(workspaces: Workspaces): void {
    const defect = this.#unit?.notNamed(workspaces)
    if (defect !== undefined) throw defect
  }

  /** What reads or changes the data, in the unit under way or as one of its own. */
  verb<A>(body: () => A): Effect.Effect<A> {
    return Effect.suspend(() => {
      // While a unit runs, no fibers but its own do.
      if (this.#unit !== undefined) return inUnit(this.#unit, undefined, body, identity)
      if (isOfUnit()) return Exit.die(new UnitEnded({ message: "the transaction is over" }))
      return this.#as(new UndoableUnit(), (unit) => inUnit(unit, undefined, body, identity))
    })
  }

  readonly transaction = <A, E, R>(
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.runtime<R>(), (caller) => {
      const current = Context.getOption(caller.context as Context.Context<never>, CurrentUnit)
      return Option.isSome(current)
        ? this.#join(current.value as UndoableUnit, workspaces, work)
        : this.#run(workspaces, work, caller)
    })

  /** Runs `body` as a unit, and undoes what it did when it fails. */
  #as<A, E>(unit: UndoableUnit, body: (unit: UndoableUnit) => Exit.Exit<A, E>): Exit.Exit<A, E> {
    const outer = this.#unit
    this.#unit = unit
    const exit = body(unit)
    this.#unit = outer
    if (Exit.isFailure(exit)) unit.rollBack(0)
    return exit
  }

  #join<A, E, R>(
    unit: UndoableUnit,
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const refusal = unit.refusal(workspaces)
      if (refusal !== undefined) return Exit.failCause(refusal)
      const start = unit.undo.length
      return Effect.onExit(work, (exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit) && unit.open) unit.rollBack(start)
        })
      )
    })
  }

  #run<A, E, R>(
    workspaces: Workspaces,
    work: Effect.Effect<A, E, R>,
    caller: Runtime.Runtime<R>
  ): Exit.Exit<A, E> {
    return this.#as(new UndoableUnit(workspaces), (unit) => runUnit(work, caller, unit))
  }
}
