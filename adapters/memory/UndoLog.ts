import { Context, Data, Effect, Exit, Fiber, Option, Runtime, Scheduler } from "effect"

/** The work of a transaction waited for something, which would have held up everybody's. */
export class UnitWaited extends Data.TaggedError("UnitWaited")<{ readonly message: string }> {}

/** The work of a transaction went on, in another fiber, after the transaction. */
export class UnitEnded extends Data.TaggedError("UnitEnded")<{ readonly message: string }> {}

/** A unit of work under way: how to undo it, and whether it is spoilt by a verb that failed. */
interface Unit {
  readonly undo: Array<() => void>
  open: boolean
  spoilt: { readonly defect: unknown } | undefined
}

/** Runs a unit from beginning to end: nobody else is to run meanwhile. */
class UnitScheduler extends Scheduler.SyncScheduler {
  override shouldYield(): false {
    return false
  }
}

class CurrentUnit extends Context.Tag("outdial/memory/CurrentUnit")<CurrentUnit, Unit>() {}

const rollBack = (unit: Unit, to: number) => {
  while (unit.undo.length > to) unit.undo.pop()!()
}

/** A verb of a unit under way. */
const within = <A>(unit: Unit, body: () => A): A => {
  if (unit.spoilt !== undefined) throw unit.spoilt.defect
  try {
    return body()
  } catch (defect) {
    unit.spoilt = { defect }
    throw defect
  }
}

/** Whether the fiber that runs now began in a unit. */
const isOfUnit = (): boolean =>
  Option.exists(Fiber.getCurrentFiber(), ({ currentContext }) =>
    Option.isSome(Context.getOption(currentContext, CurrentUnit))
  )

/**
 * Units of work over data in memory. A unit runs from beginning to end with nothing in between, so nobody sees
 * a part of it; when it fails, what it did is undone, last thing first.
 */
export class UndoLog {
  #unit: Unit | undefined

  /** Registers how to take back the change that is about to be made. */
  undo(change: () => void): void {
    this.#unit?.undo.push(change)
  }

  /** What reads or changes the data, in the unit under way or as one of its own. */
  verb<A>(body: () => A): Effect.Effect<A> {
    return Effect.sync(() => {
      // While a unit runs nobody but its own fibers do.
      if (this.#unit !== undefined) return within(this.#unit, body)
      if (isOfUnit()) throw new UnitEnded({ message: "the transaction is over" })
      return this.#alone(body)
    })
  }

  readonly transaction = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Effect.runtime<R>(), (caller) => {
      const current = Context.getOption(caller.context as Context.Context<never>, CurrentUnit)
      return Option.isSome(current) ? this.#join(current.value, work) : this.#run(work, caller)
    })

  #alone<A>(body: () => A): A {
    const unit: Unit = { undo: [], open: true, spoilt: undefined }
    this.#unit = unit
    try {
      return body()
    } catch (defect) {
      rollBack(unit, 0)
      throw defect
    } finally {
      this.#unit = undefined
    }
  }

  #join<A, E, R>(unit: Unit, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const start = unit.undo.length
      return Effect.onExit(work, (exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit) && unit.open) rollBack(unit, start)
        })
      )
    })
  }

  #run<A, E, R>(work: Effect.Effect<A, E, R>, caller: Runtime.Runtime<R>): Exit.Exit<A, E> {
    const unit: Unit = { undo: [], open: true, spoilt: undefined }
    const outer = this.#unit
    const scheduler = new UnitScheduler()
    const runtime = Runtime.make({ ...caller, context: Context.add(caller.context, CurrentUnit, unit) })
    this.#unit = unit
    const fiber = Runtime.runFork(runtime)(work, { scheduler })
    scheduler.flush()
    this.#unit = outer
    unit.open = false
    const ended = fiber.unsafePoll()
    if (ended === null) fiber.unsafeInterruptAsFork(fiber.id())
    const exit =
      unit.spoilt === undefined
        ? (ended ?? Exit.die(new UnitWaited({ message: "a transaction may not wait" })))
        : Exit.die(unit.spoilt.defect)
    if (Exit.isFailure(exit)) rollBack(unit, 0)
    return exit
  }
}
