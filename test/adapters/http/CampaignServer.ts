import { Effect } from "effect"
import { type Options, start } from "./Harness.ts"

/** A server with an agent, and ways to have campaigns. */
export const startCampaigns = Effect.fnUntraced(function* (options: Options = {}) {
  const server = yield* start(options)
  const agent = (yield* server.call("/agents", { json: { name: "Reminders", prompt: "Hello {{name}}" } }))
    .json
  const draft = { name: "March", agent_id: agent.id as string }
  const create = (over: object = {}) => server.call("/campaigns", { json: { ...draft, ...over } })
  const path = (id: string) => `/campaigns/${id}`
  /** The id of a new campaign. */
  const campaign = (over: object = {}) => Effect.map(create(over), ({ json }) => json.id as string)
  const add = (id: string, recipients: ReadonlyArray<object>) =>
    server.call(`${path(id)}/recipients`, { json: { recipients } })
  /** The id of a campaign with one recipient. */
  const filled = Effect.tap(campaign(), (id) => add(id, [{ phone_number: "+14155550123" }]))
  const post = (at: string) => server.call(at, { method: "POST" })
  const patch = (id: string, json: unknown) => server.call(path(id), { method: "PATCH", json })
  return { ...server, agent, draft, create, campaign, add, filled, post, patch }
})
