import { Clock, Context, Effect, Layer, Option } from "effect"
import type { Agent } from "../model/agents/Agent.ts"
import { AgentNotFound } from "../model/agents/AgentErrors.ts"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"

/** What a customer says of an agent; the rest is set by the platform. */
export type AgentDraft = Omit<Agent, "id" | "customer_id" | "published" | "created_at" | "updated_at">

const check = (agent: Agent) =>
  agent.idle_timeout_warning >= agent.idle_timeout_end
    ? Effect.fail(
        new InvalidInput({
          reason: "idle_timeout_warning must be less than idle_timeout_end",
          field: "idle_timeout_warning"
        })
      )
    : Effect.succeed(agent)

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids

  const get: AgentsShape["get"] = Effect.fn("Agents.get")(function* (workspace_id, agent_id) {
    const agent = yield* repository.agents.get(workspace_id, agent_id)
    return Option.isSome(agent) ? agent.value : yield* new AgentNotFound({ agent_id })
  })

  const create: AgentsShape["create"] = Effect.fn("Agents.create")(function* (workspace_id, draft) {
    const now = yield* Clock.currentTimeMillis
    const agent = yield* check({
      ...draft,
      id: yield* ids.make("agent"),
      customer_id: workspace_id,
      published: false,
      created_at: now,
      updated_at: now
    })
    yield* repository.agents.insert(agent)
    return agent
  })

  const update: AgentsShape["update"] = Effect.fn("Agents.update")((workspace_id, agent_id, change) =>
    repository.transaction(
      workspace_id,
      Effect.gen(function* () {
        const agent = yield* get(workspace_id, agent_id)
        const updated = yield* check({
          ...agent,
          ...change,
          updated_at: yield* Clock.currentTimeMillis
        })
        yield* repository.agents.update(updated)
        return updated
      })
    )
  )

  return Agents.of({ create, get, update, list: repository.agents.list })
})

export interface AgentsShape {
  /** A new agent is unpublished. */
  readonly create: (workspace_id: string, draft: AgentDraft) => Effect.Effect<Agent, InvalidInput>
  readonly get: (workspace_id: string, agent_id: string) => Effect.Effect<Agent, AgentNotFound>
  readonly list: (
    workspace_id: string,
    filter: { readonly published?: boolean | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Agent>>
  /** Calls that are queued meet the agent as it is when they are dialled. */
  readonly update: (
    workspace_id: string,
    agent_id: string,
    change: Partial<AgentDraft & Pick<Agent, "published">>
  ) => Effect.Effect<Agent, AgentNotFound | InvalidInput>
}

export class Agents extends Context.Tag("outdial/Agents")<Agents, AgentsShape>() {
  static readonly layer = Layer.effect(this, make)
}
