import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { captured, minimal, start } from "./Harness.ts"

const post = (headers: Record<string, string>) => ({
  method: "POST",
  body: JSON.stringify(minimal),
  headers: { "content-type": "application/json", ...headers }
})

describe("authentication", () => {
  it.scopedLive("answers 401 alike to a missing, malformed, unknown and revoked credential", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const revoked = yield* server.keyWith(allScopes)
      const id = revoked.split("_")[2]!
      yield* Effect.orDie(server.workspaces.revokeKey(server.workspace.id, id))
      const bodies = new Set<string>()
      for (const headers of [
        {},
        { "x-api-key": "" },
        { "x-api-key": "nonsense" },
        { "x-api-key": `od_live_${"0".repeat(16)}_${"0".repeat(64)}` },
        { "x-api-key": revoked },
        { "x-api-key": `${server.key}x` },
        { authorization: "Basic dXNlcjpwYXNz" },
        { authorization: "Bearer" }
      ] as ReadonlyArray<Record<string, string>>) {
        for (const reply of [
          yield* server.raw("/v0/calls", post(headers)),
          yield* server.raw("/v0/calls", { headers })
        ]) {
          assert.strictEqual(reply.status, 401, JSON.stringify(headers))
          assert.strictEqual(reply.json.error.code, "unauthorized")
          assert.strictEqual(reply.headers["www-authenticate"], "Bearer")
          bodies.add(reply.text)
        }
      }
      const badToken = yield* server.raw("/v0/calls", { headers: { authorization: "Bearer a.b.c" } })
      assert.strictEqual(badToken.status, 401)
      bodies.add(badToken.text)
      assert.strictEqual(bodies.size, 1)
    })
  )

  it.scopedLive("answers 401 to a token of a workspace that does not exist, or of no id", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const stranger = yield* server.workspaces.create({ name: "Stranger" })
      const as = (token: string, path: string) =>
        server.raw(path, { headers: { authorization: `Bearer ${token}` } })
      for (const id of ["nope", "", "a\u0000b", "\ud800", "x".repeat(201)]) {
        const token = yield* server.token(allScopes, id)
        for (const path of [
          "/v0/calls",
          "/v0/credits",
          "/v0/agents/agent_1",
          "/v0/phone-numbers/available"
        ]) {
          const reply = yield* as(token, path)
          assert.strictEqual(reply.status, 401, `${JSON.stringify(id)} ${path}`)
          assert.strictEqual(reply.json.error.code, "unauthorized")
        }
      }
      for (const id of [server.workspace.id, stranger.id, server.workspace.id]) {
        assert.strictEqual((yield* as(yield* server.token(allScopes, id), "/v0/calls")).status, 200)
      }
    })
  )

  it.scopedLive("lets only an API key place calls: a bearer token is 403, even with the scope", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const token = yield* server.token(allScopes)
      for (const authorization of [`Bearer ${token}`, "Bearer not.even.valid"]) {
        const reply = yield* server.raw("/v0/calls", post({ authorization }))
        assert.strictEqual(reply.status, 403)
        assert.strictEqual(reply.json.error.code, "forbidden")
        assert.include(reply.json.error.message, "X-API-KEY")
      }
      const both = yield* server.raw(
        "/v0/calls",
        post({ authorization: "Bearer nonsense", "x-api-key": server.key })
      )
      assert.strictEqual(both.status, 200, both.text)
      const read = yield* server.raw("/v0/calls", { headers: { authorization: `bearer ${token}` } })
      assert.strictEqual(read.status, 200)
      assert.strictEqual(read.json.data.length, 1)
    })
  )

  it.scopedLive("an API key wins over a bearer token, also when it is not valid", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const token = yield* server.token(allScopes)
      const reply = yield* server.raw("/v0/calls", {
        headers: { authorization: `Bearer ${token}`, "x-api-key": "nonsense" }
      })
      assert.strictEqual(reply.status, 401)
    })
  )

  it.scopedLive("has as many requests at once as are set, and tells what is left of them", () =>
    Effect.gen(function* () {
      const server = yield* start({ requests: 2 })
      const first = yield* server.call("/calls")
      assert.strictEqual(first.headers["ratelimit-policy"], '"requests";q=2;w=60')
      assert.strictEqual(first.headers["ratelimit"], '"requests";r=1;t=30')
      yield* server.call("/calls")
      const refused = yield* server.call("/calls", { json: minimal })
      assert.strictEqual(refused.status, 429, refused.text)
      assert.strictEqual(refused.json.error.code, "too_many_requests")
      assert.match(refused.headers["ratelimit"] as string, /^"requests";r=0;t=\d+$/)
      assert.isAtLeast(Number(refused.headers["retry-after"]), 1)
      assert.strictEqual(yield* server.countCalls, 0)
      const other = { "x-api-key": yield* server.keyWith(["sessions:read"]) }
      assert.strictEqual((yield* server.call("/calls", { headers: other })).status, 200)
      assert.notProperty((yield* server.raw("/health/live")).headers, "ratelimit")
    })
  )

  it.scopedLive("every operation asks for the scope that its documentation names, by name", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const powerless = yield* server.keyWith([])
      const { paths } = (yield* server.raw("/openapi.json")).json
      let operations = 0
      for (const [path, item] of Object.entries<Record<string, { "x-required-scope": string }>>(paths)) {
        for (const [method, operation] of Object.entries(item)) {
          const scope = operation["x-required-scope"]
          const url = `/v0${path.replaceAll(/\{\w+\}/g, "some_id")}`
          const request = { method: method.toUpperCase(), headers: { "x-api-key": powerless } }
          const reply = yield* server.raw(url, request)
          assert.strictEqual(reply.status, 403, `${method} ${path}`)
          assert.strictEqual(reply.json.error.code, "forbidden")
          assert.strictEqual(reply.json.error.message, `the credential lacks the scope ${scope}`)
          const holder = yield* server.keyWith(allScopes.filter((name) => name === scope))
          const headers = { "x-api-key": holder }
          const allowed = yield* server.raw(url, { ...request, headers, headAlone: true })
          assert.notInclude([401, 403, 500], allowed.status, `${method} ${path}`)
          operations++
        }
      }
      assert.isAtLeast(operations, 90)
    })
  )

  it.scopedLive("ids of another workspace are answered as unknown ones", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { json: call } = yield* server.call("/calls", { json: minimal })
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const key = yield* server.keyWith(allScopes, stranger.id)
      const headers = { "x-api-key": key }
      const foreign = yield* server.call(`/calls/${call.call_id}`, { headers })
      const unknown = yield* server.call("/calls/call_unknown", { headers })
      assert.strictEqual(foreign.status, 404)
      assert.strictEqual(foreign.text, unknown.text)
      assert.strictEqual((yield* server.call("/calls", { headers })).json.pagination.total, 0)
    })
  )

  it.scopedLive("no number, key or token gets into a log line", () => {
    const log = captured()
    return Effect.gen(function* () {
      const server = yield* start({ logRequests: true })
      const token = yield* server.token(allScopes)
      yield* server.call("/calls", { json: minimal })
      yield* server.call("/calls", { json: { ...minimal, to_number: "+14155550123x" } })
      yield* server.call(`/calls?agent_id=${encodeURIComponent(minimal.to_number)}`)
      yield* server.call(`/calls/${encodeURIComponent(minimal.to_number)}`)
      yield* server.raw(`/v0/nothing/${minimal.to_number}?key=${server.key}`)
      yield* server.raw("/v0/calls", post({ authorization: `Bearer ${token}` }))
      yield* server.raw("/v0/calls", post({ "x-api-key": `${server.key}0` }))
      const text = log.lines.join("\n")
      assert.strictEqual(log.lines.length, 7, text)
      assert.notInclude(text, "4155550123")
      assert.notInclude(text, server.key)
      assert.notInclude(text, server.key.split("_")[3]!)
      assert.notInclude(text, token)
      const first = JSON.parse(log.lines[0]!)
      assert.strictEqual(first.message, "request")
      const { duration_ms, request_id, ...annotations } = first.annotations
      assert.isNumber(duration_ms)
      assert.isString(request_id)
      assert.deepStrictEqual(annotations, {
        method: "POST",
        route: "/v0/calls",
        status: 200,
        workspace_id: server.workspace.id
      })
      assert.strictEqual(JSON.parse(log.lines[3]!).annotations.route, "/v0/calls/:call_id")
      assert.strictEqual(JSON.parse(log.lines[4]!).annotations.route, "unmatched")
    }).pipe(Effect.provide(log.layer))
  })
})
