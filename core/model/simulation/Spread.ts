import { Schema } from "effect"

/** How a number comes out over the seeds. */
export const Spread = Schema.Struct({
  mean: Schema.Number,
  min: Schema.Number,
  p10: Schema.Number,
  p50: Schema.Number,
  p90: Schema.Number,
  max: Schema.Number
}).annotations({ identifier: "Spread" })
export type Spread = typeof Spread.Type

/** Of values in ascending order, the one that a share (0 to 1) of them is below, in between where it lies there. */
export const percentile = (ascending: ReadonlyArray<number>, share: number): number => {
  const at = share * (ascending.length - 1)
  const low = Math.floor(at)
  const lower = ascending[low]!
  const upper = ascending[Math.min(low + 1, ascending.length - 1)]!
  return lower + (upper - lower) * (at - low)
}

/**
 * The value below which one more of the kind falls with this chance, by the ascending values of some that are known. It
 * lies further out than their own percentile, the more so the fewer they are. Source: Weibull's plotting positions.
 */
export const predicted = (ascending: ReadonlyArray<number>, chance: number): number => {
  const last = ascending.length - 1
  const at = Math.min(last, Math.max(0, chance * (ascending.length + 1) - 1))
  return percentile(ascending, last === 0 ? 0 : at / last)
}

/** To a thousandth: what is beyond is chance. Never negative zero. */
export const rounded = (value: number): number => Math.round(value * 1_000) / 1_000 + 0

/** The spread of one value or more. */
export const spreadOf = (values: ReadonlyArray<number>): Spread => {
  const ascending = values.toSorted((a, b) => a - b)
  return {
    mean: rounded(ascending.reduce((sum, value) => sum + value / values.length, 0)),
    min: rounded(ascending[0]!),
    p10: rounded(percentile(ascending, 0.1)),
    p50: rounded(percentile(ascending, 0.5)),
    p90: rounded(percentile(ascending, 0.9)),
    max: rounded(ascending.at(-1)!)
  }
}
