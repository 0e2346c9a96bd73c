import type { Goal, Told } from "./Measured.ts"

/** A measured value and its unit; in a template it reads as it is printed. */
export class Figure {
  readonly value: number
  readonly unit: string
  readonly text: string
  constructor(value: number, unit: string, text: string) {
    this.value = value
    this.unit = unit
    this.text = text
  }
  toString() {
    return this.text
  }
}

const figure = (unit: string, format: (value: number) => string) => (value: number) =>
  new Figure(value, unit, unit === "" ? format(value) : `${format(value)} ${unit}`)

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
const few = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 })

export const rate = figure("/s", (value) => whole.format(value))
export const perSecond = (count: number, seconds: number) => rate(count / seconds)
export const seconds = figure("s", (value) => value.toFixed(2))
export const millis = figure("ms", (value) => value.toFixed(2))
export const micros = figure("µs", (value) => value.toFixed(1))
/** One value as a part or a multiple of another. */
export const ratio = figure("", (value) => value.toFixed(2))
const mega = figure("MB", (value) => whole.format(value))
export const megabytes = (bytes: number) => mega(bytes / 1e6)
const kilo = figure("kB", (value) => whole.format(value))
export const kilobytes = (bytes: number) => kilo(bytes / 1e3)

/** Goals are in the unit of the figure that they are printed beside. */
export const atLeast = (value: number): Goal => ({ least: value })
export const atMost = (value: number): Goal => ({ most: value })

const goalText = (goal: Goal, unit: string) =>
  `${"least" in goal ? "at least" : "at most"} ${few.format("least" in goal ? goal.least : goal.most)} ${unit}`

let current = ""
const told = new Set<string>()

/** Prints what the lines that follow belong to. */
export const heading = (text: string) => {
  current = text
  process.stdout.write(`\n${text}\n`)
}

const print = (what: string, figure: string, beside: string) =>
  process.stdout.write(`  ${what.padEnd(58)} ${figure.padStart(16)}   ${beside}\n`)

/** Prints what was measured beside its goal or a note, and tells a figure to the process that started this one. */
export const line = (
  what: string,
  ...[figure, beside = ""]: [figure: Figure, beside?: Goal | string] | [text: string, note?: string]
) => {
  if (typeof figure === "string") return print(what, figure, String(beside))
  const goal = typeof beside === "string" ? null : beside
  print(what, figure.text, goal === null ? String(beside) : goalText(goal, figure.unit))
  const name = what.trim()
  const key = `${current}\n${name}`
  if (told.has(key))
    throw new Error(`two figures are named ${name}: files of measurements could not tell them apart`)
  told.add(key)
  const sent: Told = { heading: current, what: name, unit: figure.unit, goal, value: figure.value }
  process.send?.(sent)
}

export const median = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
