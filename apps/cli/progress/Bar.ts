import { widthOf } from "../terminal/Table.ts"

/** The progress of some work. */
export interface Bar {
  readonly label: string
  readonly done: number
  /** Undefined while it is not known. */
  readonly total: number | undefined
  /** How a number is shown; by default as a count. */
  readonly unit?: ((n: number) => string) | undefined
  /** Further facts, the most important first: those that do not fit are left out. */
  readonly facts: ReadonlyArray<string>
}

const counts = new Intl.NumberFormat("en-US")

/** `1,234` */
export const count = (n: number): string => counts.format(n)

const megabyte = 1_048_576

/** `512 KB`, `3.2 MB` */
export const size = (bytes: number): string =>
  bytes < megabyte ? `${Math.ceil(bytes / 1_024)} KB` : `${(bytes / megabyte).toFixed(1)} MB`

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1]
] as const

/** `45s`, `9m`, `1h 20m`, `2d 3h`: two units at most, seconds alone below a minute. */
export const duration = (millis: number): string => {
  const seconds = Math.max(0, Math.round(millis / 1_000))
  const first = units.findIndex(([, size]) => seconds >= size)
  const [unit, length] = units[first === -1 ? 3 : first]!
  const rest = units[first + 1]
  const whole = `${Math.floor(seconds / length)}${unit}`
  if (rest === undefined || rest[0] === "s") return whole
  const more = Math.floor((seconds % length) / rest[1])
  return more === 0 ? whole : `${whole} ${more}${rest[0]}`
}

const gap = "  "
const leastBar = 10
const mostBar = 42
const runner = "<=>"
/** Milliseconds for each step of the runner, in a bar without a total. */
const stepMillis = 100

const fill = (inner: number, share: number): string => {
  const filled = Math.floor(inner * share)
  return filled >= inner ? "=".repeat(inner) : "=".repeat(filled) + ">" + " ".repeat(inner - filled - 1)
}

/** A runner that goes to and fro. */
const run = (inner: number, now: number): string => {
  const way = inner - runner.length
  const step = Math.floor(now / stepMillis) % (2 * way)
  const at = step <= way ? step : 2 * way - step
  return " ".repeat(at) + runner + " ".repeat(way - at)
}

const innerOf = ({ done, total }: Bar, inner: number, now: number): string => {
  if (total === undefined) return run(inner, now)
  return total <= 0 ? " ".repeat(inner) : fill(inner, Math.min(1, done / total))
}

/** Rounded down: 100 % only when all is done. */
const percentOf = ({ done, total }: Bar): string =>
  total === undefined || total <= 0
    ? ""
    : `${String(Math.floor((Math.min(done, total) / total) * 100)).padStart(3)}%`

/** As wide as the widest amount, so that the bar keeps its length. */
const amountOf = ({ done, total, unit = count }: Bar): string =>
  total === undefined ? unit(done) : `${unit(done).padStart(unit(total).length)}/${unit(total)}`

/**
 * One line of at most `width` cells: always the amount, then, as there is room, the label, a bar and facts.
 *
 * @param now epoch milliseconds; moves the bar when there is no total
 */
export const render = (bar: Bar, width: number, now: number): string => {
  const amount = amountOf(bar)
  const percent = percentOf(bar)
  const far = percent === "" ? amount : `${percent}${gap}${amount}`
  if (far.length > width) return (percent === "" ? amount : percent.trim()).slice(0, Math.max(0, width))
  let room = width - far.length
  const has = (cells: number): boolean => {
    if (cells > room) return false
    room -= cells
    return true
  }
  const label = has(widthOf(bar.label) + 1) ? `${bar.label} ` : ""
  const drawn = has(leastBar + 1)
  const left = bar.facts.findIndex((fact) => !has(gap.length + widthOf(fact)))
  const facts = bar.facts.slice(0, left === -1 ? undefined : left).map((fact) => gap + fact)
  const inner = Math.min(mostBar, leastBar + room) - 2
  return `${label}${drawn ? `[${innerOf(bar, inner, now)}] ` : ""}${far}${facts.join("")}`
}
