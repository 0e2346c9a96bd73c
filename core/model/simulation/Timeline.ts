import { Schema } from "effect"
import { day, hour, minute, second, Timestamp } from "../Codecs.ts"
import { percentile, rounded } from "./Spread.ts"

const Band = Schema.Struct({ p10: Schema.Number, p50: Schema.Number, p90: Schema.Number })
export type Band = typeof Band.Type

/** How it goes over time: the seeds beside each other at each moment. */
export const Timeline = Schema.Struct({
  step_seconds: Schema.Int,
  points: Schema.Array(
    Schema.Struct({
      at: Timestamp,
      calls: Band.annotations({ description: "Calls under way in this step, in the mean over the step" }),
      reached: Band.annotations({ description: "Recipients who have answered by the end of this step" })
    })
  )
}).annotations({ identifier: "SimulationTimeline" })
export type Timeline = typeof Timeline.Type

/** What one seed's run wrote down of each minute. */
export interface Traced {
  readonly calls: ReadonlyArray<number>
  readonly reached: ReadonlyArray<number>
}

const mostPoints = 300
const steps = [
  minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  12 * hour,
  day
]

const stepFor = (minutes: number): number =>
  steps.find((step) => (minutes * span) / step <= mostPoints) ??
  day * Math.ceil((minutes * span) / (mostPoints * day))

const bandOf = (values: ReadonlyArray<number>): Band => {
  const ascending = values.toSorted((a, b) => a - b)
  const of = (share: number) => rounded(percentile(ascending, share))
  return { p10: of(0.1), p50: of(0.5), p90: of(0.9) }
}

const meanOf = (calls: ReadonlyArray<number>, from: number, until: number): number => {
  let sum = 0
  for (let i = from; i < until; i++) sum += calls[i] ?? 0
  return sum / (until - from)
}

/** The runs beside each other from their start on. A run that is over has no calls, and whom it has reached it has. */
export const timelineOf = (starts_at: number, runs: ReadonlyArray<Traced>): Timeline => {
  const minutes = Math.max(...runs.map(({ calls }) => calls.length))
  const step = stepFor(minutes)
  const width = step / span
  return {
    step_seconds: step / second,
    points: Array.from({ length: Math.ceil(minutes / width) }, (_, i) => ({
      at: starts_at + i * step,
      calls: bandOf(runs.map(({ calls }) => meanOf(calls, i * width, (i + 1) * width))),
      reached: bandOf(runs.map(({ reached }) => reached[Math.min((i + 1) * width, reached.length) - 1] ?? 0))
    }))
  }
}

/** The length of the spans of time in which a run is written down. */
export const span = minute
