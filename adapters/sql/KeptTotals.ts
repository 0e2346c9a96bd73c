import { Clock, Effect } from "effect"
import { minute } from "../../core/model/Codecs.ts"
import type { Database, Param } from "./Database.ts"
import type { Place, StepTexts } from "./Statements.ts"

/** How long after its time a row may still be stored: clocks differ, and a transaction takes its time. */
const settling = 5 * minute

/** Lists whose steps are kept at one time: those asked for last. */
const most = 50

/** Rows of a list from the end of the step before on, up to `end`, inclusive. */
interface Step {
  readonly end: Place
  /** Those that the filter lets through, but for open ones. */
  readonly count: number
  /** Rows of the workspace there that are not done yet: they only become fewer. */
  readonly open: number
}

interface Kept {
  /** How often changes of old rows had been noted. */
  readonly noted: number
  readonly steps: ReadonlyArray<Step>
  /** There may be another step behind the last. */
  readonly grows: boolean
}

/** Rows that are not done: what a filter asks of them may still change. */
export interface OpenRows {
  readonly table: string
  /** Its parameters are the first of the list's condition, so many of them as it has. */
  readonly where: string
  /** Those that the filter lets through, where it does: some of the open rows, and the columns that its condition names. */
  readonly matching?: { readonly where: string; readonly columns: ReadonlyArray<string> } | undefined
}

/** How rows of a list change after they were stored. */
export interface Changing {
  /** Under which name changes are noted that any old row may undergo. */
  readonly noted?: string | undefined
  /** Given where the filter asks for what changes until a row is done. */
  readonly open?: OpenRows | undefined
  /** Whether the filter lets none but open rows through. The last parameter is the one of several values. */
  readonly onlyOpen?: ((params: ReadonlyArray<Param>) => boolean) | undefined
}

export type KeptTotals = (
  workspace_id: string,
  texts: StepTexts,
  params: ReadonlyArray<Param>,
  changing: Changing
) => Effect.Effect<number>

const noted =
  "select cast(coalesce(sum(noted), 0) as bigint) as total from list_changes where customer_id = ? and list in (?, '')"
const note =
  "insert into list_changes (customer_id, list, noted) values (?, ?, 1) " +
  "on conflict (customer_id, list) do update set noted = list_changes.noted + 1"

/** Notes, in the unit that does it, a change of rows that were stored long ago: of one list, or (`""`) of any. */
export const noteChange = (database: Database["Type"], workspace_id: string, list: string) =>
  Effect.asVoid(database.run(workspace_id, note, [workspace_id, list], false))

const isBefore = (left: Place, right: Place): boolean => {
  const at = left.findIndex((value, index) => value !== right[index])
  return at !== -1 && left[at]! < right[at]!
}
const later = (left: Place, right: Place): Place => (isBefore(left, right) ? right : left)
const earlier = (left: Place, right: Place): Place => (isBefore(left, right) ? left : right)

interface Counted {
  readonly total: number
}

/** Counts rows between two places. */
const makeCounts = (
  database: Database["Type"],
  workspace_id: string,
  texts: StepTexts,
  params: ReadonlyArray<Param>,
  open: OpenRows | undefined
) => {
  const ask = (text: string, ...more: ReadonlyArray<Param>) =>
    Effect.map(database.aside<Counted>(workspace_id, text, more), ([row]) => row!.total)
  const own = params.slice(0, (open?.where.split("?").length ?? 1) - 1)
  const from = `from ${open?.table} where ${open?.where} and ${texts.inside}`
  const matching =
    open?.matching &&
    `with open_rows as materialized (select ${open.matching.columns.join(", ")} ${from} and ${open.matching.where}) ` +
      `select count(*) as total from open_rows where ${texts.where}`
  const all = (start: Place, end: Place) => ask(texts.between, ...params, ...start, ...end)
  return {
    all,
    open: (start: Place, end: Place) =>
      open === undefined
        ? Effect.succeed(0)
        : ask(`select count(*) as total ${from}`, ...own, ...start, ...end),
    /** Open rows that the filter lets through. */
    matching: (start: Place, end: Place) =>
      matching === undefined ? Effect.succeed(0) : ask(matching, ...own, ...start, ...end, ...params),
    /** All the others, told by one statement: a row that goes from here to there is counted once. */
    done: (start: Place, end: Place) => {
      if (matching === undefined) return all(start, end)
      const between = [...start, ...end]
      const text = `select (${texts.between}) - (${matching}) as total`
      return ask(text, ...params, ...between, ...own, ...between, ...params)
    }
  }
}

/**
 * Counts lists of very many rows by steps of `size` rows, some milliseconds' work, which are kept. What is younger than
 * `settling` is counted each time, as are the parts of two steps at the ends of a range of times. A step is counted
 * again once fewer of its rows are open, and all are when a change of old rows was noted. So a total is exact, and what
 * stores rows, or moves them on, writes nothing for it.
 */
export const make = (database: Database["Type"], size = 10_000): KeptTotals => {
  const lists = new Map<string, { kept: Kept; readonly turns: Effect.Semaphore }>()

  const listOf = (key: string) => {
    const list = lists.get(key) ?? {
      kept: { noted: -1, steps: [], grows: true },
      turns: Effect.unsafeMakeSemaphore(1)
    }
    lists.delete(key)
    lists.set(key, list)
    if (lists.size > most) lists.delete(lists.keys().next().value!)
    return list
  }

  return Effect.fnUntraced(function* (workspace_id, texts, params, changing) {
    const { first, from, last, until } = texts
    const counts = makeCounts(database, workspace_id, texts, params, changing.open)
    if (changing.onlyOpen?.(params) === true) return yield* counts.all(from, until)

    /** The open rows are counted first: one that is done meanwhile lets the step be counted again. */
    const stepTo = Effect.fnUntraced(function* (start: Place, end: Place) {
      const open = yield* counts.open(start, end)
      return { end, count: yield* counts.done(start, end), open } satisfies Step
    })

    const stepsBetween = Effect.fnUntraced(function* (start: Place, end: Place) {
      const steps: Array<Step> = []
      for (;;) {
        const behind = steps.at(-1)?.end ?? start
        const [row] = yield* database.aside<Readonly<Record<string, string | number>>>(
          workspace_id,
          texts.end,
          [...params, ...behind, ...end, size - 1]
        )
        if (row === undefined) return steps
        const place = Object.values(row)
        steps.push(
          changing.open === undefined ? { end: place, count: size, open: 0 } : yield* stepTo(behind, place)
        )
      }
    })

    /** Steps of which some have fewer open rows than before are halved until those are found. */
    const renewed = (start: Place, steps: ReadonlyArray<Step>): Effect.Effect<ReadonlyArray<Step>> =>
      Effect.gen(function* () {
        const open = steps.reduce((sum, step) => sum + step.open, 0)
        if (open === 0) return steps
        const { end } = steps.at(-1)!
        if ((yield* counts.open(start, end)) === open) return steps
        if (steps.length > 1) {
          const half = steps.slice(0, steps.length >> 1)
          const older = yield* renewed(start, half)
          return [...older, ...(yield* renewed(half.at(-1)!.end, steps.slice(half.length)))]
        }
        const step = yield* stepTo(start, end)
        if (step.count < 2 * size) return [step]
        const parts = yield* stepsBetween(start, end)
        return [...parts, yield* stepTo(parts.at(-1)?.end ?? start, end)]
      })

    const list = listOf(JSON.stringify([texts.between, ...params]))
    const renew = Effect.gen(function* () {
      const [changes] = yield* database.all<Counted>(workspace_id, noted, [
        workspace_id,
        changing.noted ?? ""
      ])
      const kept =
        list.kept.noted === changes!.total ? list.kept : { noted: changes!.total, steps: [], grows: true }
      const steps = yield* renewed(first, kept.steps)
      const settled = texts.at((yield* Clock.currentTimeMillis) - settling)
      const end = steps.at(-1)?.end ?? first
      const more = kept.grows && isBefore(end, settled) ? yield* stepsBetween(end, settled) : []
      list.kept = { ...kept, steps: [...steps, ...more] }
      return list.kept.steps
    })
    const steps = yield* list.turns.withPermits(1)(renew)

    const end = steps.at(-1)?.end ?? first
    const rest = isBefore(later(end, from), until) ? yield* counts.all(later(end, from), until) : 0
    if (from === first && until === last) list.kept = { ...list.kept, grows: rest >= size }
    let total = rest
    if (isBefore(from, earlier(end, until))) total += yield* counts.matching(from, earlier(end, until))
    let start = first
    for (const step of steps) {
      const [lower, upper] = [later(start, from), earlier(step.end, until)]
      if (lower === start && upper === step.end) total += step.count
      else if (isBefore(lower, upper)) total += yield* counts.done(lower, upper)
      start = step.end
    }
    return total
  })
}
