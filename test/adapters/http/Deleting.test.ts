import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { startCampaigns } from "./CampaignServer.ts"
import { minimal } from "./Harness.ts"

describe("deleting", () => {
  it.scopedLive("takes an agent while nothing uses it, and says what uses it", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const agent = (yield* server.call("/agents", { json: { name: "Ada", prompt: "Greet {{name}}." } })).json
      const remove = server.call(`/agents/${agent.id}`, { method: "DELETE" })
      const used = (user: string, id: string) =>
        Effect.map(remove, ({ json, status }) => {
          assert.strictEqual(status, 409)
          assert.deepStrictEqual(json.error.details, { [user]: id })
        })
      const { call_id } = (yield* server.call("/calls", { json: { ...minimal, agent_id: agent.id } })).json
      yield* used("call_id", call_id)
      yield* server.call(`/calls/${call_id}/cancel`, { method: "POST" })
      const suite = (yield* server.call("/agent-test-suites", {
        json: { agent_id: agent.id, name: "By hand", scenarios: [] }
      })).json
      yield* used("suite_id", suite.id)
      yield* server.call(`/agent-test-suites/${suite.id}`, { method: "DELETE" })
      const campaign = (yield* server.call("/campaigns", { json: { name: "C", agent_id: agent.id } })).json
      yield* used("campaign_id", campaign.id)
      yield* server.call(`/campaigns/${campaign.id}`, { method: "PATCH", json: { status: "cancelled" } })
      const foreign = yield* server.workspaces.create({ name: "Other" })
      const theirs = yield* server.keyWith(["agents:write", "campaigns:write"], foreign.id)
      const headers = { "x-api-key": theirs }
      const other = yield* server.call(`/agents/${agent.id}`, { method: "DELETE", headers })
      assert.strictEqual(other.status, 404)
      assert.deepStrictEqual((yield* remove).json, { id: agent.id, deleted: true })
      assert.strictEqual((yield* remove).status, 404)
      assert.strictEqual((yield* server.call(`/calls/${call_id}`)).json.agent_id, agent.id)
    })
  )

  it.scopedLive("takes a campaign with its recipients and imports once it dials no more", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const { id } = (yield* server.call("/campaigns", { json: { name: "C", agent_id: server.agent.id } }))
        .json
      const recipients = Array.from({ length: 3 }, (_, i) => ({ phone_number: `+1415555010${i}` }))
      yield* server.call(`/campaigns/${id}/recipients`, { json: { recipients } })
      yield* server.call(`/campaigns/${id}/start`, { method: "POST" })
      const remove = server.call(`/campaigns/${id}`, { method: "DELETE" })
      const refused = yield* remove
      assert.strictEqual(refused.status, 409, refused.text)
      yield* server.call(`/campaigns/${id}`, { method: "PATCH", json: { status: "cancelled" } })
      assert.deepStrictEqual((yield* remove).json, { id, deleted: true })
      assert.strictEqual((yield* remove).status, 404)
      assert.strictEqual((yield* server.call(`/campaigns/${id}/recipients`)).status, 404)
      assert.deepStrictEqual(yield* server.repository.recipients.after(server.workspace.id, id, "", 9), [])
    })
  )

  it.scopedLive("is beside changing a number's label and making a suite by hand", () =>
    Effect.gen(function* () {
      const server = yield* startCampaigns()
      const path = `/phone-numbers/${server.from.id}`
      const labelled = yield* server.call(path, { method: "PATCH", json: { label: "Front desk" } })
      assert.deepInclude(labelled.json, {
        id: server.from.id,
        number: server.from.number,
        label: "Front desk"
      })
      assert.deepStrictEqual((yield* server.call(path)).json, labelled.json)
      const wrong = yield* server.call(path, {
        method: "PATCH",
        json: { number: "+14155550111", label: null }
      })
      assert.strictEqual(wrong.status, 400)

      const agent = (yield* server.call("/agents", { json: { name: "Ada", prompt: "Greet {{name}}." } })).json
      const scenario = { label: "Busy", instructions: "Be brief.", runs: 1, max_turns: 4 }
      const make = (json: object) =>
        server.call("/agent-test-suites", {
          json: { agent_id: agent.id, name: "S", scenarios: [scenario], ...json }
        })
      const made = yield* make({})
      assert.deepInclude(made.json, { agent_id: agent.id, name: "S", scenarios: [scenario] })
      assert.deepStrictEqual(made.json.config.variables, { name: "" })
      assert.lengthOf(made.json.config.judges, 5)
      assert.deepStrictEqual((yield* server.call(`/agent-test-suites/${made.json.id}`)).json, made.json)
      assert.strictEqual((yield* make({})).status, 409)
      assert.strictEqual((yield* make({ name: "T", agent_id: "agent_none" })).status, 404)
      assert.strictEqual((yield* make({ name: "T", scenarios: [{ ...scenario, runs: 0 }] })).status, 400)
    })
  )
})
