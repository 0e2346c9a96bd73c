import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { origins } from "../../../adapters/http/server/Cors.ts"
import { sentence } from "../../../apps/platform/Explain.ts"
import { type Reply, send, start } from "./Harness.ts"

const origin = "https://app.example.com"
const other = "https://admin.example.com:8443"
const stranger = "https://evil.example.com"

const granted = ({ headers }: Reply) => headers["access-control-allow-origin"]
const listOf = (header: string | undefined) => (header ?? "").split(",").map((each) => each.trim())

const preflight = (port: number, path: string, from: string, method = "POST") =>
  send(port, path, {
    method: "OPTIONS",
    headers: {
      origin: from,
      "access-control-request-method": method,
      "access-control-request-headers": "content-type,x-api-key"
    }
  })

describe("requests from pages of other origins", () => {
  it.scopedLive("are let in from the origins that are set, with what a client needs to read", () =>
    Effect.gen(function* () {
      const server = yield* start({ corsOrigins: [origin, other] })
      for (const from of [origin, other]) {
        const asked = yield* preflight(server.port, "/v0/calls", from)
        assert.strictEqual(asked.status, 204)
        assert.strictEqual(granted(asked), from)
        assert.strictEqual(asked.text, "")
        assert.includeMembers(listOf(asked.headers["access-control-allow-headers"]), [
          "authorization",
          "content-type",
          "x-api-key",
          "x-request-id"
        ])
        assert.includeMembers(listOf(asked.headers["access-control-allow-methods"]), [
          "GET",
          "POST",
          "PATCH",
          "DELETE"
        ])
        assert.include(listOf(asked.headers["vary"]), "origin")
        const reply = yield* server.call("/agents", { headers: { origin: from, "accept-encoding": "gzip" } })
        assert.strictEqual(reply.status, 200)
        assert.strictEqual(granted(reply), from)
        assert.include(listOf(reply.headers["vary"]), "origin")
        const exposed = listOf(reply.headers["access-control-expose-headers"])
        assert.includeMembers(exposed, ["x-request-id", "retry-after", "content-disposition"])
        assert.isUndefined(reply.headers["access-control-allow-credentials"])
      }
    })
  )

  it.scopedLive("read errors too, of whatever kind", () =>
    Effect.gen(function* () {
      const server = yield* start({ corsOrigins: [origin] })
      const headers = { origin }
      for (const [status, path, sent] of [
        [401, "/v0/agents", { headers }],
        [404, "/nowhere", { headers }],
        [405, "/v0/calls", { headers, method: "PUT" }],
        [400, "/v0/calls", { headers: { ...headers, "x-api-key": server.key }, method: "POST", body: "{" }]
      ] as const) {
        const reply = yield* send(server.port, path, sent)
        assert.strictEqual(reply.status, status)
        assert.strictEqual(granted(reply), origin, path)
      }
    })
  )

  it.scopedLive("are not let in from other origins, whose preflights are no requests of ours", () =>
    Effect.gen(function* () {
      const server = yield* start({ corsOrigins: [origin] })
      for (const from of [
        stranger,
        `${origin}.evil.com`,
        "http://app.example.com",
        "null",
        "HTTPS://APP.EXAMPLE.COM"
      ]) {
        const asked = yield* preflight(server.port, "/v0/calls", from)
        assert.strictEqual(asked.status, 405)
        const reply = yield* server.call("/agents", { headers: { origin: from } })
        for (const each of [asked, reply]) {
          assert.isUndefined(granted(each), from)
          assert.isUndefined(each.headers["access-control-expose-headers"])
          assert.include(listOf(each.headers["vary"]), "origin")
        }
      }
      // What comes from no page varies too: a cache may hand it to one.
      assert.include(listOf((yield* server.call("/agents")).headers["vary"]), "origin")
    })
  )

  it.scopedLive("keep what an answer varies by already", () =>
    Effect.gen(function* () {
      const server = yield* start({ corsOrigins: [origin] })
      const reply = yield* send(server.port, "/openapi.json", {
        headers: { origin, "accept-encoding": "gzip" }
      })
      assert.sameMembers(listOf(reply.headers["vary"]), ["accept-encoding", "origin"])
      assert.strictEqual(reply.headers["content-encoding"], "gzip")
    })
  )

  it.scopedLive("are no matter unless origins are set", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const asked = yield* preflight(server.port, "/v0/calls", origin)
      const reply = yield* server.call("/agents", { headers: { origin } })
      assert.strictEqual(asked.status, 405)
      for (const each of [asked, reply]) {
        assert.isUndefined(each.headers["vary"])
        assert.deepStrictEqual(
          Object.keys(each.headers).filter((name) => name.startsWith("access-control")),
          []
        )
      }
    })
  )
})

describe("OUTDIAL_CORS_ORIGINS", () => {
  const read = (text: string) =>
    Effect.withConfigProvider(origins, ConfigProvider.fromMap(new Map([["OUTDIAL_CORS_ORIGINS", text]])))

  it.effect("is a list of origins as browsers send them", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(`${origin}, ${other},`), [origin, other])
      assert.deepStrictEqual(yield* read("http://localhost:5173"), ["http://localhost:5173"])
      assert.deepStrictEqual(yield* read(" "), [])
      for (const text of [
        "*",
        "null",
        "app.example.com",
        `${origin}/`,
        `${origin}/app`,
        "https://app.example.com:443",
        "https://APP.example.com",
        "https://me:secret@app.example.com",
        "file:///x",
        `${origin} ${other}`
      ]) {
        const refusal = sentence(yield* Effect.flip(read(text)))
        assert.match(refusal!, /^OUTDIAL_CORS_ORIGINS must be origins as browsers send them/, text)
      }
    })
  )
})
