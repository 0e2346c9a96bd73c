import { Context, type Effect } from "effect"
import type { Workspaces } from "../shared/UnitOfWork.ts"

export type Param = string | number | null

/**
 * What the statements need of a database. Each names the workspace whose rows it touches, which a unit that it is
 * part of has to have named: it is what the unit has locked. Texts carry `?` for parameters; integers of any width come back as
 * numbers. A store that fails is a defect, `StoreUnavailable`, and spoils the unit that it fails in.
 */
export class Database extends Context.Tag("outdial/sql/Database")<
  Database,
  {
    /** The rows of a query: what is committed, or, inside a unit, what the unit sees. */
    readonly all: <Row extends object>(
      workspace_id: string,
      sql: string,
      params: ReadonlyArray<Param>
    ) => Effect.Effect<ReadonlyArray<Row>>
    /** What is made of them, at once. */
    readonly read: <Row extends object, A>(
      workspace_id: string,
      sql: string,
      params: ReadonlyArray<Param>,
      made: (rows: ReadonlyArray<Row>) => A
    ) => Effect.Effect<A>
    /** The rows of a query that takes long: meanwhile other requests are answered. */
    readonly aside: <Row extends object>(
      workspace_id: string,
      sql: string,
      params: ReadonlyArray<Param>
    ) => Effect.Effect<ReadonlyArray<Row>>
    /**
     * The number of rows changed. Outside a unit, the statement is a unit of its own. Where the caller does
     * not want the number (`counted` is false), some number may be answered before the statement has been run: when
     * it fails, its unit fails.
     */
    readonly run: (
      workspace_id: string,
      sql: string,
      params: ReadonlyArray<Param>,
      counted?: boolean
    ) => Effect.Effect<number>
    /** `run` of one statement for each of many rows, one after the other: how many rows each of them changed. */
    readonly runEach: (
      workspace_id: string,
      sql: string,
      rows: ReadonlyArray<ReadonlyArray<Param>>,
      counted?: boolean
    ) => Effect.Effect<ReadonlyArray<number>>
    /** `all`, in a unit, of one text for each of many rows of parameters, one after the other: the rows of each. */
    readonly allEach: <Row extends object>(
      workspace_id: string,
      sql: string,
      each: ReadonlyArray<ReadonlyArray<Param>>
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>>
    /**
     * `run` of a statement that waits for no unit of its workspace: it may depend on no row that such a unit reads
     * first and writes then. Inside a unit it is a part of that.
     */
    readonly alone: (workspace_id: string, sql: string, params: ReadonlyArray<Param>) => Effect.Effect<number>
    /**
     * `Repository.transaction`. Inside a unit it joins that: what it wrote counts when the outer unit ends
     * well, and is undone at once when it fails itself.
     */
    readonly transaction: <A, E, R>(
      workspaces: Workspaces,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /** Runs the statements of one verb in the unit under way, or else in one of their own. */
    readonly unit: <A>(workspaces: Workspaces, work: Effect.Effect<A>) => Effect.Effect<A>
  }
>() {}
