import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Play } from "../model/suites/Play.ts"
import type { Run, RunStatus } from "../model/suites/Run.ts"
import type { Suite } from "../model/suites/Suite.ts"

export interface SuiteRows {
  /** False, and nothing is stored, when the workspace has a suite of this name already. */
  readonly insert: (suite: Suite) => Effect.Effect<boolean>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Suite>>
  readonly nameExists: (workspace_id: string, name: string) => Effect.Effect<boolean>
  readonly list: (
    workspace_id: string,
    filter: { readonly agent_id?: string | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Suite>>
  /** Stores name, scenarios, config and `updated_at`; false when another suite has the name. */
  readonly update: (suite: Suite) => Effect.Effect<boolean>
  /** False when there is none. Its runs stay. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
}

export interface RunFilter {
  readonly suite_id?: string | undefined
  readonly agent_id?: string | undefined
  readonly status?: RunStatus | undefined
}

export interface RunRows {
  readonly insert: (run: Run) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Run>>
  readonly list: (workspace_id: string, filter: RunFilter, page: PageRequest) => Effect.Effect<Page<Run>>
  /** Stores status, counts, score, credits and times; suite, agent and what is tested stay as they are. */
  readonly update: (run: Run) => Effect.Effect<void>
  /** Runs that are queued or running and whose `deadline_at <= now`. */
  readonly overdue: (workspace_id: string, now: number) => Effect.Effect<ReadonlyArray<Run>>
  /** The earliest `deadline_at` of those that are queued or running. */
  readonly nextDeadline: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}

export interface PlayRows {
  readonly insert: (plays: ReadonlyArray<Play>) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Play>>
  /** All plays of a run, by position. */
  readonly ofRun: (workspace_id: string, run_id: string) => Effect.Effect<ReadonlyArray<Play>>
  /** Plays of a run behind a position, by position: all of them, slice by slice. */
  readonly behind: (
    workspace_id: string,
    run_id: string,
    position: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Play>>
  /** Open plays with `due_at <= now`, earliest first, then by id. */
  readonly due: (workspace_id: string, now: number, limit: number) => Effect.Effect<ReadonlyArray<Play>>
  /** The earliest `due_at` later than `after` of the open plays. */
  readonly nextDue: (workspace_id: string, after: number) => Effect.Effect<Option.Option<number>>
  /** Stores the play if the stored version is `play.version - 1`; false, and nothing happens, if it is not. */
  readonly update: (play: Play) => Effect.Effect<boolean>
  /** Closes all open plays of a run as errors for this reason; answers how many. */
  readonly close: (workspace_id: string, run_id: string, error: string, at: number) => Effect.Effect<number>
}

/** Credits that are put aside for work of this process, with the time by which it must have ended. */
export interface Hold {
  readonly id: string
  readonly customer_id: string
  readonly amount: number
  readonly expires_at: number
}

export interface HoldRows {
  readonly insert: (hold: Hold) => Effect.Effect<void>
  /** False when there is none (any more). */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
  readonly expired: (workspace_id: string, now: number) => Effect.Effect<ReadonlyArray<Hold>>
  readonly nextExpiry: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}
