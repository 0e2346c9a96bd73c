import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { makeRecording } from "../../contracts/repository/Fixtures.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { type Options, type Reply, start } from "./Harness.ts"

const path = "/sessions/sess_1/recordings"
const at = Date.parse("2026-03-02T09:30:00.000Z")

/** A server on whose session sess_1 three recordings were made, and one on another. */
const startRecorded = Effect.fnUntraced(function* (options: Options = {}) {
  const server = yield* start(options)
  const customer_id = server.workspace.id
  for (const n of [1, 2, 3]) {
    yield* server.repository.recordings.insert(
      makeRecording(n, { customer_id, started_at: at, completed_at: at + 1_500, created_at: at })
    )
  }
  yield* server.repository.recordings.insert(makeRecording(4, { customer_id, session_id: "sess_2" }))
  return server
})

const idsOf = ({ json }: Reply) => json.data.map(({ id }: { id: string }) => id)

describe("GET /sessions/{session_id}/recordings", () => {
  for (const [store, options] of [
    ["in memory", {}],
    ["on a file", { repository: Layer.orDie(onFreshFile) }]
  ] as const) {
    it.scopedLive(`lists a session's recordings newest first, in pages (${store})`, () =>
      Effect.gen(function* () {
        const server = yield* startRecorded(options)
        const reply = yield* server.call(path)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.deepStrictEqual(Object.keys(reply.json), ["data", "pagination"])
        assert.deepStrictEqual(reply.json.pagination, { limit: 50, offset: 0, total: 3 })
        assert.deepStrictEqual(idsOf(reply), ["rec_000003", "rec_000002", "rec_000001"])
        const second = yield* server.call(`${path}?limit=1&offset=1`)
        assert.deepStrictEqual(idsOf(second), ["rec_000002"])
        assert.deepStrictEqual(second.json.pagination, { limit: 1, offset: 1, total: 3 })
        assert.deepStrictEqual(idsOf(yield* server.call(`${path}?offset=3`)), [])
        assert.deepStrictEqual(idsOf(yield* server.call("/sessions/sess_2/recordings")), ["rec_000004"])
      })
    )
  }

  it.scopedLive("shows the record, without the carrier's name for it or the workspace's", () =>
    Effect.gen(function* () {
      const server = yield* startRecorded()
      const [record] = (yield* server.call(path)).json.data
      assert.deepStrictEqual(record, {
        id: "rec_000003",
        session_id: "sess_1",
        call_id: "call_000001",
        status: "completed",
        track: "mixed",
        channels: 2,
        format: "wav",
        duration_seconds: 12.345,
        size_bytes: 3_000_000_000,
        url: "https://recordings.example/1.wav",
        url_expires_at: null,
        started_at: "2026-03-02T09:30:00.000Z",
        completed_at: "2026-03-02T09:30:01.500Z",
        created_at: "2026-03-02T09:30:00.000Z"
      })
    })
  )

  it.scopedLive("has nothing of an unknown session, and answers alike for a foreign one", () =>
    Effect.gen(function* () {
      const server = yield* startRecorded()
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      const foreign = yield* server.call(path, { headers })
      const unknown = yield* server.call("/sessions/sess_none/recordings")
      assert.strictEqual(unknown.status, 200)
      assert.deepStrictEqual(unknown.json, { data: [], pagination: { limit: 50, offset: 0, total: 0 } })
      assert.strictEqual(foreign.status, 200)
      assert.strictEqual(foreign.text, unknown.text)
    })
  )

  it.scopedLive("answers 422 with every parameter that breaks its rule, and where it is", () =>
    Effect.gen(function* () {
      const server = yield* startRecorded()
      const limit = "limit must be an integer from 1 to 100"
      const offset = "offset must be an integer from 0 to 1000000000"
      for (const [query, name, msg, input] of [
        ["limit=0", "limit", limit, "0"],
        ["limit=101", "limit", limit, "101"],
        ["limit=ten", "limit", limit, "ten"],
        ["limit=1.5", "limit", limit, "1.5"],
        ["limit=", "limit", limit, ""],
        ["limit=1&limit=2", "limit", limit, null],
        ["limit=%2B14155550123", "limit", limit, null],
        ["offset=-1", "offset", offset, "-1"],
        ["offset=x&limit=1", "offset", offset, "x"],
        [`offset=${"9".repeat(16)}`, "offset", offset, null]
      ] as const) {
        const reply = yield* server.call(`${path}?${query}`)
        assert.strictEqual(reply.status, 422, `${query}: ${reply.text}`)
        assert.strictEqual(reply.headers["content-type"], "application/json")
        assert.deepStrictEqual(reply.json, {
          detail: [{ loc: ["query", name], msg, type: "value_error", input, ctx: {} }]
        })
      }
      const unknown = yield* server.call(`${path}?colour=red`)
      assert.strictEqual(unknown.status, 422)
      assert.deepStrictEqual(unknown.json.detail[0].loc, ["query", "colour"])
      assert.include(unknown.json.detail[0].msg, "limit, offset")
      const both = yield* server.call(`${path}?limit=0&offset=-1`)
      assert.strictEqual(both.status, 422)
      assert.deepStrictEqual(
        both.json.detail.map(({ loc }: { loc: ReadonlyArray<string> }) => loc),
        [
          ["query", "limit"],
          ["query", "offset"]
        ]
      )
      const session = yield* server.call("/sessions/sess%00/recordings")
      assert.strictEqual(session.status, 422, session.text)
      assert.deepStrictEqual(session.json.detail[0].loc, ["path", "session_id"])
    })
  )

  it.scopedLive("needs a credential, key or token, with the scope sessions:read", () =>
    Effect.gen(function* () {
      const server = yield* startRecorded()
      const missing = yield* server.raw(`/v0${path}?limit=0`)
      assert.strictEqual(missing.status, 401)
      assert.strictEqual(missing.json.error.code, "unauthorized")
      const others = allScopes.filter((scope) => scope !== "sessions:read")
      const key = yield* server.keyWith(others)
      const forbidden = yield* server.call(`${path}?limit=0`, { headers: { "x-api-key": key } })
      assert.strictEqual(forbidden.status, 403)
      assert.strictEqual(forbidden.json.error.code, "forbidden")
      assert.include(forbidden.json.error.message, "sessions:read")
      const authorization = `Bearer ${yield* server.token(["sessions:read"])}`
      assert.strictEqual((yield* server.raw(`/v0${path}`, { headers: { authorization } })).status, 200)
    })
  )
})
