import type { Judgment, TestResult, TestRunSummary } from "outdial/client"
import type { Tone } from "../components/Values.tsx"
import { words } from "../data/Format.ts"

/** The plays of one scenario. */
export interface Row {
  readonly label: string
  readonly plays: ReadonlyArray<TestResult>
}

type Verdict = Judgment["verdict"]

/** Plays by their scenario, in the order in which scenarios first appear. */
export const rowsOf = (results: ReadonlyArray<TestResult>): ReadonlyArray<Row> => {
  const rows = new Map<string, Array<TestResult>>()
  for (const result of results) {
    const plays = rows.get(result.label)
    if (plays === undefined) rows.set(result.label, [result])
    else plays.push(result)
  }
  return [...rows].map(([label, plays]) => ({ label, plays }))
}

/** The judges that have read anything, in the order in which they first did. */
export const judgesOf = (results: ReadonlyArray<TestResult>): ReadonlyArray<string> => [
  ...new Set(results.flatMap(({ judgments }) => Object.keys(judgments)))
]

export const verdictsOf = ({ plays }: Row, judge: string): ReadonlyArray<Verdict> =>
  plays.flatMap(({ judgments }) => (Object.hasOwn(judgments, judge) ? [judgments[judge]!.verdict] : []))

/** What verdicts come to, in words and as a tone; null where there are none yet. */
export const summed = (
  verdicts: ReadonlyArray<Verdict>
): { readonly text: string; readonly tone: Tone } | null => {
  const [first] = verdicts
  if (first === undefined) return null
  const tone = verdicts.includes("fail") ? "bad" : verdicts.includes("maybe") ? "warn" : "good"
  const passed = verdicts.filter((verdict) => verdict === "pass").length
  return { tone, text: verdicts.length === 1 ? words(first) : `${passed} of ${verdicts.length} pass` }
}

const points: Readonly<Record<Verdict, number>> = { pass: 1, maybe: 0.5, fail: 0 }

/** The share of passed verdicts, a `maybe` counting half, as the score of a run has it. */
export const shareOf = (verdicts: ReadonlyArray<Verdict>): number | null =>
  verdicts.length === 0 ? null : verdicts.reduce((sum, verdict) => sum + points[verdict], 0) / verdicts.length

export const isOpen = ({ status }: Pick<TestRunSummary, "status">): boolean =>
  status === "queued" || status === "running"

/** The scenario that the address names; else the first that failed, or the first. */
export const chosenOf = (rows: ReadonlyArray<Row>, query: URLSearchParams): Row | undefined =>
  rows.find(({ label }) => label === query.get("scenario")) ??
  rows.find(({ plays }) => plays.some(({ status }) => status === "fail" || status === "error")) ??
  rows[0]

/** The play of a scenario that the address names, from 0; the first by default. */
export const playOf = (row: Row, query: URLSearchParams): number => {
  const wanted = Number(query.get("play") ?? 1) - 1
  return row.plays[wanted] === undefined ? 0 : wanted
}
