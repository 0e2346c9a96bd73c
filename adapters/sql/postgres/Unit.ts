import { Effect, Exit } from "effect"
import { Unit, type Workspaces } from "../../shared/UnitOfWork.ts"
import type { Param } from "../Database.ts"
import type { Query, Result } from "./Driver.ts"
import { prepare, type Prepared } from "./StatementCache.ts"
import { values } from "./Values.ts"

type Answered = (exit: Exit.Exit<Result>) => void

/** A unit's way to the server. */
export class PostgresUnit extends Unit {
  /** Sends a query. Without `answered` the work goes on at once: a failure spoils the unit all the same. */
  readonly send: (query: Query | string, answered?: Answered) => void

  constructor(workspaces: Workspaces, send: PostgresUnit["send"]) {
    super(workspaces)
    this.send = send
  }
}

export const queryOf = ({ name, text }: Prepared, params: ReadonlyArray<Param>): Query => ({
  name,
  text,
  values: values(params)
})

/** What is read of the answer to a statement. */
const within = <A>(
  unit: PostgresUnit,
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>,
  read: (result: Result) => A
): Effect.Effect<A> =>
  Effect.async((resume) => {
    const refusal = unit.refusal(workspace_id)
    if (refusal !== undefined) return resume(Exit.failCause(refusal))
    unit.send(queryOf(prepare(sql), params), (exit) => resume(Exit.map(exit, read)))
  })

export const rowsIn = ({ rows }: Result) => rows as ReadonlyArray<never>

export const countIn = ({ rowCount }: Result): number => rowCount ?? 0

/** The rows that a statement answers. */
export const rowsOf = (
  unit: PostgresUnit,
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<ReadonlyArray<never>> => within(unit, workspace_id, sql, params, rowsIn)

/** The number of rows that a statement changes. */
export const counting = (
  unit: PostgresUnit,
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>
): Effect.Effect<number> => within(unit, workspace_id, sql, params, countIn)

/** What is read of the answers to a statement for each of many rows; all are sent before the first is answered. */
export const each = <A>(
  unit: PostgresUnit,
  workspace_id: string,
  sql: string,
  rows: ReadonlyArray<ReadonlyArray<Param>>,
  read: (result: Result) => A
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.async((resume) => {
    const refusal = unit.refusal(workspace_id)
    if (refusal !== undefined) return resume(Exit.failCause(refusal))
    if (rows.length === 0) return resume(Exit.succeed([]))
    const prepared = prepare(sql)
    const answers: Array<A> = []
    for (const params of rows) {
      unit.send(queryOf(prepared, params), (exit) => {
        // A unit answers in the order of its statements, and fails from its first failure on.
        if (Exit.isFailure(exit)) return resume(Exit.failCause(exit.cause))
        answers.push(read(exit.value))
        if (answers.length === rows.length) resume(Exit.succeed(answers))
      })
    }
  })

/** Sends a statement and goes on. */
export const telling = (
  unit: PostgresUnit,
  workspace_id: string,
  sql: string,
  params: ReadonlyArray<Param>
): Exit.Exit<number> => {
  const refusal = unit.refusal(workspace_id)
  if (refusal !== undefined) return Exit.failCause(refusal)
  unit.send(queryOf(prepare(sql), params))
  return Exit.succeed(0)
}

const savepoint = "savepoint inner_unit"
const release = `release ${savepoint}`

/** Work on workspaces of the unit that is undone alone when it alone fails. */
export const nested = <A, E, R>(
  unit: PostgresUnit,
  workspaces: Workspaces,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const control = (sql: string) =>
    Effect.suspend(() => {
      const refusal = unit.refusal(workspaces)
      if (refusal !== undefined) return Exit.failCause(refusal)
      unit.send(sql)
      return Exit.void
    })
  return Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(
      control(savepoint),
      Effect.onExit(restore(work), (exit) => {
        if (!unit.open || unit.spoilt !== undefined) return Effect.void
        return Exit.isSuccess(exit)
          ? control(release)
          : Effect.zipRight(control(`rollback to ${savepoint}`), control(release))
      })
    )
  )
}
