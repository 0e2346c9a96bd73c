import { keyOf, type Measured, type Measurement } from "./Measured.ts"
import { median } from "./Report.ts"

/** A figure that is in both files. */
export interface Change {
  readonly benchmark: string
  readonly heading: string
  readonly what: string
  readonly unit: string
  /** Medians of the runs. */
  readonly before: number
  readonly after: number
  /** How far the runs of one file lie apart: the larger of the two files' distances. */
  readonly noise: number
  /** `within the noise` unless the medians differ by more than it; `other` where no direction is known to be better. */
  readonly verdict: "better" | "worse" | "other" | "within the noise"
}

export interface Comparison {
  readonly changes: ReadonlyArray<Change>
  /** Figures that only one of the files has. */
  readonly gone: ReadonlyArray<Measurement>
  readonly added: ReadonlyArray<Measurement>
  /** What differs in how the two were measured. */
  readonly circumstances: ReadonlyArray<string>
}

const spread = (values: ReadonlyArray<number>) => Math.max(...values) - Math.min(...values)

/** Whether more is better. A goal says it; without one a rate does, a time or a size says the reverse. */
const moreIsBetter = ({ goal, unit }: Measurement): boolean | null => {
  if (goal !== null) return "least" in goal
  return unit === "" ? null : unit === "/s"
}

const changeOf = (a: Measurement, b: Measurement): Change => {
  const [before, after] = [median(a.values), median(b.values)]
  const noise = Math.max(spread(a.values), spread(b.values))
  const better = moreIsBetter(b)
  const verdict =
    Math.abs(after - before) <= noise
      ? "within the noise"
      : better === null
        ? "other"
        : after > before === better
          ? "better"
          : "worse"
  const { benchmark, heading, unit, what } = b
  return { benchmark, heading, what, unit, before, after, noise, verdict }
}

const fewest = (figures: ReadonlyArray<Measurement>) =>
  Math.min(...figures.map(({ values }) => values.length))

const circumstancesOf = (a: Measured, b: Measured): ReadonlyArray<string> => {
  const told = ({ machine, versions }: Measured) => ({
    processor: machine.processor,
    cores: String(machine.cores),
    ...versions
  })
  const [before, after]: ReadonlyArray<Readonly<Record<string, string>>> = [told(a), told(b)]
  const differing = Object.keys({ ...before, ...after }).flatMap((name) =>
    before![name] === after![name] ? [] : [`${name}: ${before![name] ?? "none"}, ${after![name] ?? "none"}`]
  )
  const runs = Math.min(fewest(a.figures), fewest(b.figures))
  return runs < 3 ? [...differing, "fewer than three runs: the noise is not known"] : differing
}

/** What changed from one file to another, and what of it is more than the runs of each differ by themselves. */
export const compare = (a: Measured, b: Measured): Comparison => {
  const before = new Map(a.figures.map((figure) => [keyOf(figure), figure]))
  const after = new Set(b.figures.map(keyOf))
  return {
    changes: b.figures.flatMap((figure) => {
      const old = before.get(keyOf(figure))
      return old === undefined ? [] : [changeOf(old, figure)]
    }),
    gone: a.figures.filter((figure) => !after.has(keyOf(figure))),
    added: b.figures.filter((figure) => !before.has(keyOf(figure))),
    circumstances: circumstancesOf(a, b)
  }
}

const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 })

const line = ({ after, before, noise, unit, verdict, what }: Change) => {
  const share =
    before === 0 ? "" : ` (${after > before ? "+" : ""}${((after / before - 1) * 100).toFixed(0)} %)`
  const values = `${number.format(before)} -> ${number.format(after)} ${unit}`.trim()
  return `  ${what.padEnd(58)} ${values}${share}, noise ${number.format(noise)}: ${verdict}`
}

const named = (word: string, figures: ReadonlyArray<Measurement>) =>
  figures.map(({ heading, what }) => `${word}: ${heading}: ${what}`)

/** The comparison in lines: what differs in how it was measured, then each change beyond the noise. */
export const lines = ({ added, changes, circumstances, gone }: Comparison): ReadonlyArray<string> => {
  const beyond = changes.filter(({ verdict }) => verdict !== "within the noise")
  const headings = [...new Set(beyond.map(({ heading }) => heading))]
  return [
    ...circumstances,
    ...headings.flatMap((heading) => [
      heading,
      ...beyond.filter((change) => change.heading === heading).map(line)
    ]),
    `${beyond.length} of ${changes.length} figures changed beyond the noise of their runs`,
    ...named("no longer measured", gone),
    ...named("measured now only", added)
  ]
}
