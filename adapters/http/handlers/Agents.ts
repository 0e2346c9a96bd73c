import { Effect } from "effect"
import type { Agent, AgentDraft } from "../../../core/model/agents/Agent.ts"
import { placeholders } from "../../../core/model/agents/Prompt.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

const record = (agent: Agent) => ({ ...agent, placeholders: placeholders(agent.prompt) })

/** A version is unknown under anything but a whole number. */
const numberOf = (version: string): number => (/^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0)

export const layer = Operations.group(
  Api,
  "agents",
  Effect.fnUntraced(function* (handlers) {
    const agents = yield* Agents
    const publish = (agent_id: string, published: boolean) =>
      Json.inWorkspace((id) => Effect.map(agents.update(id, agent_id, { published }), record))
    return handlers
      .handle("create", ({ payload }) =>
        Json.inWorkspace((id) => Effect.map(agents.create(id, payload), record))
      )
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(agents.list(id, urlParams, urlParams), ({ data, total }) =>
            Json.page(urlParams, { data: data.map(record), total })
          )
        )
      )
      .handle("get", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(agents.get(id, path.agent_id), record))
      )
      .handle("update", ({ path, payload }) =>
        Json.inWorkspace((id) =>
          Effect.map(agents.update(id, path.agent_id, Json.given<Partial<AgentDraft>>(payload)), record)
        )
      )
      .handle("publish", ({ path }) => publish(path.agent_id, true))
      .handle("unpublish", ({ path }) => publish(path.agent_id, false))
      .handle("versions", ({ path, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(agents.versions(id, path.agent_id, urlParams), (found) => Json.page(urlParams, found))
        )
      )
      .handle("version", ({ path }) =>
        Json.inWorkspace((id) => agents.version(id, path.agent_id, numberOf(path.version)))
      )
      .handle("publishVersion", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(agents.publishVersion(id, path.agent_id, numberOf(path.version)), record)
        )
      )
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) => Effect.as(agents.remove(id, path.agent_id), Json.deleted(path.agent_id)))
      )
  })
)
