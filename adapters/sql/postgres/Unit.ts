import { Cause, Effect, Exit } from "effect"
import { Unit, UnitEnded } from "../../shared/UnitOfWork.ts"
import type { Param } from "../Database.ts"
import type { Query, Result } from "./Driver.ts"
import { keyOf, shared } from "./Locks.ts"
import { prepare, type Prepared } from "./StatementCache.ts"
import { values } from "./Values.ts"

type Answered = (exit: Exit.Exit<Result>) => void

/** A unit's way to the server. */
export class PostgresUnit extends Unit {
  /**
   * Sends a query once the locks for `keys` are asked for. Without `answered` nobody waits for what comes of it: a
   * failure spoils the unit all the same.
   */
  readonly send: (keys: ReadonlyArray<number>, query: Query | string, answered?: Answered) => void

  constructor(send: PostgresUnit["send"]) {
    super()
    this.send = send
  }

  /** Why the unit takes no more statements. */
  get refusal(): Cause.Cause<never> | undefined {
    return this.open ? this.spoilt : Cause.die(new UnitEnded({ message: "the transaction is over" }))
  }
}

export const queryOf = ({ name, text }: Prepared, params: ReadonlyArray<Param>): Query => ({
  name,
  text,
  values: values(params)
})

/** The locks that a statement needs: its workspace's, and that of what is shared. */
const keysOf = ({ owner, shared: reads }: Prepared, params: ReadonlyArray<Param>): ReadonlyArray<number> => {
  const key = owner < 0 ? undefined : keyOf(String(params[owner]))
  if (key === undefined) return reads ? [shared] : []
  return reads ? [key, shared] : [key]
}

/** What is read of the answer to a statement. */
const within = <A>(
  unit: PostgresUnit,
  sql: string,
  params: ReadonlyArray<Param>,
  read: (result: Result) => A
): Effect.Effect<A> =>
  Effect.async((resume) => {
    if (unit.refusal !== undefined) return resume(Exit.failCause(unit.refusal))
    const prepared = prepare(sql)
    unit.send(keysOf(prepared, params), queryOf(prepared, params), (exit) => resume(Exit.map(exit, read)))
  })

/** The rows that a statement answers. */
export const rowsOf = (
  unit: PostgresUnit,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<ReadonlyArray<never>> =>
  within(unit, sql, params, ({ rows }) => rows as ReadonlyArray<never>)

/** The number of rows that a statement changes. */
export const counting = (
  unit: PostgresUnit,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<number> => within(unit, sql, params, ({ rowCount }) => rowCount ?? 0)

/** Sends a statement and goes on. */
export const telling = (unit: PostgresUnit, sql: string, params: ReadonlyArray<Param>): Exit.Exit<number> => {
  if (unit.refusal !== undefined) return Exit.failCause(unit.refusal)
  const prepared = prepare(sql)
  unit.send(keysOf(prepared, params), queryOf(prepared, params))
  return Exit.succeed(0)
}

export const savepoint = "savepoint inner_unit"
export const release = `release ${savepoint}`

/** Work that is undone alone when it alone fails. */
export const nested = <A, E, R>(unit: PostgresUnit, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  const control = (sql: string) =>
    Effect.suspend(() => {
      if (unit.refusal !== undefined) return Exit.failCause(unit.refusal)
      unit.send([], sql)
      return Exit.void
    })
  return Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      control(savepoint),
      Effect.onExit(restore(work), (exit) => {
        if (unit.refusal !== undefined) return Effect.void
        return Exit.isSuccess(exit)
          ? control(release)
          : Effect.zipRight(control(`rollback to ${savepoint}`), control(release))
      })
    )
  )
}
