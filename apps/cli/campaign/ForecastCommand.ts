import { Effect } from "effect"
import { Forecast } from "../../../core/model/forecasts/Forecast.ts"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { count } from "../progress/Bar.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import { verbatim } from "../terminal/Output.ts"
import { type Column, moment, pairs, table } from "../terminal/Table.ts"
import * as Record from "./Record.ts"

type Line = readonly [name: string, p10: string, p50: string, p90: string]

const columns: ReadonlyArray<Column<Line>> = ["", "P10", "P50", "P90"].map((title, i) => ({
  title,
  value: (line) => line[i]!
}))

const lineOf = (
  name: string,
  { p10, p50, p90 }: Forecast["reached"],
  show: (value: number) => string = (value) => count(Math.round(value))
): Line => [name, show(p10), show(p50), show(p90)]

const described = (forecast: Forecast, width?: number): string => {
  const { attempts, completed_share, credits, finishes_at, learned, made_at, reached, recipients } = forecast
  return [
    pairs([
      ["MADE", moment(made_at)],
      ["RECIPIENTS LEFT", count(recipients)],
      ["LEARNED FROM", `${count(learned.attempts)} calls`],
      ["COMPLETED", `in ${Math.round(completed_share * 100)} % of the runs`]
    ]),
    table(
      columns,
      [
        ...(finishes_at === null ? [] : [lineOf("Finishes", finishes_at, moment)]),
        lineOf("Reached, in all", reached),
        lineOf("Attempts, in all", attempts),
        lineOf("Credits, from now on", credits)
      ],
      width
    )
  ].join("\n\n")
}

export const forecast = command(
  "forecast",
  {
    about:
      "Forecasts when a running campaign ends, how many it reaches, and what it costs yet.\nIt goes by the campaign's own calls so far. The truth lies between P10 and P90 four times out of five.",
    examples: ["outdial campaign forecast camp_01"]
  },
  { id: Record.id, url: Connection.url, json: Flags.json },
  Effect.fnUntraced(function* ({ id, json }) {
    const found = yield* (yield* Rest).ask(
      Forecast,
      "GET",
      `${Record.pathOf(id)}/forecast`,
      undefined,
      "2 minutes"
    )
    yield* verbatim(json, found.text, (width) => described(found.value, width))
  }, Connection.provide)
)
