import { duration } from "../progress/Bar.ts"
import { beside, type Column, printable, table } from "../terminal/Table.ts"
import { conclusion, hasEnded, lengthOf, namesOf, type Play, type Run } from "./Run.ts"

const standardWidth = 100
/** Utterances of a failed play that are shown. */
const lastLines = 4

const words = { pass: "pass", fail: "FAIL", error: "ERROR" } as const
const wordOf = ({ status }: Play): string => (status === null ? "open" : words[status])

interface Named {
  readonly name: string
  readonly play: Play
}

const columns: ReadonlyArray<Column<Named>> = [
  { title: "RESULT", value: ({ play }) => wordOf(play) },
  { title: "SCENARIO", value: ({ name }) => name },
  { title: "TURNS", value: ({ play }) => play.turns },
  { title: "TIME", value: ({ play }) => duration(lengthOf(play)) }
]

const judged = ({ judgments }: Play, width: number): ReadonlyArray<string> =>
  judgments
    .filter(([, { verdict }]) => verdict !== "pass")
    .flatMap(([judge, { reasoning, verdict }]) =>
      beside(`  ${printable(judge)}${verdict === "maybe" ? " (maybe)" : ""}: `, reasoning, width)
    )

/** Which transcripts a report has: the end of the failed plays' ones, all of theirs, or those of all plays. */
export type Transcripts = "ends" | "failed" | "all"

const said = ({ transcript }: Play, width: number, which: Transcripts): ReadonlyArray<string> => {
  const earlier = which === "ends" ? transcript.length - lastLines : 0
  return [
    ...(earlier <= 0 ? [] : [`  … ${earlier} more before`]),
    ...transcript
      .slice(Math.max(0, earlier))
      .flatMap(({ role, text }) => beside(`  ${role.padEnd("persona".length)}  `, text, width))
  ]
}

/** The tools that the agent of a play used, with what they answered. */
const used = ({ tool_calls }: Play, width: number): ReadonlyArray<string> =>
  tool_calls.flatMap(({ arguments: given, name, result, turn }) =>
    beside(`  ${printable(name)} (turn ${turn}): `, `${given} → ${result ?? "no answer"}`, width)
  )

const blockOf = ({ name, play }: Named, width: number, which: Transcripts): string => {
  const title = `${wordOf(play)}  ${printable(name)}`
  const head = play.error === null ? [title] : beside(`${title}: `, play.error, width)
  return [...head, ...judged(play, width), ...used(play, width), ...said(play, width, which)].join("\n")
}

const isBad = ({ play: { status } }: Named): boolean => status === "fail" || status === "error"

/** The result of a run for people: every play in a table, then what was said and judged, then a summary. */
export const report = (
  suiteName: string,
  run: Run,
  width?: number,
  transcripts: Transcripts = "ends"
): string => {
  const names = namesOf(run.results)
  const plays = run.results.map((play, i): Named => ({ name: names[i]!, play }))
  const model = run.results.find((play) => play.model !== null)?.model
  return [
    `Run ${run.id} of ${printable(suiteName)}${model == null ? "" : `, played and judged by ${printable(model)}`}`,
    ...(plays.length === 0 ? [] : [table(columns, plays, width)]),
    ...plays
      .filter((named) => transcripts === "all" || isBad(named))
      .map((named) => blockOf(named, width ?? standardWidth, transcripts)),
    printable(conclusion(run)) + (hasEnded(run) ? "" : " It has not ended yet.")
  ].join("\n\n")
}
