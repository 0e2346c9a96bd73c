import { Effect, Option } from "effect"
import { draftOf } from "../model/agents/Agent.ts"
import { readOn, unread } from "../model/conversations/Journal.ts"
import type { Session } from "../model/conversations/Session.ts"
import { Repository } from "../ports/Repository.ts"

/** Slices that are read at one time. */
const together = 200

/** What is stored of conversations, and of the agents that held them. */
export const makeSessionReading = Effect.gen(function* () {
  const repository = yield* Repository

  /** Where the conversation stands by its journal, the number of its last slice, and the time of its last event. */
  const standing = Effect.fnUntraced(function* ({ customer_id, session_id, settings, started_at }: Session) {
    let reading = unread(settings, started_at)
    let last = 0
    for (;;) {
      const slices = yield* repository.sessions.slices(customer_id, session_id, last, together)
      for (const { body, number } of slices) {
        reading = readOn(reading, body)
        last = number
      }
      if (slices.length < together) break
    }
    return { state: reading.state, slices: last, last_at: reading.last_at }
  })

  /** The agent as the session talks with it: a version that is kept, or the agent as it stands. */
  const agentOf = Effect.fnUntraced(function* (
    workspace_id: string,
    agent_id: string,
    version: number | null
  ) {
    const kept =
      version === null ? Option.none() : yield* repository.agents.version(workspace_id, agent_id, version)
    if (Option.isSome(kept)) return Option.some(kept.value.agent)
    return Option.map(yield* repository.agents.get(workspace_id, agent_id), draftOf)
  })

  return { standing, agentOf }
})
