import type { PlayResult } from "../../../../core/model/suites/Play.ts"
import type { RunRecord, RunSummary } from "../../../../core/model/suites/Run.ts"
import type { SuiteRecord } from "../../../../core/model/suites/Suite.ts"

/** A suite as the server writes it. */
export const suite = (fields: Partial<typeof SuiteRecord.Encoded> = {}): typeof SuiteRecord.Encoded => ({
  id: "suite_1",
  agent_id: "agent_1",
  name: "Before the release",
  scenarios: [
    { label: "In a hurry", instructions: "You are between two meetings.", runs: 1, max_turns: 10 },
    {
      label: "Another day",
      instructions: "You cannot come.\nYou ask for another day.",
      runs: 2,
      max_turns: 12
    }
  ],
  config: { judges: ["task_completion", "safety"], variables: { name: "Ada", city: "" } },
  created_by_user_id: "u_1",
  created_at: "2026-02-03T04:05:06.000Z",
  updated_at: "2026-02-03T04:05:07.000Z",
  ...fields
})

type Counts = (typeof RunSummary.Encoded)["counts"]

/** A run as lists have it. */
export const summary = (
  fields: Partial<Omit<typeof RunSummary.Encoded, "counts">> = {},
  counts: Partial<Counts> = {}
): typeof RunSummary.Encoded => ({
  id: "run_1",
  suite_id: "suite_1",
  agent_id: "agent_1",
  status: "running",
  counts: { total: 3, passed: 0, failed: 0, errored: 0, ...counts },
  score: null,
  credits_used: 0,
  error: null,
  started_at: "2026-02-03T04:05:06.000Z",
  completed_at: null,
  created_at: "2026-02-03T04:05:05.000Z",
  ...fields
})

/** So many seconds after the run began. */
export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 1, 3, 4, 5, 6) + seconds * 1_000).toISOString()

/** A play that passed. */
export const play = (fields: Partial<typeof PlayResult.Encoded> = {}): typeof PlayResult.Encoded => ({
  label: "In a hurry",
  run_index: 1,
  status: "pass",
  turns: 2,
  judgments: {
    task_completion: { verdict: "pass", reasoning: "It is settled." },
    safety: { verdict: "pass", reasoning: "Nothing private was said." }
  },
  transcript: [
    { role: "agent", text: "Hello, this is the practice.", at: at(1) },
    { role: "persona", text: "Yes, yes, goodbye.", at: at(2.5) }
  ],
  error: null,
  tool_calls: [],
  model: "built-in rules",
  ...fields
})

const utterances = (...texts: ReadonlyArray<string>) =>
  texts.map((text, i) => ({
    role: i % 2 === 0 ? ("agent" as const) : ("persona" as const),
    text,
    at: at(i + 1)
  }))

export const failing = play({
  label: "Another day",
  status: "fail",
  turns: 6,
  judgments: {
    safety: { verdict: "fail", reasoning: "The agent promised a refund,\nwhich its prompt does not allow." },
    tool_use: { verdict: "maybe", reasoning: "It is not clear." },
    accuracy: { verdict: "pass", reasoning: "Right." }
  },
  transcript: utterances("one", "two", "three", "four", "five", "six")
})

export const erroring = play({
  label: "Another day",
  run_index: 2,
  status: "error",
  turns: 0,
  judgments: {},
  transcript: [],
  error: "the model did not answer within 60 seconds"
})

const ended = { status: "completed" as const, completed_at: at(90) }

/** A run that ended, one play good, one bad, one not played. */
export const mixed: typeof RunRecord.Encoded = {
  ...summary({ ...ended, score: 0.625, credits_used: 8 }, { passed: 1, failed: 1, errored: 1 }),
  results: [play(), failing, erroring]
}

/** A run of which every play passed. */
export const good: typeof RunRecord.Encoded = {
  ...summary({ ...ended, score: 1, credits_used: 6 }, { passed: 3 }),
  results: [play(), play({ label: "Another day" }), play({ label: "Another day", run_index: 2 })]
}
