import type { TestRunSummary } from "outdial/client"
import { type Column } from "../components/Table.tsx"
import { Status, Time } from "../components/Values.tsx"
import { count, share } from "../data/Format.ts"
import { to } from "../router/Location.ts"

export const runAddress = ({ id }: TestRunSummary) => to(`/tests/runs/${id}`)

export const scoreOf = ({ score }: Pick<TestRunSummary, "score">): string =>
  score === null ? "–" : share(score, 1)

/** `3 passed, 1 failed`: what is none is left out. */
export const countsOf = ({ counts }: Pick<TestRunSummary, "counts">): string => {
  const { errored, failed, passed, total } = counts
  const parts = [
    [passed, "passed"],
    [failed, "failed"],
    [errored, "errored"],
    [total - passed - failed - errored, "to go"]
  ] as const
  return parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${count(number)} ${what}`)
    .join(", ")
}

export const runColumns: ReadonlyArray<Column<TestRunSummary>> = [
  { label: "Begun", cell: ({ created_at }) => <Time at={created_at} /> },
  { label: "Status", cell: ({ status }) => <Status value={status} /> },
  { label: "Plays", kind: "wide", cell: countsOf },
  { label: "Score", kind: "number", cell: scoreOf },
  { label: "Credits", kind: "number", cell: ({ credits_used }) => count(credits_used) }
]
