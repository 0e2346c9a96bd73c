import { PCGRandom } from "effect/Utils"

/** What is done to the system, once so many more lines stand in the ledgers, or so many milliseconds have passed. */
export type Step = {
  readonly lines: number
  readonly at_most: number
  /** A pause after that, in milliseconds, so that the moment is by chance. */
  readonly pause: number
} & (
  | { readonly _tag: "Kill"; readonly process: number }
  | { readonly _tag: "Freeze"; readonly process: number; readonly millis: number }
  | { readonly _tag: "Cut"; readonly process: number; readonly millis: number }
  | { readonly _tag: "RestartDatabase"; readonly mode: "fast" | "immediate" }
  | { readonly _tag: "RestartCarrier"; readonly millis: number }
)

/** What a script is made of: how often what happens. */
export interface Plan {
  readonly kills: number
  readonly freezes: number
  readonly cuts: number
  /** Of the carrier. */
  readonly outages: number
  /** Of the database, spread among all the rest. */
  readonly restarts: number
  /** Of the database, one every five seconds at the end. */
  readonly storm: number
  /** How long a step waits at most for something to happen before it, and half of that at least, in milliseconds. */
  readonly at_most: number
}

export const calm: Plan = { kills: 0, freezes: 0, cuts: 0, outages: 0, restarts: 0, storm: 0, at_most: 5_000 }

const shuffled = <A>(items: ReadonlyArray<A>, random: PCGRandom): ReadonlyArray<A> => {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.integer(at + 1)
    ;[all[at], all[other]] = [all[other]!, all[at]!]
  }
  return all
}

const times = <A>(count: number, make: (nth: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, nth) => make(nth))

/**
 * The steps of a seed, the same ones each time. `lines` is how many the ledgers will have in all. A process is frozen for
 * longer than its lease of five seconds, every third time for longer than a dial is left alone.
 */
export const make = (seed: number, plan: Plan, processes: number, lines: number): ReadonlyArray<Step> => {
  const random = new PCGRandom(seed)
  const calm = plan.kills + plan.freezes + plan.cuts + plan.outages + plan.restarts
  const mean = Math.max(1, Math.floor((0.7 * lines) / Math.max(1, calm)))
  const moment = () => ({
    lines: 1 + random.integer(2 * mean),
    at_most: plan.at_most - random.integer(plan.at_most / 2),
    pause: random.integer(120)
  })
  const process = () => random.integer(processes)
  const mode = () => (random.integer(2) === 0 ? ("fast" as const) : ("immediate" as const))
  const steps: ReadonlyArray<() => Step> = [
    ...times(plan.kills, () => () => ({ ...moment(), _tag: "Kill" as const, process: process() })),
    ...times(plan.freezes, (nth) => () => ({
      ...moment(),
      _tag: "Freeze" as const,
      process: process(),
      millis: (nth % 3 === 2 ? 24_000 : 7_000) + random.integer(2_000)
    })),
    ...times(plan.cuts, () => () => ({
      ...moment(),
      _tag: "Cut" as const,
      process: process(),
      millis: 5_000 + random.integer(10_000)
    })),
    ...times(plan.outages, () => () => ({
      ...moment(),
      _tag: "RestartCarrier" as const,
      millis: 200 + random.integer(1_500)
    })),
    ...times(plan.restarts, () => () => ({ ...moment(), _tag: "RestartDatabase" as const, mode: mode() }))
  ]
  const storm = times(plan.storm, () => ({
    lines: Infinity,
    at_most: 5_000,
    pause: 0,
    _tag: "RestartDatabase" as const,
    mode: mode()
  }))
  return [...shuffled(steps, random).map((step) => step()), ...storm]
}

/** A choice by weight. */
export const choose = <A extends { readonly weight: number }>(
  items: ReadonlyArray<A>,
  random: PCGRandom
): A => {
  let left = random.integer(items.reduce((sum, { weight }) => sum + weight, 0))
  return items.find(({ weight }) => (left -= weight) < 0)!
}
