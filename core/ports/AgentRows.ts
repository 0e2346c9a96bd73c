import type { Effect, Option } from "effect"
import type { Agent, AgentVersion } from "../model/agents/Agent.ts"
import type { Page, PageRequest } from "../model/Page.ts"

export interface AgentRows {
  readonly insert: (agent: Agent) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Agent>>
  readonly list: (
    workspace_id: string,
    filter: { readonly published?: boolean | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Agent>>
  readonly update: (agent: Agent) => Effect.Effect<void>
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
