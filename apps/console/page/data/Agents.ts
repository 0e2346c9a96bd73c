import { signal } from "@preact/signals"
import type { Agent } from "outdial/client"
import { useEffect } from "preact/hooks"
import { useResource } from "./Resource.ts"

const known = signal<ReadonlyMap<string, string>>(new Map())

/** The names of agents by their ids, once they are read; an agent that is not among them is called by its id. */
export const useAgentNames = (): ((agent_id: string) => string) => {
  const agents = useAgents()
  useEffect(() => {
    if (agents !== null) known.value = new Map(agents.map(({ id, name }) => [id, name]))
  }, [agents])
  return (agent_id) => known.value.get(agent_id) ?? agent_id
}

/** The workspace's newest agents; null until they are read. */
export const useAgents = (): ReadonlyArray<Agent> | null =>
  useResource((api, options) => api.agents.list({ limit: 100 }, options)).data?.data ?? null
