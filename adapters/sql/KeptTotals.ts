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
  /** Those that the filter lets through, but for open ones: of each value, where rows are told apart. */
  readonly counts: ReadonlyArray<number>
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

/** Steps as they are now, and the open rows there: of each value, where those of the list are told apart. */
interface Renewed {
  readonly steps: ReadonlyArray<Step>
  readonly open: ReadonlyArray<number>
}

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
  /** Under which name changes are noted that any old row may undergo. */
  readonly noted?: string | undefined
  /** Given where the filter asks for what changes until a row is done. */
  readonly open?: OpenRows | undefined
  /** Given where the steps' texts count one value of several, which is their last parameter. */
  readonly apart?: Apart | undefined
  /** Whether the filter lets none but open rows through. */
  readonly onlyOpen?: boolean
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

/** Those asked for last are kept. */
const asLast = <A>(all: Map<string, A>, key: string, one: A) => {
  all.delete(key)
  all.set(key, one)
  if (all.size > most) all.delete(all.keys().next().value!)
}

const sum = (counts: ReadonlyArray<number>) => counts.reduce((total, count) => total + count, 0)

/** Counts rows between two places. */
const makeCounts = (
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

/**
 * Counts lists of very many rows by steps of `size` rows, some milliseconds' work, which are kept. What is younger than
 * `settling` is counted each time, as are the parts of two steps at the ends of a range of times. A step is counted
 * again once fewer of its rows are open, and all are when a change of old rows was noted. So a total is exact, and what
 * stores rows, or moves them on, writes nothing for it.
 */
export const make = (database: Database["Type"], size = 10_000): KeptTotals => {
  const lists = new Map<string, { kept: Kept; readonly turns: Effect.Semaphore }>()
  /** Where steps of a condition end, whatever is counted between them. */
  const ends = new Map<string, ReadonlyArray<Place>>()

  const listOf = (key: string) => {
    const list = lists.get(key) ?? {
      kept: { noted: -1, steps: [], grows: true },
      turns: Effect.unsafeMakeSemaphore(1)
    }
    asLast(lists, key, list)
    return list
  }

  return Effect.fnUntraced(function* (workspace_id, texts, params, changing) {
    const { apart } = changing
    const { first, from, last, until } = texts
    const counts = makeCounts(database, workspace_id, texts, params, changing)
    if (changing.onlyOpen === true) return yield* counts.all(from, until)

    const none: Renewed = { steps: [], open: apart?.alone === true ? apart.open.map(() => 0) : [] }
    const join = (older: Renewed, younger: Renewed): Renewed => ({
      steps: [...older.steps, ...younger.steps],
      open: older.open.map((count, n) => count + (younger.open[n] ?? 0))
    })

    const stepTo = Effect.fnUntraced(function* (start: Place, end: Place) {
      const step = yield* counts.step(start, end)
      return {
        steps: [{ end, counts: step.counts, open: sum(step.open) }],
        open: step.open
      } satisfies Renewed
    })

    const endsKey = JSON.stringify([texts.end, ...params])
    const known = (changing.open === undefined ? undefined : ends.get(endsKey)) ?? []

    const endBehind = (start: Place, end: Place) => {
      const place = known.find((place) => isBefore(start, place) && !isBefore(end, place))
      if (place !== undefined) return Effect.succeed(place)
      const from = [...params, ...start, ...end, size - 1]
      return Effect.map(
        database.aside<Readonly<Record<string, string | number>>>(workspace_id, texts.end, from),
        ([row]) => row && Object.values(row)
      )
    }

    const stepsBetween = Effect.fnUntraced(function* (start: Place, end: Place) {
      let steps = none
      for (;;) {
        const behind = steps.steps.at(-1)?.end ?? start
        const place = yield* endBehind(behind, end)
        if (place === undefined) return steps
        const step =
          changing.open === undefined
            ? { steps: [{ end: place, counts: [size], open: 0 }], open: [] }
            : yield* stepTo(behind, place)
        steps = join(steps, step)
      }
    })

    /** Steps of which some have fewer open rows than before are halved until those are found. */
    const renewed = (start: Place, steps: ReadonlyArray<Step>): Effect.Effect<Renewed> =>
      Effect.gen(function* () {
        const before = sum(steps.map(({ open }) => open))
        if (before === 0) return { ...none, steps }
        const { end } = steps.at(-1)!
        const open = yield* counts.open(start, end)
        if (sum(open) === before) return { steps, open }
        if (steps.length > 1) {
          const half = steps.slice(0, steps.length >> 1)
          const older = yield* renewed(start, half)
          return join(older, yield* renewed(half.at(-1)!.end, steps.slice(half.length)))
        }
        const step = yield* stepTo(start, end)
        if (sum(step.steps[0]!.counts) < 2 * size) return step
        const parts = yield* stepsBetween(start, end)
        return join(parts, yield* stepTo(parts.steps.at(-1)?.end ?? start, end))
      })

    const list = listOf(JSON.stringify([texts.between, ...params]))
    const renew = Effect.gen(function* () {
      const [changes] = yield* database.all<{ readonly total: number }>(workspace_id, noted, [
        workspace_id,
        changing.noted ?? ""
      ])
      const kept =
        list.kept.noted === changes!.total ? list.kept : { noted: changes!.total, steps: [], grows: true }
      const older = yield* renewed(first, kept.steps)
      const settled = texts.at((yield* Clock.currentTimeMillis) - settling)
      const end = older.steps.at(-1)?.end ?? first
      const more = kept.grows && isBefore(end, settled) ? yield* stepsBetween(end, settled) : none
      const both = join(older, more)
      list.kept = { ...kept, steps: both.steps }
      asLast(
        ends,
        endsKey,
        both.steps.map(({ end }) => end)
      )
      return both
    })
    const { open, steps } = yield* list.turns.withPermits(1)(renew)

    const end = steps.at(-1)?.end ?? first
    const rest = isBefore(later(end, from), until) ? yield* counts.all(later(end, from), until) : 0
    if (from === first && until === last) list.kept = { ...list.kept, grows: rest >= size }
    let total = rest
    if (apart?.alone === true && from === first && !isBefore(until, end)) {
      total += counts.asked(apart.open, open)
    } else if (isBefore(from, earlier(end, until))) {
      total += yield* counts.matching(from, earlier(end, until))
    }
    let start = first
    for (const step of steps) {
      const [lower, upper] = [later(start, from), earlier(step.end, until)]
      if (lower === start && upper === step.end) total += counts.asked(apart?.done, step.counts)
      else if (isBefore(lower, upper)) total += counts.asked(apart?.done, yield* counts.done(lower, upper))
      start = step.end
    }
    return total
  })
}
