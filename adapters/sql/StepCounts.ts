import { Effect } from "effect"
import type { Database, Param } from "./Database.ts"
import type { Place, StepTexts } from "./Statements.ts"

/** Rows that are not done: what a filter asks of them may still change. */
export interface OpenRows {
  readonly table: string
  /** Its parameters are the first of the list's condition, so many of them as it has. */
  readonly where: string
  /** Those that the filter lets through, where it does: some of the open rows, and the columns that its condition names. */
  readonly matching?: { readonly where: string; readonly columns: ReadonlyArray<string> } | undefined
}

/**
 * A column by which rows are told apart: its values are counted beside each other, and any of them may be asked for. A row
 * has one of `open` until it is done, and then one of `done` for good.
 */
export interface Apart {
  readonly open: ReadonlyArray<Param>
  readonly done: ReadonlyArray<Param>
  readonly asked: ReadonlyArray<Param>
  /** The filter asks for nothing else: the workspace's open rows are those of the list. */
  readonly alone: boolean
}

/** How rows of a list change after they were stored. */
export interface Changing {
  /** Under which name changes of old rows are noted: see ListChanges. */
  readonly noted?: string | undefined
  /** Given where the filter asks for what changes until a row is done. */
  readonly open?: OpenRows | undefined
  /** Given where the steps' texts count one value of several, which is their last parameter. */
  readonly apart?: Apart | undefined
  /** Whether the filter lets none but open rows through. */
  readonly onlyOpen?: boolean
}

export const sum = (counts: ReadonlyArray<number>) => counts.reduce((total, count) => total + count, 0)

/** Counts rows between two places. */
export const makeCounts = (
  database: Database["Type"],
  workspace_id: string,
  texts: StepTexts,
  params: ReadonlyArray<Param>,
  { apart, open }: Changing
) => {
  /** The answers of some texts, by one statement: a row that goes from here to there is counted once. */
  const ask = (
    each: ReadonlyArray<readonly [text: string, params: ReadonlyArray<Param>]>
  ): Effect.Effect<ReadonlyArray<number>> =>
    each.length === 0
      ? Effect.succeed([])
      : Effect.map(
          database.aside<Readonly<Record<string, number>>>(
            workspace_id,
            `select ${each.map(([text], n) => `(${text}) as total_${n}`).join(", ")}`,
            each.flatMap(([, given]) => given)
          ),
          ([row]) => Object.values(row!)
        )
  const own = params.slice(0, (open?.where.split("?").length ?? 1) - 1)
  const from = `from ${open?.table} where ${open?.where} and ${texts.inside}`
  const matching =
    open?.matching &&
    `with open_rows as materialized (select ${open.matching.columns.join(", ")} ${from} and ${open.matching.where}) ` +
      `select count(*) as total from open_rows where ${texts.where}`
  const values = (of: ReadonlyArray<Param>, start: Place, end: Place) =>
    ask(of.map((value) => [texts.between, [...params, value, ...start, ...end]]))
  const all = (start: Place, end: Place) =>
    apart === undefined
      ? ask([[texts.between, [...params, ...start, ...end]]])
      : values(apart.asked, start, end)
  const ofOpen = (start: Place, end: Place) =>
    apart?.alone === true
      ? values(apart.open, start, end)
      : ask(open === undefined ? [] : [[`select count(*) as total ${from}`, [...own, ...start, ...end]]])
  const ofMatching = (start: Place, end: Place) =>
    [matching ?? "", [...own, ...start, ...end, ...params]] as const
  /** All but the open ones. */
  const done = (start: Place, end: Place) =>
    apart !== undefined
      ? values(apart.done, start, end)
      : matching === undefined
        ? all(start, end)
        : Effect.map(
            ask([[texts.between, [...params, ...start, ...end]], ofMatching(start, end)]),
            ([a, b]) => [a! - b!]
          )
  return {
    /** Those of the filter. */
    all: (start: Place, end: Place) => Effect.map(all(start, end), sum),
    open: ofOpen,
    /** Open rows that the filter lets through. */
    matching: (start: Place, end: Place) =>
      Effect.map(
        apart === undefined
          ? ask(matching === undefined ? [] : [ofMatching(start, end)])
          : values(
              apart.asked.filter((value) => apart.open.includes(value)),
              start,
              end
            ),
        sum
      ),
    done,
    /** The open rows are counted first, if not by one statement: one that is done meanwhile lets the step be counted again. */
    step: Effect.fnUntraced(function* (start: Place, end: Place) {
      if (apart?.alone !== true) {
        const open = yield* ofOpen(start, end)
        return { open, counts: yield* done(start, end) }
      }
      const both = yield* values([...apart.open, ...apart.done], start, end)
      return { open: both.slice(0, apart.open.length), counts: both.slice(apart.open.length) }
    }),
    /** How many of the values of each are asked for. */
    asked: (of: ReadonlyArray<Param> | undefined, counts: ReadonlyArray<number>) =>
      sum(apart === undefined ? counts : counts.filter((_, n) => apart.asked.includes(of![n]!)))
  }
}
