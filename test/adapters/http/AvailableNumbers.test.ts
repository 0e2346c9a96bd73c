import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import {
  type InventoryQuery,
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable,
  NumberInventory
} from "../../../core/ports/NumberInventory.ts"
import { listing, provider } from "../../core/usecases/Listings.ts"
import { captured, type Reply, start } from "./Harness.ts"

const path = "/phone-numbers/available"

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.headers["content-type"], "application/json")
  assert.deepStrictEqual(Object.keys(reply.json), ["error"])
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

interface Item {
  readonly number: string
  readonly country: string
}

const itemsOf = ({ json }: Reply): ReadonlyArray<Item> => json.data

/** An inventory of two hundred numbers of two countries, and what it was asked. */
const asked = () => {
  const queries: Array<InventoryQuery> = []
  const numbers = Array.from({ length: 200 }, (_, i) =>
    i % 2 === 0
      ? listing(`+1415${5_550_000 + i}`)
      : listing(`+3361234${1_000 + i}`, { country: "FR", region: "Bretagne" })
  )
  const layer = Layer.succeed(NumberInventory, {
    search: (query) =>
      Effect.sync(() => {
        queries.push(query)
        return { numbers, next: null }
      })
  })
  return { queries, layer }
}

describe("GET /phone-numbers/available", () => {
  it.scopedLive("answers 200 with the numbers alone, without a pagination block", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const reply = yield* server.call(path)
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers["content-type"], "application/json")
      assert.deepStrictEqual(Object.keys(reply.json), ["data"])
      assert.strictEqual(reply.json.data.length, 50)
      for (const item of reply.json.data) {
        assert.deepStrictEqual(Object.keys(item), [
          "number",
          "country",
          "region",
          "number_type",
          "setup_price",
          "monthly_price",
          "currency"
        ])
        assert.match(item.number, /^\+[1-9][0-9]{1,14}$/)
        assert.match(item.country, /^[A-Z]{2}$/)
        assert.isString(item.region)
        assert.isNull(item.number_type)
        assert.match(item.setup_price, /^[0-9]+\.[0-9]+$/)
        assert.match(item.monthly_price, /^[0-9]+\.[0-9]+$/)
        assert.match(item.currency, /^[A-Z]{3}$/)
      }
      assert.strictEqual((yield* server.call(path)).text, reply.text)
    })
  )

  it.scopedLive("returns at most limit numbers, and never more than 100", () =>
    Effect.gen(function* () {
      const server = yield* start({ inventory: asked().layer })
      for (const [limit, count] of [
        ["1", 1],
        ["007", 7],
        ["99", 99],
        ["100", 100],
        ["101", 100],
        ["1000000", 100],
        ["9".repeat(400), 100]
      ] as const) {
        const reply = yield* server.call(`${path}?limit=${limit}`)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.strictEqual(reply.json.data.length, count, limit)
      }
    })
  )

  it.scopedLive("answers 400 invalid_request to a limit that is no integer, or below 1", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const written = ["", "ten", "1.5", "1.0", "1e1", "0x10", "%2B5", "+5", "5%20", "%D9%A5", "NaN", "null"]
      for (const limit of [...written, "0", "-1", "1&limit=2"]) {
        const reply = yield* server.call(`${path}?limit=${limit}`)
        refused(reply, 400, "invalid_request", "limit must be an integer")
        assert.deepStrictEqual(reply.json.error.details, { field: "limit" }, limit)
      }
    })
  )

  it.scopedLive("takes a country in either case, passes it on in capitals and lists no other", () =>
    Effect.gen(function* () {
      const { layer, queries } = asked()
      const server = yield* start({ inventory: layer })
      for (const country of ["FR", "fr", "Fr"]) {
        const items = itemsOf(yield* server.call(`${path}?country=${country}&limit=100`))
        assert.strictEqual(items.length, 100)
        assert.isTrue(items.every((item) => item.country === "FR"))
      }
      assert.deepStrictEqual(itemsOf(yield* server.call(`${path}?country=ZZ`)), [])
      yield* server.call(path)
      assert.deepStrictEqual(
        queries.map(({ country }) => country),
        ["FR", "FR", "FR", "ZZ", null]
      )
    })
  )

  it.scopedLive("answers 400 invalid_request to a country that is not two letters", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const country of ["", "U", "USA", "1", "U1", "%20US", "U%00", "%C3%A9%C3%A9", "US&country=CA"]) {
        const reply = yield* server.call(`${path}?country=${country}`)
        refused(reply, 400, "invalid_request", "country must be two letters")
        assert.deepStrictEqual(reply.json.error.details, { field: "country" })
      }
    })
  )

  it.scopedLive("finds the digits of search, or of its aliases pattern and contains", () =>
    Effect.gen(function* () {
      const { layer, queries } = asked()
      const server = yield* start({ inventory: layer })
      for (const [query, contains, count] of [
        ["search=4155550", "4155550", 100],
        ["pattern=4155550", "4155550", 100],
        ["contains=4155550", "4155550", 100],
        ["search=555010&pattern=1234&contains=9", "555010", 5],
        ["pattern=555010&contains=1234", "555010", 5],
        ["search=&pattern=555010", "555010", 5],
        ["search=%2B1415", "+1415", 100],
        ["search=+1415", "+1415", 100],
        ["search=%2B1%20415-555-010", "+1415555010", 5],
        ["search=415%20555%200100", "4155550100", 1],
        ["search=00000", "00000", 0],
        ["search=", null, 100],
        ["search=%2B", null, 100],
        ["search=-", null, 100]
      ] as const) {
        const reply = yield* server.call(`${path}?limit=100&${query}`)
        assert.strictEqual(reply.status, 200, `${query}: ${reply.text}`)
        assert.strictEqual(queries.at(-1)!.contains, contains, query)
        const items = itemsOf(reply)
        assert.strictEqual(items.length, count, query)
        assert.isTrue(items.every(({ number }) => number.includes(contains ?? "")))
      }
    })
  )

  it.scopedLive(
    "answers 400 invalid_request to a search that is more than digits, naming the parameter",
    () =>
      Effect.gen(function* () {
        const server = yield* start()
        for (const name of ["search", "pattern", "contains"]) {
          const texts = ["415a", "*", "4%25", "(415)", "4.15", "41%2B5", "%2B%2B4", "%D9%A4", "4%00", "4%0A"]
          for (const text of [...texts, "1".repeat(16), `4&${name}=5`]) {
            const reply = yield* server.call(`${path}?${name}=${text}`)
            refused(reply, 400, "invalid_request", `${name} must be`)
            assert.deepStrictEqual(reply.json.error.details, { field: name })
          }
        }
      })
  )

  it.scopedLive("ignores parameters that it does not know", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const reply = yield* server.call(`${path}?offset=10&page=2&area_code=415`)
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reply.text, (yield* server.call(path)).text)
    })
  )

  it.scopedLive("never shows a restricted number, nor one that needs a proof of identity", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const india = itemsOf(yield* server.call(`${path}?country=IN&limit=100`))
      assert.strictEqual(india.length, 100)
      assert.isFalse(india.some(({ number }) => /^\+91(?:140|1600)/.test(number)))
      for (const search of ["%2B91140", "%2B911600"]) {
        assert.deepStrictEqual(itemsOf(yield* server.call(`${path}?search=${search}`)), [])
      }
      const gated = provider([[listing("+14155550100", { needs_identity: true }), listing("+14155550101")]])
      const other = yield* start({ inventory: gated.layer })
      assert.deepStrictEqual(
        itemsOf(yield* other.call(path)).map(({ number }) => number),
        ["+14155550101"]
      )
    })
  )

  it.scopedLive("needs a credential, key or token, with the scope phone_numbers:read", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const at = `/v0${path}`
      refused(yield* server.raw(at), 401, "unauthorized")
      refused(
        yield* server.raw(`${at}?limit=x`, { headers: { "x-api-key": "nonsense" } }),
        401,
        "unauthorized"
      )
      const others = allScopes.filter((scope) => scope !== "phone_numbers:read")
      const without = [
        { "x-api-key": yield* server.keyWith(others) },
        { authorization: `Bearer ${yield* server.token(others)}` }
      ]
      for (const headers of without) {
        refused(yield* server.raw(`${at}?limit=x`, { headers }), 403, "forbidden", "phone_numbers:read")
      }
      const having = [
        { "x-api-key": yield* server.keyWith(["phone_numbers:read"]) },
        { authorization: `Bearer ${yield* server.token(["phone_numbers:read"])}` }
      ]
      for (const headers of having) {
        assert.strictEqual((yield* server.raw(at, { headers })).status, 200)
      }
    })
  )

  it.scopedLive("answers 503 service_unavailable when no provider is configured", () => {
    const log = captured()
    return Effect.gen(function* () {
      const server = yield* start({ inventory: NumberInventory.layerNone })
      const reply = yield* server.call(`${path}?country=US`)
      refused(reply, 503, "service_unavailable", "no number inventory is configured")
      refused(yield* server.call(`${path}?limit=x`), 400, "invalid_request")
      assert.deepStrictEqual(log.lines, [])
    }).pipe(Effect.provide(log.layer))
  })

  it.scopedLive("tells what became of the provider by the code, and its own words only to the log", () => {
    const log = captured()
    const message = "provider's own words"
    return Effect.gen(function* () {
      for (const [failure, status, code] of [
        [new InventoryUnavailable({ message }), 503, "service_unavailable"],
        [new InventoryTimedOut({ message }), 504, "gateway_timeout"],
        [new InventoryUnusable({ message }), 502, "bad_gateway"]
      ] as const) {
        const server = yield* start({ inventory: provider([Effect.fail(failure)]).layer })
        const logged = log.lines.length
        const reply = yield* server.call(path)
        refused(reply, status, code, "the number inventory")
        assert.notInclude(reply.text, message)
        assert.strictEqual(log.lines.length, logged + 1)
        const { annotations, logLevel } = JSON.parse(log.lines.at(-1)!)
        assert.strictEqual(logLevel, "WARN")
        assert.deepStrictEqual(annotations, {
          failure: failure._tag,
          reason: message,
          request_id: reply.headers["x-request-id"],
          workspace_id: server.workspace.id
        })
      }
    }).pipe(Effect.provide(log.layer))
  })

  it.scopedLive("is 500 without details when the provider breaks", () => {
    const log = captured()
    return Effect.gen(function* () {
      const server = yield* start({ inventory: provider([Effect.die("planted")]).layer })
      const reply = yield* server.call(path)
      refused(reply, 500, "internal_error")
      assert.notInclude(reply.text, "planted")
    }).pipe(Effect.provide(log.layer))
  })
})

describe("GET /phone-numbers/{phone_number_id}", () => {
  it.scopedLive("answers with the workspace's number; 404 alike for an unknown and a foreign one", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const found = yield* server.call(`/phone-numbers/${server.from.id}`)
      assert.strictEqual(found.status, 200, found.text)
      assert.deepStrictEqual(found.json, (yield* server.call("/phone-numbers")).json.data[0])
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      const foreign = yield* server.call(`/phone-numbers/${server.from.id}`, { headers })
      const unknown = yield* server.call("/phone-numbers/pn_none")
      refused(unknown, 404, "not_found", "phone number")
      assert.strictEqual(foreign.text, unknown.text)
      const key = yield* server.keyWith(["phone_numbers:write"])
      refused(
        yield* server.call(`/phone-numbers/${server.from.id}`, { headers: { "x-api-key": key } }),
        403,
        "forbidden",
        "phone_numbers:read"
      )
    })
  )
})
