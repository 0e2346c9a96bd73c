// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Pagination, Timestamp } from "./Shared.ts"

export interface TestRunSummary {
  readonly id: string
  readonly suite_id: string
  readonly agent_id: string
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled"
  readonly counts: TestRunCounts
  readonly score: number | null
  readonly credits_used: number
  readonly error: string | null
  readonly started_at: Timestamp | null
  readonly completed_at: Timestamp | null
  readonly created_at: Timestamp
}

export interface TestRunCounts {
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly errored: number
}

export interface NewTestRun {
  readonly suite_id: string
}

export interface TestRunPage {
  readonly data: ReadonlyArray<TestRunSummary>
  readonly pagination: Pagination
}

export interface TestRun {
  readonly id: string
  readonly suite_id: string
  readonly agent_id: string
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled"
  readonly counts: TestRunCounts
  readonly score: number | null
  readonly credits_used: number
  readonly error: string | null
  readonly started_at: Timestamp | null
  readonly completed_at: Timestamp | null
  readonly created_at: Timestamp
  readonly results: ReadonlyArray<TestResult>
}

export interface TestResult {
  readonly label: string
  readonly run_index: number
  readonly status: "pass" | "fail" | "error" | null
  readonly turns: number
  readonly judgments: Readonly<Record<string, Judgment>>
  readonly transcript: ReadonlyArray<{
    readonly role: "agent" | "persona"
    readonly text: string
    readonly at: Timestamp
  }>
  readonly error: string | null
}

export interface Judgment {
  readonly verdict: "pass" | "fail" | "maybe"
  readonly reasoning: string
}

export interface ListTestRunsQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only runs of this test suite. */
  readonly suite_id?: string | undefined
  /** Only runs with this agent. */
  readonly agent_id?: string | undefined
  /** Only runs of this status. */
  readonly status?: "queued" | "running" | "completed" | "failed" | "cancelled" | undefined
}

export interface AgentTestRuns {
  /**
   * Run a test suite.
   * Queues a run of the suite with the agent as it is now: each scenario is played as often as its
   * `runs` says, agent and persona taking turns, and then the judges read what was said. Each turn costs
   * credits; a run fails when there are none left.
   *
   * Needs the scope `sessions:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /agent-test-runs`.
   *
   * @throws {OutdialError} 400: `suite_id` is missing or no id; or the suite has no scenarios, or more
   * than 2000 plays of them
   * @throws {OutdialError} 404: `suite_id` names no test suite of the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly start: (body: NewTestRun, options?: RequestOptions) => Promise<TestRunSummary>

  /**
   * List test runs.
   * The workspace's test runs, newest first, without what was said in them.
   *
   * Needs the scope `sessions:read`.
   *
   * Source: `GET /agent-test-runs`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListTestRunsQuery, options?: RequestOptions) => Promise<TestRunPage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListTestRunsQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<TestRunSummary>

  /**
   * Read a test run.
   * The run as it stands now, with every play of a scenario: what was said, and how each judge sees it.
   * A play that is under way has no `status` yet.
   *
   * Needs the scope `sessions:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /agent-test-runs/{run_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (run_id: string, options?: RequestOptions) => Promise<TestRun>

  /**
   * Cancel a test run.
   * What is being played ends before its next turn. Plays that were not finished count as errored; those
   * that were keep their verdicts.
   *
   * Needs the scope `sessions:write`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /agent-test-runs/{run_id}/cancel`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 409: The test run has ended already
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly cancel: (run_id: string, options?: RequestOptions) => Promise<TestRunSummary>
}
