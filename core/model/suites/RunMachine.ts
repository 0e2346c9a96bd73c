import type { Judgment, Play, PlayStatus, Utterance } from "./Play.ts"
import type { Run } from "./Run.ts"

/** What a play needs next. */
export type Next =
  | { readonly _tag: "Talk" }
  | { readonly _tag: "Judge"; readonly judge: string }
  | { readonly _tag: "Nothing" }

const points: Readonly<Record<Judgment["verdict"], number>> = { pass: 1, maybe: 0.5, fail: 0 }

/** Agent and persona talk until one of them hangs up or `max_turns` are said; then the judges read it. */
export const nextOf = (play: Play, judges: ReadonlyArray<string>): Next => {
  if (!play.open) return { _tag: "Nothing" }
  if (!play.over) return { _tag: "Talk" }
  const judge = judges.find((name) => !Object.hasOwn(play.judgments, name))
  return judge === undefined ? { _tag: "Nothing" } : { _tag: "Judge", judge }
}

/** It stays due as it is: a store keeps the plays by that, and each turn would move its play among them. */
const touch = (play: Play, now: number, change: Partial<Play>): Play => ({
  ...play,
  failures: 0,
  due_at: Math.min(play.due_at, now),
  ...change,
  updated_at: now,
  version: play.version + 1
})

const closed = (play: Play, judges: ReadonlyArray<string>, now: number): Play => {
  if (!play.over || judges.some((name) => !Object.hasOwn(play.judgments, name))) return play
  const failed = Object.values(play.judgments).some(({ verdict }) => verdict === "fail")
  return { ...play, open: false, status: failed ? "fail" : "pass", updated_at: now }
}

/** The agent or the persona has spoken. */
export const said = (
  play: Play,
  utterance: Utterance,
  hangs_up: boolean,
  judges: ReadonlyArray<string>,
  now: number
): Play => {
  const transcript = [...play.transcript, utterance]
  const over = hangs_up || transcript.length >= play.scenario.max_turns
  return closed(touch(play, now, { transcript, over }), judges, now)
}

/** The talk has come to its end, and nothing more was said. */
export const fellSilent = (
  play: Play,
  transcript: ReadonlyArray<Utterance>,
  judges: ReadonlyArray<string>,
  now: number
): Play => closed(touch(play, now, { transcript, over: true }), judges, now)

/** A judge has read the transcript. */
export const judged = (
  play: Play,
  judge: string,
  judgment: Judgment,
  judges: ReadonlyArray<string>,
  now: number
): Play => {
  const judgments = Object.fromEntries([...Object.entries(play.judgments), [judge, judgment]])
  return closed(touch(play, now, { judgments }), judges, now)
}

/** It cannot be played to its end. */
export const errored = (play: Play, error: string, now: number): Play =>
  touch(play, now, { open: false, status: "error", error })

/** The model had no time: it is asked again at `at`. */
export const putOff = (play: Play, at: number, now: number): Play =>
  touch(play, now, { due_at: at, failures: play.failures + 1 })

const counter: Readonly<Record<PlayStatus, "passed" | "failed" | "errored">> = {
  pass: "passed",
  fail: "failed",
  error: "errored"
}

/** A run that has begun. */
export const begun = (run: Run, now: number): Run =>
  run.status === "queued" ? { ...run, status: "running", started_at: now } : run

/**
 * A play has come to its end, and what its turns cost is known; the last one ends the run. A run in which nothing
 * could be played has failed.
 */
export const counted = (run: Run, play: Play, price_per_turn: number, now: number): Run => {
  const counts = { ...run.counts }
  counts[counter[play.status ?? "error"]] += 1
  const verdicts = Object.values(play.judgments)
  const sum = run.points + verdicts.reduce((total, { verdict }) => total + points[verdict], 0)
  const judgedNow = run.judged + verdicts.length
  const left = counts.total - counts.passed - counts.failed - counts.errored
  const ended = {
    status: counts.errored === counts.total ? ("failed" as const) : ("completed" as const),
    completed_at: now,
    error: counts.errored === counts.total ? (play.error ?? null) : null
  }
  return {
    ...run,
    counts,
    credits_used: run.credits_used + play.transcript.length * price_per_turn,
    points: sum,
    judged: judgedNow,
    score: judgedNow === 0 ? null : sum / judgedNow,
    ...(left === 0 ? ended : {})
  }
}

/** What is left, the plays that are open, is given up. */
export const stopped = (
  run: Run,
  status: "failed" | "cancelled",
  error: string,
  open: ReadonlyArray<Play>,
  price_per_turn: number,
  now: number
): Run => ({
  ...run,
  status,
  error,
  counts: { ...run.counts, errored: run.counts.errored + open.length },
  credits_used: open.reduce(
    (sum, { transcript }) => sum + transcript.length * price_per_turn,
    run.credits_used
  ),
  completed_at: now
})

export const isOpen = ({ status }: Run): boolean => status === "queued" || status === "running"
