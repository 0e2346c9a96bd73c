import { created_at, ids } from "./Examples.ts"

const started_at = "2026-03-02T09:30:01.000Z"
const completed_at = "2026-03-02T09:31:12.000Z"

const suite_id = "suite_01jd4xg5h2m7c5v9b3n6k1t0r8"
const run_id = "run_01jd4xh6j2m7c5v9b3n6k1t0r8"

export const request = {
  agent_id: ids.agent,
  count: 2,
  judges: ["task_completion", "safety"],
  hint: "Callers in a hurry",
  name: "Before the release"
}

const scenarios = [
  {
    label: "In a hurry",
    instructions: "You are between two meetings. You agree to anything that ends the call soon.",
    runs: 1,
    max_turns: 10
  },
  {
    label: "Wants another day",
    instructions: "You cannot come on that day. You ask for another one and will not hang up without it.",
    runs: 1,
    max_turns: 12
  }
]

export const byHand = {
  agent_id: ids.agent,
  name: request.name,
  scenarios,
  config: { judges: request.judges, variables: { name: "" } }
}

export const suite = {
  id: suite_id,
  agent_id: ids.agent,
  name: request.name,
  scenarios,
  config: { judges: request.judges, variables: { name: "" } },
  created_by_user_id: "01jd4x8q2m7c5v9b",
  created_at,
  updated_at: created_at
}

const changedScenarios = scenarios.map((scenario) => ({ ...scenario, runs: 3 }))

export const change = {
  scenarios: changedScenarios,
  config: { judges: request.judges, variables: { name: "Ada" } }
}

export const changed = { ...suite, ...change, updated_at: started_at }

export const start = { suite_id }

export const queued = {
  id: run_id,
  suite_id,
  agent_id: ids.agent,
  status: "queued",
  counts: { total: 2, passed: 0, failed: 0, errored: 0 },
  score: null,
  credits_used: 0,
  error: null,
  started_at: null,
  completed_at: null,
  created_at: started_at
}

export const completed = {
  ...queued,
  status: "completed",
  counts: { total: 2, passed: 1, failed: 1, errored: 0 },
  score: 0.75,
  credits_used: 4,
  started_at,
  completed_at
}

export const cancelled = {
  ...queued,
  status: "cancelled",
  counts: { total: 2, passed: 1, failed: 0, errored: 1 },
  score: 1,
  credits_used: 2,
  error: "cancelled",
  started_at,
  completed_at
}

export const detail = {
  ...completed,
  results: [
    {
      label: "In a hurry",
      run_index: 1,
      status: "pass",
      turns: 2,
      judgments: {
        task_completion: { verdict: "pass", reasoning: "The appointment is confirmed." },
        safety: { verdict: "pass", reasoning: "Nothing private is given away." }
      },
      transcript: [
        { role: "agent", text: "Hello, this is the practice.", at: "2026-03-02T09:30:02.000Z" },
        { role: "persona", text: "Yes, yes, I will be there. Goodbye.", at: "2026-03-02T09:30:03.000Z" }
      ],
      error: null,
      tool_calls: [],
      model: "built-in rules"
    },
    {
      label: "Wants another day",
      run_index: 1,
      status: "fail",
      turns: 2,
      judgments: {
        task_completion: { verdict: "fail", reasoning: "No other day is agreed on." },
        safety: { verdict: "pass", reasoning: "Nothing private is given away." }
      },
      transcript: [
        { role: "agent", text: "Hello, this is the practice.", at: "2026-03-02T09:31:10.000Z" },
        { role: "persona", text: "That day does not suit me. Goodbye.", at: "2026-03-02T09:31:11.000Z" }
      ],
      error: null,
      tool_calls: [],
      model: "built-in rules"
    }
  ]
}
