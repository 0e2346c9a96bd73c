import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { secretsAt } from "../../../core/model/webhooks/SigningSecret.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { minimal, start } from "./Harness.ts"

describe("the workspace", () => {
  it.scopedLive("is read and changed by its own credentials, field by field", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const read = yield* server.call("/workspace")
      assert.strictEqual(read.status, 200, read.text)
      assert.include(read.json, { id: server.workspace.id, name: "Test", max_concurrency: 50 })
      const patch = (json: unknown) => server.call("/workspace", { method: "PATCH", json })
      const change = {
        max_concurrency: 7,
        allowed_countries: ["US"],
        allow_costly_destinations: true,
        indexed_metadata_keys: ["order", "Größe"],
        recording_retention_days: 30,
        call_retention_days: 365
      }
      const changed = yield* patch(change)
      assert.deepStrictEqual(changed.json, { ...read.json, ...change, updated_at: changed.json.updated_at })
      assert.deepStrictEqual((yield* server.call("/workspace")).json, changed.json)
      const renamed = yield* patch({ name: "Acme", recording_retention_days: null })
      assert.deepInclude(renamed.json, { ...change, name: "Acme", recording_retention_days: null })
      for (const [json, field] of [
        [{ max_concurrency: 0 }, "max_concurrency"],
        [{ allowed_countries: ["XX"] }, "allowed_countries.0"],
        [{ allowed_countries: ["US", "US"] }, "allowed_countries"],
        [{ indexed_metadata_keys: Array.from({ length: 11 }, (_, i) => `k${i}`) }, "indexed_metadata_keys"],
        [{ indexed_metadata_keys: ["a", "a"] }, "indexed_metadata_keys"],
        [{ indexed_metadata_keys: [""] }, "indexed_metadata_keys.0"],
        [{ call_retention_days: 0 }, "call_retention_days"],
        [{ transcript_retention_days: 1.5 }, "transcript_retention_days"],
        [{ id: "ws_other" }, "id"]
      ] as const) {
        const refused = yield* patch(json)
        assert.strictEqual(refused.status, 400, refused.text)
        assert.deepStrictEqual(refused.json.error.details, { field })
      }
    })
  )
})

describe("the carriers", () => {
  it.scopedLive("are told to be up, or down", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const up = { channel: "voice", status: "up" }
      const msg = { channel: "msg", status: "up" }
      assert.deepStrictEqual((yield* server.call("/carriers")).json, { data: [up, msg] })
      server.carrier.available = false
      assert.deepStrictEqual((yield* server.call("/carriers")).json, {
        data: [{ ...up, status: "down" }, msg]
      })
    })
  )
})

describe("the secret of the agents' tools", () => {
  it.scopedLive("is read, and rotated while the one before signs on for a day", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const read = Effect.map(server.call("/workspace/tool-secret"), ({ json }) => json)
      const first = yield* read
      assert.match(first.secret, /^whsec_/)
      assert.deepStrictEqual(first, { secret: first.secret, previous_secret_until: null })
      const rotated = yield* server.call("/workspace/tool-secret/rotate", { method: "POST" })
      assert.strictEqual(rotated.status, 200, rotated.text)
      assert.notStrictEqual(rotated.json.secret, first.secret)
      const left = Date.parse(rotated.json.previous_secret_until) - Date.now()
      assert.closeTo(left, 86_400_000, 60_000)
      assert.deepStrictEqual(yield* read, rotated.json)
      const kept = yield* Effect.flatten(server.repository.workspaces.toolSecret(server.workspace.id))
      assert.deepStrictEqual(secretsAt(kept, Date.now()), [rotated.json.secret, first.secret])
      assert.deepStrictEqual(secretsAt(kept, Date.now() + 86_400_001), [rotated.json.secret])
    })
  )
})

describe("API keys", () => {
  it.scopedLive("are made, listed with their last use, expired and revoked", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const scopes = ["workspace:read", "sessions:read"]
      const made = yield* server.call("/api-keys", { json: { name: "backend", scopes } })
      assert.strictEqual(made.status, 200, made.text)
      const { key, ...record } = made.json
      assert.deepInclude(record, { scopes, expires_at: null, revoked_at: null, last_used_at: null })
      const read = Effect.map(
        server.raw("/v0/workspace", { headers: { "x-api-key": key } }),
        ({ status }) => status
      )
      assert.strictEqual(yield* read, 200)
      const used = yield* server.repository.apiKeys
        .find(server.workspace.id, record.id)
        .pipe(
          Effect.map(Option.getOrThrow),
          Effect.repeat({ until: ({ last_used_at }) => last_used_at !== null })
        )
      const listed = yield* server.call("/api-keys")
      assert.deepInclude(listed.json.data, {
        ...record,
        last_used_at: new Date(used.last_used_at!).toISOString()
      })
      assert.notInclude(listed.text, key)
      const change = (json: unknown) => server.call(`/api-keys/${record.id}`, { method: "PATCH", json })
      const ended = yield* change({ expires_at: "2020-01-01T00:00:00Z", name: "old" })
      assert.deepInclude(ended.json, { name: "old", expires_at: "2020-01-01T00:00:00.000Z", scopes })
      assert.strictEqual(yield* read, 401)
      assert.strictEqual((yield* change({ expires_at: null })).json.expires_at, null)
      assert.strictEqual(yield* read, 200)
      const revoke = server.call(`/api-keys/${record.id}/revoke`, { method: "POST" })
      assert.isString((yield* revoke).json.revoked_at)
      assert.strictEqual(yield* read, 401)
      assert.strictEqual((yield* revoke).status, 404)
      assert.strictEqual((yield* change({ name: "again" })).status, 404)
    })
  )

  it.scopedLive("may do no more than what makes them, and belong to one workspace", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const maker = yield* server.keyWith(["keys:write", "sessions:read"])
      const make = (scopes: ReadonlyArray<string>) =>
        server.call("/api-keys", { json: { name: "k", scopes }, headers: { "x-api-key": maker } })
      const refused = yield* make(["sessions:read", "sessions:write"])
      assert.strictEqual(refused.status, 403)
      assert.include(refused.json.error.message, "sessions:write")
      const { id } = (yield* make(["sessions:read"])).json
      const other = yield* server.workspaces.create({ name: "Other" })
      const theirs = yield* server.keyWith(["keys:write"], other.id)
      const headers = { "x-api-key": theirs }
      assert.strictEqual((yield* server.call("/api-keys", { headers })).json.pagination.total, 1)
      for (const path of [`/api-keys/${id}/revoke`, "/api-keys/none/revoke"]) {
        assert.strictEqual((yield* server.call(path, { method: "POST", headers })).status, 404)
      }
    })
  )
})

describe("the audit log", () => {
  it.scopedLive("tells which credential has changed what, and nothing of what was sent", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const id = server.key.split("_")[2]!
      const patch = { method: "PATCH", json: { name: "Acme" } }
      yield* server.call("/workspace", patch)
      const agent = (yield* server.call("/agents", { json: { name: "Ada", prompt: "Greet." } })).json
      yield* server.call(`/agents/${agent.id}/publish`, { method: "POST" })
      yield* server.call("/agents/agent_none/publish", { method: "POST" })
      yield* server.call("/agents", { json: { name: "" } })
      yield* server.call("/calls", { json: { ...minimal, agent_id: agent.id } })
      yield* server.call("/do-not-call", { json: { phone_numbers: ["+14155550199"] } })
      yield* server.call("/do-not-call/+14155550199", { method: "DELETE" })
      yield* server.raw("/v0/workspace", {
        method: "PATCH",
        body: "{}",
        headers: {
          authorization: `Bearer ${yield* server.token(allScopes)}`,
          "content-type": "application/json"
        }
      })
      const read = yield* server.call("/audit-log")
      assert.strictEqual(read.status, 200, read.text)
      const told = (json: { data: ReadonlyArray<Record<string, string>> }) =>
        json.data
          .map(({ actor_kind, object_id, operation }) => [actor_kind, operation, object_id])
          .toReversed()
      assert.deepStrictEqual(told(read.json), [
        ["api_key", "updateWorkspace", server.workspace.id],
        ["api_key", "createAgent", agent.id],
        ["api_key", "publishAgent", agent.id],
        ["api_key", "addDoNotCall", null],
        ["api_key", "removeDoNotCall", null],
        ["bearer", "updateWorkspace", server.workspace.id]
      ] as never)
      assert.strictEqual(read.json.data.at(-1).actor, id)
      assert.notInclude(read.text, "14155550199")
      const filtered = yield* server.call(`/audit-log?object_id=${agent.id}&operation=publishAgent`)
      assert.deepStrictEqual(told(filtered.json), [["api_key", "publishAgent", agent.id]])
    })
  )
})
