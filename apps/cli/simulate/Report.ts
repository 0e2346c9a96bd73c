import { second } from "../../../core/model/Codecs.ts"
import type { Simulation } from "../../../core/model/simulation/Simulation.ts"
import type { Spread } from "../../../core/model/simulation/Spread.ts"
import { count, duration } from "../progress/Bar.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"

interface Line {
  readonly name: string
  readonly spread: Spread
  readonly show: (value: number) => string
}

const tenths = (value: number): string => (Math.round(value * 10) / 10).toLocaleString("en-US")
const hundredths = (value: number): string => value.toFixed(2)

const columns: ReadonlyArray<Column<Line>> = [
  { title: "", value: ({ name }) => name },
  ...(["mean", "min", "p10", "p50", "p90", "max"] as const).map((key) => ({
    title: key.toUpperCase(),
    value: ({ show, spread }: Line) => show(spread[key])
  }))
]

const linesOf = (simulation: Simulation): ReadonlyArray<Line> => [
  ...(simulation.duration_seconds === null
    ? []
    : [
        {
          name: "Duration",
          spread: simulation.duration_seconds,
          show: (value: number) => duration(value * second)
        }
      ]),
  { name: "Reached", spread: simulation.reached, show: tenths },
  { name: "Attempts", spread: simulation.attempts, show: tenths },
  { name: "Attempts per recipient", spread: simulation.attempts_per_recipient, show: hundredths },
  { name: "Most calls at one time", spread: simulation.peak_calls, show: tenths },
  { name: "Credits", spread: simulation.credits, show: tenths }
]

const byAttempts: ReadonlyArray<Column<Simulation["recipients_by_attempts"][number]>> = [
  { title: "ATTEMPTS", value: ({ attempts }) => attempts },
  { title: "RECIPIENTS (MEAN)", value: ({ recipients }) => tenths(recipients.mean) }
]

const reasonsOf = ({ seeds }: Simulation): string =>
  [
    ...new Set(
      seeds.flatMap(({ status, status_reason }) =>
        status === "completed" ? [] : [`${status}, ${status_reason ?? "for no reason"}`]
      )
    )
  ].join("; ")

const completion = (simulation: Simulation): string => {
  const share = Math.round(simulation.completed_share * simulation.seeds.length)
  const of = `${count(share)} of ${count(simulation.seeds.length)} seeds`
  return share === simulation.seeds.length ? of : `${of}; else ${reasonsOf(simulation)}`
}

const ends = ({ finishes_at }: Simulation): string =>
  finishes_at === null
    ? "never"
    : `p10 ${moment(finishes_at.p10)}, p50 ${moment(finishes_at.p50)}, p90 ${moment(finishes_at.p90)}`

/** The result of a simulation, for people. */
export const report = (simulation: Simulation, width?: number): string =>
  [
    pairs([
      ["RECIPIENTS", count(simulation.recipients)],
      ...(simulation.learned === null
        ? []
        : [["CALLEES", `learned from ${count(simulation.learned.attempts)} calls`] as const]),
      ["STARTS", moment(simulation.starts_at)],
      ["COMPLETED", completion(simulation)],
      ["FINISHES", ends(simulation)]
    ]),
    table(columns, linesOf(simulation), width),
    table(byAttempts, simulation.recipients_by_attempts, width)
  ].join("\n\n")
