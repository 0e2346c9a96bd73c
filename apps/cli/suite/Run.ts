import { Schema } from "effect"
import { Judgment, PlayResult } from "../../../core/model/suites/Play.ts"
import { RunRecord, type RunSummary } from "../../../core/model/suites/Run.ts"
import * as Flags from "../command/Flags.ts"
import { type Bar, count, duration } from "../progress/Bar.ts"
import { type Column, moment } from "../terminal/Table.ts"
import { Entries } from "./Entries.ts"

const Play = Schema.Struct({ ...PlayResult.fields, judgments: Entries(Judgment) })
/** The result of one play; the judgments in the order in which they were given. */
export type Play = typeof Play.Type

/** A test run with the result of each play, as the server writes it. */
export const Run = Schema.Struct({ ...RunRecord.fields, results: Schema.Array(Play) })
export type Run = typeof Run.Type
export type Summary = typeof RunSummary.Type

export const id = Flags.argument("RUN_ID", "The run's id, as `suite run` and `suite runs` show it.")

export const path = "/agent-test-runs"
export const pathOf = (runId: string): string => `${path}/${encodeURIComponent(runId)}`

export const hasEnded = ({ status }: Summary): boolean => status !== "queued" && status !== "running"

/** Whether the run is completed and every play passed. */
export const hasPassed = ({ counts, status }: Summary): boolean =>
  status === "completed" && counts.passed === counts.total

const doneOf = ({ errored, failed, passed }: Summary["counts"]): number => passed + failed + errored

const plural = (n: number, noun: string): string => `${count(n)} ${noun}${n === 1 ? "" : "s"}`
export const playsOf = ({ counts }: Summary): string => plural(counts.total, "play")

const scoreOf = (score: number | null): ReadonlyArray<string> =>
  score === null ? [] : [`score ${score.toFixed(2)}`]

const factsOf = ({ counts, score }: Summary): ReadonlyArray<string> => [
  `${count(counts.passed)} passed`,
  `${count(counts.failed)} failed`,
  `${count(counts.errored)} errored`,
  ...scoreOf(score)
]

/** How far a run is, so many milliseconds after its beginning. */
export const barOf = (run: Summary, elapsed: number): Bar => ({
  label: run.status,
  done: doneOf(run.counts),
  total: run.counts.total,
  facts: [...factsOf(run), duration(elapsed)]
})

/** How far a run is at a moment, in a line. */
export const line = (run: Summary, now: number): string =>
  [
    moment(now),
    run.status,
    `${count(doneOf(run.counts))}/${count(run.counts.total)} done`,
    ...factsOf(run)
  ].join("  ")

/** The result of a run, in a line. */
export const conclusion = (run: Summary): string => {
  const { completed_at, counts, credits_used, error, score, started_at, status } = run
  const reason = error === null || error === status ? "" : `: ${error}`
  const took = started_at === null || completed_at === null ? [] : [duration(completed_at - started_at)]
  const parts = [
    `${count(counts.passed)} passed, ${count(counts.failed)} failed, ${count(counts.errored)} errored`,
    ...scoreOf(score),
    plural(credits_used, "credit"),
    ...took
  ]
  return `${status}${reason}. ${playsOf(run)}: ${parts.join("; ")}.`
}

/** The name of each play: the scenario's label, with a number where that is played several times. */
export const namesOf = (plays: ReadonlyArray<Pick<Play, "label">>): ReadonlyArray<string> => {
  const totals = new Map<string, number>()
  for (const { label } of plays) totals.set(label, (totals.get(label) ?? 0) + 1)
  const seen = new Map<string, number>()
  return plays.map(({ label }) => {
    const nth = (seen.get(label) ?? 0) + 1
    seen.set(label, nth)
    return totals.get(label) === 1 ? label : `${label} #${nth}`
  })
}

/** Milliseconds from the first utterance to the last. */
export const lengthOf = ({ transcript }: Pick<Play, "transcript">): number => {
  const [first, last] = [transcript[0], transcript.at(-1)]
  return first === undefined || last === undefined ? 0 : Math.max(0, last.at - first.at)
}

export const columns: ReadonlyArray<Column<Summary>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "SUITE", value: ({ suite_id }) => suite_id },
  { title: "STATUS", value: ({ status }) => status },
  { title: "PLAYS", value: ({ counts }) => counts.total },
  { title: "PASSED", value: ({ counts }) => counts.passed },
  { title: "FAILED", value: ({ counts }) => counts.failed },
  { title: "ERRORED", value: ({ counts }) => counts.errored },
  { title: "SCORE", value: ({ score }) => (score === null ? "" : score.toFixed(2)) },
  { title: "BEGAN", value: ({ created_at }) => moment(created_at) }
]
