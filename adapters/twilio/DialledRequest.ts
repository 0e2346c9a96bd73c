import { type Context, Effect, Option } from "effect"
import { dialRequest } from "../../core/model/calls/DialDecision.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import type { Repository } from "../../core/ports/Repository.ts"
import type { Dialled } from "./CallbackUrls.ts"

/** What was asked for by a dial whose call is under way; none for any other. */
export const requestOf = Effect.fnUntraced(function* (
  { agents, attempts, calls }: Context.Tag.Service<Repository>,
  { key, workspace_id }: Dialled
): Effect.fn.Return<Option.Option<DialRequest>> {
  const attempt = yield* attempts.get(workspace_id, key)
  if (Option.isNone(attempt) || attempt.value.status !== "in_progress") return Option.none()
  const call = yield* calls.get(workspace_id, attempt.value.call_id)
  if (Option.isNone(call)) return Option.none()
  const { agent_id } = call.value
  const { agent_version } = attempt.value
  const agent = yield* agents.get(workspace_id, agent_id)
  const kept =
    agent_version === null ? Option.none() : yield* agents.version(workspace_id, agent_id, agent_version)
  const spoken = Option.match(kept, { onNone: () => ({}), onSome: (version) => version.agent })
  return Option.map(agent, (agent) => dialRequest(call.value, attempt.value, { ...agent, ...spoken }))
})
