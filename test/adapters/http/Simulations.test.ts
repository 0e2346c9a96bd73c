import * as http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import * as Simulation from "../../../adapters/http/contract/SimulationExamples.ts"
import { play } from "../../../apps/simulation/Engine.ts"
import * as SimulatorProcess from "../../../apps/simulation/SimulatorProcess.ts"
import { SimulationTooLong, Simulator } from "../../../core/ports/Simulator.ts"
import { makeAttempt } from "../../contracts/repository/Fixtures.ts"
import { type Reply, start } from "./Harness.ts"

/** A server that simulates, whatever it is said to need. */
const simulating = (layer: Layer.Layer<Simulator>) => start({ extra: layer as Layer.Layer<never> })

const refused = (reply: Reply, status: number, code: string, mentions: string) => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.deepStrictEqual(Object.keys(reply.json), ["error"])
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

type Server = Effect.Effect.Success<ReturnType<typeof start>>

/** A campaign in draft, with recipients. */
const filled = Effect.fnUntraced(function* (server: Server, count: number) {
  const agent = (yield* server.call("/agents", {
    json: {
      name: "A",
      channel: "voice",
      prompt: "Hello",
      first_message: "Hi",
      voice: "default",
      language: "en-US"
    }
  })).json
  const campaign = (yield* server.call("/campaigns", {
    json: { name: "C", agent_id: agent.id, max_concurrency: 10, call_config: { max_call_length: 60 } }
  })).json
  if (count > 0) {
    const recipients = Array.from({ length: count }, (_, i) => ({ phone_number: `+1415555${1_000 + i}` }))
    const added = yield* server.call(`/campaigns/${campaign.id}/recipients`, { json: { recipients } })
    assert.strictEqual(added.status, 200, added.text)
  }
  return { id: campaign.id as string, path: `/campaigns/${campaign.id}/simulations` }
})

const wanted = { seeds: 2, seed: 3, starts_at: "2026-03-02T10:00:00.000Z", model: Simulation.request.model }

describe("POST /campaigns/{campaign_id}/simulations", () => {
  it.scopedLive("plays what is left of a campaign, in a process of its own, and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* simulating(SimulatorProcess.layer())
      const { id, path } = yield* filled(server, 30)
      const before = (yield* server.call(`/campaigns/${id}`)).json
      const reply = yield* server.call(path, { json: wanted })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(Object.keys(reply.json), Object.keys(Simulation.simulation))
      assert.strictEqual(reply.json.recipients, 30)
      assert.strictEqual(reply.json.starts_at, wanted.starts_at)
      assert.deepStrictEqual(
        reply.json.seeds.map(({ seed }: { seed: number }) => seed),
        [3, 4]
      )
      assert.isAtMost(reply.json.peak_calls.max, 10)
      assert.match(reply.json.chart, /^<svg /)
      assert.notInclude(reply.text, "+1415")
      assert.strictEqual((yield* server.call(path, { json: wanted })).text, reply.text)
      assert.deepStrictEqual((yield* server.call(`/campaigns/${id}`)).json, before)
      assert.strictEqual(yield* server.credits.balance(server.workspace.id), 100)
    })
  )

  it.scopedLive(
    "learns callees from the calls of a campaign, of the workspace, and of no other workspace",
    () =>
      Effect.gen(function* () {
        const here: Simulator["Type"] = {
          play: (plan, seeds) => Effect.forEach(seeds, (seed) => play(plan, seed))
        }
        const server = yield* simulating(Layer.succeed(Simulator, here))
        const { id, path } = yield* filled(server, 3)
        const began = Date.UTC(2026, 2, 2, 9)
        const call = {
          status: "completed",
          outcome: "answered",
          attempt_number: 1,
          duration_seconds: 50
        } as const
        const times = { started_at: began, created_at: began, completed_at: began + 60_000 }
        for (const [n, over] of [
          [1, { customer_id: server.workspace.id, campaign_id: id }],
          [2, { customer_id: server.workspace.id, campaign_id: id, outcome: "busy", duration_seconds: 0 }],
          [3, { customer_id: server.workspace.id }],
          [4, { customer_id: "ws_other" }]
        ] as const) {
          yield* server.repository.attempts.insert(makeAttempt(n, { ...call, ...times, ...over }))
        }
        const learned = (query: string) => Effect.map(server.call(`/callees${query}`), ({ json }) => json)
        const ofCampaign = yield* learned(`?campaign_id=${id}`)
        assert.deepStrictEqual(Object.keys(ofCampaign), ["model", "learned"])
        assert.strictEqual(ofCampaign.learned.attempts, 2)
        assert.deepStrictEqual(ofCampaign.learned.first[9], {
          answered: 1,
          voicemail: 0,
          no_answer: 0,
          busy: 1,
          failed: 0
        })
        assert.strictEqual(ofCampaign.learned.talk.observations, 1)
        assert.strictEqual((yield* learned("")).learned.attempts, 3)
        assert.strictEqual((yield* learned("?since=2026-03-02T10:00:00Z")).learned.attempts, 0)
        refused(yield* server.call("/callees?campaign_id=camp_1"), 404, "not_found", "no such campaign")
        refused(yield* server.call("/callees?since=soon"), 400, "invalid_request", "since must be")

        const from = { campaign_id: id }
        const json = { ...wanted, model: { from, ring_seconds: 12 } }
        const reply = yield* server.call(path, { json })
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(reply.json.learned, ofCampaign.learned)
        assert.deepStrictEqual(reply.json.model, { ...ofCampaign.model, ring_seconds: 12 })
        assert.strictEqual((yield* server.call(path, { json })).text, reply.text)
      })
  )

  it.scopedLive("forecasts a running campaign, for its workspace alone, and no other", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { id } = yield* filled(server, 0)
      // Its carrier falls silent: the call goes on.
      yield* server.call(`/campaigns/${id}/recipients`, {
        json: { recipients: [{ phone_number: "+14155550008" }] }
      })
      const path = `/campaigns/${id}/forecast`
      refused(yield* server.call(path), 400, "invalid_request", "this one is draft")
      yield* server.call(`/campaigns/${id}/start`, { method: "POST" })
      const reply = yield* server.call(path)
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepStrictEqual(Object.keys(reply.json), Object.keys(Simulation.forecast))
      const { finishes_at, made_at, recipients } = reply.json
      assert.strictEqual(recipients, 1)
      assert.isTrue(made_at <= finishes_at.p10 && finishes_at.p10 <= finishes_at.p90)
      assert.strictEqual((yield* server.call(path)).text, reply.text)
      const poor = { headers: { "x-api-key": yield* server.keyWith(["campaigns:write"]) } }
      refused(yield* server.call(path, poor), 403, "forbidden", "campaigns:read")
      refused(yield* server.call("/campaigns/camp_1/forecast"), 404, "not_found", "no such campaign")
    })
  )

  it.scopedLive("refuses what it cannot play, each with its code", () =>
    Effect.gen(function* () {
      const server = yield* simulating(SimulatorProcess.layer())
      const empty = yield* filled(server, 0)
      refused(yield* server.call(empty.path, { json: {} }), 400, "invalid_request", "no pending recipient")
      const { path } = yield* filled(server, 3)
      for (const [json, message] of [
        [{ seeds: 0 }, "seeds must be an integer from 1 to 100"],
        [{ seed: -1 }, "seed must be an integer from 0"],
        [{ starts_at: "soon" }, "starts_at must be an RFC 3339 timestamp with an offset"],
        [{ model: { ring_seconds: 0 } }, "model.ring_seconds must be a whole number of seconds"],
        [{ speed: 2 }, "speed is not permitted"],
        [{ model: { from: { since: "soon" } } }, "model.from.since must be an RFC 3339 timestamp"],
        [{ model: { from: { campaign: "camp_1" } } }, "model.from.campaign is not permitted"]
      ] as const) {
        refused(yield* server.call(path, { json }), 400, "invalid_request", message)
      }
      const nowhere = "/campaigns/camp_1/simulations"
      refused(yield* server.call(nowhere, { json: {} }), 404, "not_found", "no such campaign")
      const learning = { model: { from: { campaign_id: "camp_1" } } }
      refused(yield* server.call(path, { json: learning }), 404, "not_found", "no such campaign")
      const key = yield* server.keyWith(["campaigns:write"])
      const poor = { json: {}, headers: { "x-api-key": key } }
      refused(yield* server.call(path, poor), 403, "forbidden", "campaigns:read")
      refused(yield* server.call(path, { body: "{" }), 400, "invalid_request", "not valid JSON")
    })
  )

  it.scopedLive("lets as many be under way as there may be, and refuses who comes beside them", () =>
    Effect.gen(function* () {
      const server = yield* simulating(SimulatorProcess.layer({ most: 0 }))
      const reply = yield* server.call((yield* filled(server, 3)).path, { json: {} })
      refused(reply, 429, "too_many_requests", "another simulation is under way")
      assert.strictEqual(reply.headers["retry-after"], "10")
    })
  )

  it.scopedLive("ends what takes too long", () =>
    Effect.gen(function* () {
      const server = yield* simulating(SimulatorProcess.layer({ deadline: "1 millis" }))
      const reply = yield* server.call((yield* filled(server, 3)).path, { json: {} })
      refused(reply, 504, "gateway_timeout", "took too long")
    })
  )

  it.scopedLive("outlives a simulation that uses up its memory", () =>
    Effect.gen(function* () {
      const server = yield* simulating(SimulatorProcess.layer({ memory: 8 }))
      const { id, path } = yield* filled(server, 3)
      refused(yield* server.call(path, { json: {} }), 504, "gateway_timeout", "took too long")
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).status, 200)
    })
  )

  it.scopedLive("says where there is nothing that simulates", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const reply = yield* server.call((yield* filled(server, 3)).path, { json: {} })
      refused(reply, 503, "service_unavailable", "cannot be simulated here")
    })
  )

  it.scopedLive("stops when the client goes away", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const server = yield* simulating(
        Layer.succeed(Simulator, {
          play: () =>
            Deferred.succeed(begun, undefined).pipe(
              Effect.zipRight(Effect.delay(new SimulationTooLong(), "1 minute")),
              Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
            )
        })
      )
      const { path } = yield* filled(server, 3)
      const request = http.request({
        host: "127.0.0.1",
        port: server.port,
        path: `/v0${path}`,
        method: "POST",
        headers: { "x-api-key": server.key, "content-type": "application/json" }
      })
      request.on("error", () => {})
      request.end("{}")
      yield* Deferred.await(begun)
      request.destroy()
      yield* Effect.timeout(Deferred.await(stopped), "10 seconds")
    })
  )
})
