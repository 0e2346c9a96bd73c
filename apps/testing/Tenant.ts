import { Effect } from "effect"
import { allScopes } from "../../core/model/workspaces/Principal.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import { e164 } from "./Callees.ts"

export interface TenantOptions {
  /** Credits of the workspace. Default 1,000. */
  readonly credits?: number
  /** Calls under way at one time. Default 1,000. */
  readonly max_concurrency?: number
  /** Dials in any one second. Default 1,000. */
  readonly calls_per_second?: number
  /** The workspace's own number, in E.164. Default +14155550100. */
  readonly from_number?: string
  /** What the agent says. By default it reminds `{{name}}`. */
  readonly agent?: {
    readonly name?: string
    readonly prompt?: string
    readonly first_message?: string
    readonly max_call_length?: number
  }
}

/** A workspace in which a call can be placed at once. */
export const tenant = Effect.fnUntraced(function* (options: TenantOptions) {
  const number = options.from_number ?? "+14155550100"
  if (!e164.test(number)) return yield* Effect.die(new TypeError("from_number is a number in E.164"))
  const { agent, calls_per_second = 1_000, credits = 1_000, max_concurrency = 1_000 } = options
  const workspaces = yield* Workspaces
  const workspace = yield* workspaces.create({ name: "Test", calls_per_second, max_concurrency })
  const agents = yield* Agents
  const { id } = yield* agents.create(workspace.id, {
    name: "Agent",
    channel: "voice",
    prompt: "Remind {{name}}.",
    first_message: "Hello {{name}}",
    voice: "default",
    language: "en-US",
    idle_timeout_warning: 10,
    idle_timeout_end: 30,
    max_call_length: 600,
    ...agent
  })
  yield* agents.update(workspace.id, id, { published: true })
  const phoneNumber = yield* (yield* PhoneNumbers).add(workspace.id, { number, label: null })
  if (credits > 0) yield* (yield* Credits).topUp(workspace.id, credits, null)
  const { key } = yield* workspaces.createKey(workspace.id, { name: "Test", scopes: allScopes })
  return { workspace_id: workspace.id, agent_id: id, phone_number_id: phoneNumber.id, apiKey: key }
})
