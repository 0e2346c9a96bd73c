import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Option } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { day, minute } from "../../../core/model/Codecs.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { start } from "./Harness.ts"

const draft = { name: "Reminders", prompt: "Remind {{name}}." }

/** A store in memory that dies at the first insertion of an agent, before or after it. */
const dying = (when: "before" | "after") =>
  Layer.map(MemoryRepository.layer, (context) => {
    const repository = Context.get(context, Repository)
    const { agents } = repository
    let alive = true
    const insert: typeof agents.insert = (agent) =>
      Effect.suspend(() => {
        const stored = when === "after" || !alive ? agents.insert(agent) : Effect.void
        if (!alive) return stored
        alive = false
        return Effect.zipRight(stored, Effect.die("the process has died"))
      })
    return Context.make(Repository, { ...repository, agents: { ...agents, insert } })
  })

describe("an Idempotency-Key", () => {
  it.scopedLive("answers a request that came before as it was answered then, and creates nothing again", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const create = (json: object, key: string) =>
        server.call("/agents", { json, headers: { "idempotency-key": key } })
      const total = Effect.map(server.call("/agents?limit=1"), ({ json }) => json.pagination.total)
      const first = yield* create(draft, '"one"')
      assert.strictEqual(first.status, 200, first.text)
      const again = yield* create(draft, "one")
      assert.strictEqual(again.text, first.text)
      assert.include(again.headers["content-type"], "application/json")
      assert.isString(again.headers["x-request-id"])
      assert.strictEqual(yield* total, 1)
      const other = yield* create({ ...draft, name: "Other" }, "one")
      assert.strictEqual(other.status, 422, other.text)
      assert.strictEqual(other.json.error.code, "invalid_request")
      const elsewhere = yield* server.call("/webhooks", {
        json: { url: "https://example.com/hooks" },
        headers: { "idempotency-key": "one" }
      })
      assert.strictEqual(elsewhere.status, 422)
      assert.strictEqual((yield* create(draft, "")).status, 400)
      assert.strictEqual((yield* create(draft, 'a"b')).status, 400)
      yield* create(draft, "two")
      assert.strictEqual(yield* total, 2)
    })
  )

  it.scopedLive("belongs to its workspace, and ends after a day", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const other = yield* server.workspaces.create({ name: "Other" })
      const keys = [server.key, yield* server.keyWith(allScopes, other.id)]
      const ids = yield* Effect.forEach(keys, (key) =>
        Effect.map(
          server.call("/agents", { json: draft, headers: { "x-api-key": key, "idempotency-key": "one" } }),
          ({ json }) => json.id as string
        )
      )
      assert.strictEqual(new Set(ids).size, 2)
      const now = yield* Clock.currentTimeMillis
      const { answers } = server.repository
      const kept = { customer_id: other.id, key: "two", digest: "d", created_at: now - day }
      yield* answers.begin({ ...kept, status: 200, body: "{}" }, 0, 0)
      const late = yield* server.call("/agents", {
        json: draft,
        headers: { "x-api-key": keys[1]!, "idempotency-key": "two" }
      })
      assert.strictEqual(late.status, 200, late.text)
    })
  )

  it.scopedLive("is free again after a refusal, and lets one of many racers create", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const campaign = (agent_id: string) =>
        server.call("/campaigns", {
          json: { name: "June", agent_id },
          headers: { "idempotency-key": "june" }
        })
      assert.strictEqual((yield* campaign("agent_none")).status, 404)
      const invalid = { json: { name: 7 }, headers: { "idempotency-key": "june" } }
      assert.strictEqual((yield* server.call("/campaigns", invalid)).status, 400)
      const { id } = (yield* server.call("/agents", { json: draft })).json
      const racers = yield* Effect.replicateEffect(campaign(id), 12, { concurrency: "unbounded" })
      const texts = new Set(racers.filter(({ status }) => status === 200).map(({ text }) => text))
      assert.strictEqual(texts.size, 1)
      for (const { status } of racers) assert.include([200, 409], status)
      assert.strictEqual((yield* server.call("/campaigns")).json.pagination.total, 1)
    })
  )

  for (const when of ["before", "after"] as const) {
    it.scopedLive(`is free again when its work broke off ${when} it was stored: all of it is undone`, () =>
      Effect.gen(function* () {
        const server = yield* start({ repository: dying(when) })
        const create = server.call("/agents", { json: draft, headers: { "idempotency-key": "one" } })
        assert.strictEqual((yield* create).status, 500)
        assert.strictEqual((yield* create).status, 200)
        assert.strictEqual((yield* server.call("/agents")).json.pagination.total, 1)
      })
    )
  }

  it.scopedLive("of a server that died is free again after ten minutes, unless it was carried out", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { answers } = server.repository
      const id = server.workspace.id
      const now = yield* Clock.currentTimeMillis
      const create = (key: string) =>
        server.call("/agents", { json: draft, headers: { "idempotency-key": key } })
      const { text } = yield* create("first")
      const digest = (key: string) =>
        Effect.map(
          answers.begin(
            { customer_id: id, key, digest: "", created_at: now, status: null, body: null },
            0,
            0
          ),
          (found) => Option.getOrThrow(found).digest
        )
      const begun = { customer_id: id, digest: yield* digest("first"), status: null, body: null }
      yield* answers.begin({ ...begun, key: "young", created_at: now - 9 * minute }, 0, 0)
      yield* answers.begin({ ...begun, key: "old", created_at: now - 11 * minute }, 0, 0)
      yield* answers.begin({ ...begun, key: "done", created_at: now - 11 * minute }, 0, 0)
      yield* answers.carryOut(id, "done", now - 11 * minute)
      const [young, old, done] = yield* Effect.forEach(["young", "old", "done"], create)
      assert.strictEqual(young!.status, 409)
      assert.include(young!.text, "send it again in 10 minutes")
      assert.strictEqual(old!.status, 200, old!.text)
      assert.notStrictEqual(old!.text, text)
      assert.strictEqual((yield* create("old")).text, old!.text)
      assert.strictEqual(done!.status, 409)
      assert.include(done!.text, "was carried out")
    })
  )

  it.scopedLive("goes with every operation that is one unit, on SQLite too", () =>
    Effect.gen(function* () {
      const server = yield* start({ repository: Layer.orDie(onFreshFile) })
      const create = (path: string, json: object) =>
        Effect.gen(function* () {
          const sent = { json, headers: { "idempotency-key": path } }
          const [made, again] = yield* Effect.replicateEffect(server.call(path, sent), 2)
          assert.strictEqual(made!.status, 200, `${path}: ${made!.text}`)
          assert.include([made!.text, 409], again!.status === 409 ? 409 : again!.text, path)
          return made!.json
        })
      const agent = yield* create("/agents", { ...draft, channel: "voice" })
      yield* server.call(`/agents/${agent.id}/publish`, { method: "POST" })
      const { id } = yield* create("/campaigns", { name: "June", agent_id: agent.id })
      yield* create(`/campaigns/${id}/recipients`, { recipients: [{ phone_number: "+14155550123" }] })
      const scenario = { label: "A", instructions: "Be brief.", runs: 1, max_turns: 2 }
      const suite = yield* create("/agent-test-suites", {
        agent_id: agent.id,
        name: "S",
        scenarios: [scenario]
      })
      yield* create("/agent-test-runs", { suite_id: suite.id })
      yield* create(`/agents/${agent.id}/conversations`, {})
      yield* create("/api-keys", { name: "web", scopes: ["agents:read"] })
      yield* create("/do-not-call", { phone_numbers: ["+14155550124"] })
      yield* create("/phone-numbers", { number: "+14155550177" })
    })
  )

  it.scopedLive("keeps no answer that holds an API key", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const create = server.call("/api-keys", {
        json: { name: "web", scopes: ["agents:read"] },
        headers: { "idempotency-key": "one" }
      })
      const made = yield* create
      assert.strictEqual(made.status, 200, made.text)
      const again = yield* create
      assert.strictEqual(again.status, 409, again.text)
      assert.notInclude(again.text, "od_live_")
    })
  )
})
