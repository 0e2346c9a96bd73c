// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Deleted, Pagination, Timestamp } from "./Shared.ts"

export interface TestSuite {
  readonly id: string
  readonly agent_id: string
  readonly name: string
  readonly scenarios: ReadonlyArray<Scenario>
  readonly config: SuiteConfig
  readonly created_by_user_id: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface Scenario {
  readonly label: string
  readonly instructions: string
  /** 1 to 100. */
  readonly runs: number
  /** 1 to 100. */
  readonly max_turns: number
}

export interface SuiteConfig {
  readonly judges: ReadonlyArray<string>
  readonly variables: Readonly<Record<string, string>>
}

export interface GenerateSuite {
  readonly agent_id: string
  /** Default 5. */
  readonly count?: number | undefined
  /** Whose criteria are put to the test; by default the five known ones. */
  readonly judges?: ReadonlyArray<string> | undefined
  /** A free-text steer for the generator. */
  readonly hint?: string | null | undefined
  /** Suffixed when the workspace has a suite of this name already. */
  readonly name?: string | null | undefined
}

export interface TestSuitePage {
  readonly data: ReadonlyArray<TestSuite>
  readonly pagination: Pagination
}

export interface UpdateSuite {
  readonly name?: string | undefined
  readonly scenarios?: ReadonlyArray<Scenario> | undefined
  readonly config?: SuiteConfig | undefined
}

export interface ListTestSuitesQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only suites for this agent. */
  readonly agent_id?: string | undefined
}

export interface AgentTestSuites {
  /**
   * Generate a test suite.
   * Has persona scenarios made from the agent's prompt and the judges' criteria, and stores them as a
   * suite, which can be changed like any other. `count` is 5 by default, `judges` are the five known
   * ones, `name` is the agent's with ` — generated` behind it; a name that is taken is numbered. The
   * answer may take a minute. Credits are charged for each scenario that was made, and for nothing when
   * none was.
   *
   * Needs the scope `sessions:write`.
   *
   * Source: `POST /agent-test-suites/generate`.
   *
   * @throws {OutdialError} 400: A property breaks its rule, is missing or is not permitted; a whole
   * `count` outside 1 to 100 is clamped instead
   * @throws {OutdialError} 402: The workspace has fewer credits than the scenarios asked for would cost
   * @throws {OutdialError} 404: `agent_id` names no agent of the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 429: Scenario generation is rate-limited; it may be asked for again after
   * Retry-After seconds
   * @throws {OutdialError} 502: The generator returned no usable scenarios
   * @throws {OutdialError} 503: The test runner is unreachable
   * @throws {OutdialError} 504: Scenario generation timed out
   */
  readonly generate: (body: GenerateSuite, options?: RequestOptions) => Promise<TestSuite>

  /**
   * List test suites.
   * The workspace's test suites, newest first.
   *
   * Needs the scope `sessions:read`.
   *
   * Source: `GET /agent-test-suites`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListTestSuitesQuery, options?: RequestOptions) => Promise<TestSuitePage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListTestSuitesQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<TestSuite>

  /**
   * Read a test suite.
   * The suite as it stands now.
   *
   * Needs the scope `sessions:read`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /agent-test-suites/{suite_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (suite_id: string, options?: RequestOptions) => Promise<TestSuite>

  /**
   * Change a test suite.
   * Replaces what is given: the name, all scenarios, or judges and variables together. The variables
   * fill in the placeholders of the agent's prompt. The body may have 5 MB. Runs that have begun go on
   * as they were.
   *
   * Needs the scope `sessions:write`.
   *
   * An addition to the published interface.
   *
   * Source: `PATCH /agent-test-suites/{suite_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 409: The workspace has another test suite of this name
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly update: (suite_id: string, body: UpdateSuite, options?: RequestOptions) => Promise<TestSuite>

  /**
   * Remove a test suite.
   * Its runs stay, and those under way go on.
   *
   * Needs the scope `sessions:write`.
   *
   * An addition to the published interface.
   *
   * Source: `DELETE /agent-test-suites/{suite_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly remove: (suite_id: string, options?: RequestOptions) => Promise<Deleted>
}
