import { Clock, Effect } from "effect"
import { minute } from "../../core/model/Codecs.ts"
import type { Database, Param } from "./Database.ts"
import { type ListChanges, notedChanges } from "./ListChanges.ts"
import type { Place, StepTexts } from "./Statements.ts"
import { type Changing, makeCounts, sum } from "./StepCounts.ts"

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
  /** The changes of old rows that had been noted. */
  readonly noted: ListChanges
  readonly steps: ReadonlyArray<Step>
  /** There may be another step behind the last. */
  readonly grows: boolean
}

/** Steps as they are now, and the open rows there: of each value, where those of the list are told apart. */
interface Renewed {
  readonly steps: ReadonlyArray<Step>
  readonly open: ReadonlyArray<number>
}

export type KeptTotals = (
  workspace_id: string,
  texts: StepTexts,
  params: ReadonlyArray<Param>,
  changing: Changing
) => Effect.Effect<number>

const fresh = (noted: ListChanges): Kept => ({ noted, steps: [], grows: true })

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

/**
 * Counts lists of very many rows by steps of `size` rows, some milliseconds' work, which are kept. What is younger than
 * `settling` is counted each time, as are the parts of two steps at the ends of a range of times. A step is counted
 * again once fewer of its rows are open, or when a change of old rows of it was noted. So a total is exact, and what
 * stores rows, or moves them on, writes nothing for it.
 */
export const make = (database: Database["Type"], size = 10_000): KeptTotals => {
  const lists = new Map<string, { kept: Kept; readonly turns: Effect.Semaphore }>()
  /** Where steps of a condition end, whatever is counted between them. */
  const ends = new Map<string, ReadonlyArray<Place>>()

  const listOf = (key: string) => {
    const list = lists.get(key) ?? {
      kept: fresh({ all: -1, parts: new Map() }),
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

    /** A step that has come to have many rows is made several. */
    const counted = Effect.fnUntraced(function* (start: Place, end: Place) {
      const step = yield* stepTo(start, end)
      if (sum(step.steps[0]!.counts) < 2 * size) return step
      const parts = yield* stepsBetween(start, end)
      return join(parts, yield* stepTo(parts.steps.at(-1)?.end ?? start, end))
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
        return yield* counted(start, end)
      })

    /** Steps that have rows of which the ids begin so are counted again. */
    const changed = Effect.fnUntraced(function* (kept: ReadonlyArray<Step>, parts: ReadonlyArray<string>) {
      const steps: Array<Step> = []
      let start = first
      for (const step of kept) {
        const isChanged = parts.some((part) => isBefore(start, [`${part}~`]) && !isBefore(step.end, [part]))
        steps.push(...(isChanged ? (yield* counted(start, step.end)).steps : [step]))
        start = step.end
      }
      return steps
    })

    const list = listOf(JSON.stringify([texts.between, ...params]))
    const renew = Effect.gen(function* () {
      const noted = yield* notedChanges(database, workspace_id, changing.noted ?? "")
      const { parts } = list.kept.noted
      const kept = noted.all === list.kept.noted.all ? list.kept : fresh(noted)
      const others = [...noted.parts].flatMap(([part, times]) => (parts.get(part) === times ? [] : [part]))
      const unchanged = others.length === 0 ? kept.steps : yield* changed(kept.steps, others)
      const older = yield* renewed(first, unchanged)
      const settled = texts.at((yield* Clock.currentTimeMillis) - settling)
      const end = older.steps.at(-1)?.end ?? first
      const more = kept.grows && isBefore(end, settled) ? yield* stepsBetween(end, settled) : none
      const both = join(older, more)
      list.kept = { ...kept, noted, steps: both.steps }
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
