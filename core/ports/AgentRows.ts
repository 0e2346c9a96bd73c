import type { Effect, Option } from "effect"
import type { Agent, AgentVersion } from "../model/agents/Agent.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export interface AgentUser {
  readonly user: "campaign_id" | "call_id" | "suite_id"
  readonly id: string
}

export interface AgentRows {
  readonly insert: (agent: Agent) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Agent>>
  readonly list: (
    workspace_id: string,
    filter: { readonly published?: boolean | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Agent>>
  readonly update: (agent: Agent) => Effect.Effect<void>
  /** A campaign that has not ended, a call that is not done, or a test suite that names the agent. */
  readonly userOf: (workspace_id: string, id: string) => Effect.Effect<Option.Option<AgentUser>>
  /** Removes it with its versions; false when there is none. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
  /** The agent as calls meet it: as its published version has it, where it was changed since. */
  readonly spoken: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Agent>>
  readonly insertVersion: (version: AgentVersion) => Effect.Effect<void>
  readonly version: (
    workspace_id: string,
    id: string,
    version: number
  ) => Effect.Effect<Option.Option<AgentVersion>>
  /** Newest first. */
  readonly versions: (
    workspace_id: string,
    id: string,
    page: PageRequest
  ) => Effect.Effect<Page<AgentVersion>>
}
