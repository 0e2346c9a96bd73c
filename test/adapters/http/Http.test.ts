import { gunzipSync } from "node:zlib"
import {
  Effect,
  Layer,
  Logger,
  LogLevel,
  Metric,
  MetricBoundaries,
  MetricLabel,
  type Scope,
  Tracer
} from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Api } from "../../../adapters/http/contract/Api.ts"
import { ApiError } from "../../../adapters/http/contract/Coded.ts"
import * as Http from "../../../adapters/http/server/Http.ts"
import * as Docs from "../../../adapters/http/server/Docs.ts"
import * as Prometheus from "../../../adapters/http/server/Prometheus.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { captured, minimal, send, start } from "./Harness.ts"

const planted = "planted secret"

/** The repository in memory, whose lists of calls die. */
const broken = (defect: unknown) =>
  Layer.effect(
    Repository,
    Effect.map(Repository, (repository) => ({
      ...repository,
      calls: { ...repository.calls, list: () => Effect.die(defect) },
      doNotCall: { ...repository.doNotCall, remove: () => Effect.die(defect) }
    }))
  ).pipe(Layer.provide(MemoryRepository.layer))

describe("every answer", () => {
  it.scopedLive("carries the request id that was sent, or a fresh one, whatever happens", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const path of ["/v0/calls", "/nowhere", "/health/live", "/v0/calls/call_none"]) {
        const headers = { "x-api-key": server.key }
        const given = yield* server.raw(path, { headers: { ...headers, "x-request-id": "A-z0.9_" } })
        assert.strictEqual(given.headers["x-request-id"], "A-z0.9_", path)
        for (const bad of ["a b", "x".repeat(65), "é", ""]) {
          const reply = yield* server.raw(path, { headers: { ...headers, "x-request-id": bad } })
          assert.match(String(reply.headers["x-request-id"]), /^[0-9a-f-]{36}$/, path)
        }
      }
      const malformed = yield* server.call("/calls", { body: "{", headers: { "x-request-id": "mine" } })
      assert.strictEqual(malformed.headers["x-request-id"], "mine")
    })
  )

  it.scopedLive("to an unknown path is 404, to a wrong method 405 with what is allowed", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const path of [
        "/",
        "/v0",
        "/v0/",
        "/v0/nothing",
        "/calls",
        "/v1/calls",
        "/v0/%zz",
        "/v0/calls/%zz"
      ]) {
        const reply = yield* server.raw(path, { headers: { "x-api-key": server.key } })
        assert.strictEqual(reply.status, 404, `${path}: ${reply.text}`)
        assert.strictEqual(reply.json.error.code, "not_found")
      }
      const put = yield* server.raw("/v0/calls?limit=1", { method: "PUT" })
      assert.strictEqual(put.status, 405)
      assert.strictEqual(put.json.error.code, "invalid_request")
      assert.sameMembers(put.headers["allow"]!.split(", "), ["GET", "POST"])
      assert.strictEqual((yield* server.raw("/metrics", { method: "DELETE" })).headers["allow"], "GET")
    })
  )

  it.scopedLive("to a defect is 500 without details, which the log has under the request's id", () => {
    const log = captured()
    return Effect.gen(function* () {
      const server = yield* start({ repository: broken(new Error(planted)) })
      const reply = yield* server.call("/calls", { headers: { "x-request-id": "r-1" } })
      assert.strictEqual(reply.status, 500)
      assert.strictEqual(reply.json.error.code, "internal_error")
      assert.notInclude(reply.text, planted)
      assert.strictEqual(log.lines.length, 1)
      assert.include(log.lines[0]!, planted)
      assert.deepInclude(JSON.parse(log.lines[0]!).annotations, { request_id: "r-1", route: "/v0/calls" })
    }).pipe(Effect.provide(log.layer))
  })

  it.scopedLive("is 503 with Retry-After when the store is unavailable", () => {
    const log = captured()
    return Effect.gen(function* () {
      const server = yield* start({ repository: broken(new StoreUnavailable({ cause: new Error(planted) })) })
      const reply = yield* server.call("/calls")
      assert.strictEqual(reply.status, 503)
      assert.strictEqual(reply.json.error.code, "service_unavailable")
      assert.match(reply.headers["retry-after"]!, /^[0-9]+$/)
      assert.notInclude(reply.text, planted)
      const ready = yield* server.raw("/health/ready")
      assert.strictEqual(ready.status, 503)
      assert.deepStrictEqual(ready.json.checks, { store: "down", carrier: "up" })
    }).pipe(Effect.provide(log.layer))
  })
})

describe("operations", () => {
  it.scopedLive("log one line a request, and probes of health at DEBUG only", () => {
    const linesAt = (level: LogLevel.LogLevel) => {
      const log = captured()
      return Effect.gen(function* () {
        const server = yield* start({ logRequests: true })
        for (const path of ["/health/live", "/health/ready", "/v0/agents"]) yield* server.raw(path)
        return log.lines.map((line) => JSON.parse(line).annotations.route)
      }).pipe(Effect.provide(log.layer), Logger.withMinimumLogLevel(level), Effect.scoped)
    }
    return Effect.gen(function* () {
      assert.deepStrictEqual(yield* linesAt(LogLevel.Info), ["/v0/agents"])
      assert.deepStrictEqual(yield* linesAt(LogLevel.Debug), ["/health/live", "/health/ready", "/v0/agents"])
    })
  })

  it.scopedLive("health tells that the process lives, and what it waits for", () =>
    Effect.gen(function* () {
      const server = yield* start()
      assert.strictEqual((yield* server.raw("/health/live")).status, 200)
      const ready = yield* server.raw("/health/ready")
      assert.strictEqual(ready.status, 200, ready.text)
      assert.deepStrictEqual(ready.json.checks, { store: "up", carrier: "up" })
      server.carrier.available = false
      const away = yield* server.raw("/health/ready")
      assert.strictEqual(away.status, 200, "callbacks still have to reach it")
      assert.deepStrictEqual(away.json.checks, { store: "up", carrier: "down" })
      assert.strictEqual((yield* server.raw("/health/live")).status, 200)
    })
  )

  it.scopedLive("metrics count requests by route template, never by address", () =>
    Effect.gen(function* () {
      const server = yield* start({ basePath: "/metered" })
      for (const id of ["call_1", "call_2"]) yield* server.call(`/calls/${id}`)
      const { headers, text } = yield* server.raw("/metrics")
      assert.match(headers["content-type"]!, /^text\/plain; version=0\.0\.4/)
      assert.include(text, "# TYPE http_requests_total counter")
      assert.include(
        text,
        'http_requests_total{route="/metered/calls/:call_id",method="GET",status="404"} 2\n'
      )
      assert.include(text, "# TYPE http_request_duration_seconds histogram")
      assert.match(
        text,
        /duration_seconds_bucket\{route="\/metered\/calls\/:call_id",method="GET",le="\+Inf"\} 2\n/
      )
      assert.notInclude(text, "call_1")
      assert.notInclude(text, "effect_fiber")
    })
  )

  it.effect("metrics of every kind are written in the Prometheus text format", () =>
    Effect.gen(function* () {
      const counter = Metric.counter("test.counter", { description: "two\nlines" })
      const label = [MetricLabel.make("label", 'a"b\\c\nd')]
      yield* Effect.sync(() => counter.unsafeUpdate(1, label))
      yield* Metric.set(Metric.gauge("test_gauge"), -1.5)
      yield* Metric.update(Metric.frequency("test_frequency"), "seen")
      const histogram = Metric.histogram("test_histogram", MetricBoundaries.fromIterable([1, 2]))
      for (const value of [0.5, 1.5, 5]) yield* Metric.update(histogram, value)
      const pairs = (yield* Metric.snapshot).filter(({ metricKey }) => metricKey.name.startsWith("test"))
      const lines = Prometheus.format(pairs).split("\n")
      for (const line of [
        "# HELP test_counter two\\nlines",
        "# TYPE test_counter counter",
        'test_counter{label="a\\"b\\\\c\\nd"} 1',
        "# TYPE test_gauge gauge",
        "test_gauge -1.5",
        'test_frequency{key="seen"} 1',
        "# TYPE test_histogram histogram",
        'test_histogram_bucket{le="1"} 1',
        'test_histogram_bucket{le="2"} 2',
        'test_histogram_bucket{le="+Inf"} 3',
        "test_histogram_sum 7",
        "test_histogram_count 3"
      ]) {
        assert.include(lines, line)
      }
    })
  )

  it.scopedLive("a request is a server span that continues the caller's trace, when a tracer is set", () =>
    Effect.gen(function* () {
      const spans: Array<Tracer.Span> = []
      const native = yield* Effect.tracer
      const tracer = Tracer.make({
        context: (f) => f(),
        span: (...args) => {
          const span = native.span(...args)
          spans.push(span)
          return span
        }
      })
      const server = yield* start().pipe(Effect.withTracer(tracer))
      spans.length = 0
      const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
      yield* server.call(`/calls/${encodeURIComponent(minimal.to_number)}?a=1`, { headers: { traceparent } })
      const [span] = spans.filter(({ kind }) => kind === "server")
      assert.strictEqual(span?.traceId, "4bf92f3577b34da6a3ce929d0e0e4736")
      assert.strictEqual(span?.attributes.get("http.route"), "/v0/calls/:call_id")
      assert.strictEqual(span?.attributes.get("http.response.status_code"), 404)
      const told = JSON.stringify(spans.map(({ attributes, name }) => [name, ...attributes]))
      assert.notInclude(told, "4155550123")
      assert.notInclude(told, server.key)
    })
  )
})

/** The operations of the service's published interface. */
const published = [
  "placeCall",
  "listCampaigns",
  "updateCampaign",
  "startCampaign",
  "importRecipients",
  "listAttempts",
  "generateTestSuite",
  "listTestSuites",
  "listTestRuns",
  "listAvailableNumbers",
  "listRecordings",
  "createMessageTemplate"
]

describe("a path", () => {
  it.scopedLive("is what it is: other cases, further slashes and parameters are other paths", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const headers = { "x-api-key": server.key }
      for (const path of [
        "/METRICS",
        "//metrics",
        "/v0/Calls",
        "/v0//calls",
        "/v0/calls;x",
        "/metrics;a=b"
      ]) {
        const reply = yield* server.raw(path, { headers })
        assert.strictEqual(reply.status, 404, path)
        assert.strictEqual(reply.json.error.code, "not_found")
      }
      for (const path of ["/metrics", "/v0/calls", "/v0/calls?limit=1"]) {
        assert.strictEqual((yield* server.raw(path, { headers })).status, 200, path)
      }
    })
  )
})

describe("every answer", () => {
  it.scopedLive("is what its type says; JSON is kept by no cache", () =>
    Effect.gen(function* () {
      const server = yield* start()
      for (const path of ["/v0/calls", "/v0/nothing", "/openapi.json", "/health/live", "/docs", "/metrics"]) {
        const { headers } = yield* server.raw(path)
        assert.strictEqual(headers["x-content-type-options"], "nosniff", path)
        const isJson = headers["content-type"] === "application/json"
        assert.strictEqual(headers["cache-control"], isJson ? "no-store" : undefined, path)
      }
    })
  )
})

describe("a long answer", () => {
  it.scopedLive("is gzipped for clients that take it, and says that it varies", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const plain = yield* server.raw("/openapi.json")
      assert.isUndefined(plain.headers["content-encoding"])
      assert.strictEqual(plain.headers["vary"], "accept-encoding")
      for (const accepted of ["gzip", "br;q=1, gzip;q=0.5", "*"]) {
        const { bytes, headers } = yield* server.raw("/openapi.json", {
          headers: { "accept-encoding": accepted }
        })
        assert.strictEqual(headers["content-encoding"], "gzip", accepted)
        assert.strictEqual(headers["content-length"], String(bytes.length))
        assert.deepStrictEqual(JSON.parse(gunzipSync(bytes).toString("utf8")), plain.json)
      }
      for (const accepted of ["br", "gzip;q=0", "identity, gzip;q=0.0", ""]) {
        const { headers } = yield* server.raw("/openapi.json", { headers: { "accept-encoding": accepted } })
        assert.isUndefined(headers["content-encoding"], accepted)
      }
      const short = yield* server.raw("/health/live", { headers: { "accept-encoding": "gzip" } })
      assert.isUndefined(short.headers["content-encoding"])
      assert.isUndefined(short.headers["vary"])
    })
  )
})

describe("documentation", () => {
  it.scopedLive("stands outside the base path, and the page loads nothing from elsewhere", () =>
    Effect.gen(function* () {
      const server = yield* start({ basePath: "/api/v0" })
      const spec = yield* server.raw("/openapi.json")
      assert.strictEqual(spec.status, 200)
      assert.strictEqual(spec.headers["content-type"], "application/json")
      assert.strictEqual(spec.json.openapi, "3.1.0")
      assert.strictEqual(spec.json.servers[0].url, "/api/v0")
      const page = yield* server.raw("/docs")
      assert.strictEqual(page.status, 200)
      assert.match(page.headers["content-type"]!, /^text\/html/)
      const policy = String(page.headers["content-security-policy"])
      assert.include(policy, "default-src 'none'")
      assert.notInclude(policy, "unsafe-eval")
      assert.notMatch(page.text, /<(script|link|img)[^>]+(src|href)=["']?https?:/)
      assert.include(page.text, "placeCall")
    })
  )

  it("describes every operation: its words, credentials, parameters, examples and errors", () => {
    const spec = JSON.parse(JSON.stringify(Docs.openApi("/v0")))
    assert.deepStrictEqual(Object.keys(spec.components.securitySchemes), ["apiKey", "bearer"])
    assert.deepStrictEqual(spec.paths["/calls"].post.security, [{ apiKey: [] }])
    assert.strictEqual(spec.components.schemas.PlaceCall.additionalProperties, false)
    assert.isUndefined(spec.components.schemas.Call.additionalProperties)
    const ids = new Set<string>()
    const theOnly = (content: Record<string, { readonly example: unknown }>) => {
      assert.strictEqual(Object.keys(content).length, 1)
      return Object.values(content)[0]!
    }
    // oxlint-disable-next-line typescript/no-explicit-any
    for (const item of Object.values<Record<string, any>>(spec.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const id = operation.operationId
        assert.isFalse(ids.has(id))
        ids.add(id)
        assert.isAbove(operation.summary.length, 3, id)
        assert.isAbove(operation.description.length, 10, id)
        assert.strictEqual(operation["x-addition"], !published.includes(id), id)
        assert.isDefined(theOnly(operation.responses["200"].content).example, id)
        for (const parameter of operation.parameters) assert.isString(parameter.description, parameter.name)
        for (const status of ["400", "401", "403", "500", "503"]) {
          const { example, schema } = operation.responses[status].content["application/json"]
          assert.isString(example.error.code, `${id} ${status}`)
          assert.match(schema.$ref, /^#\/components\/schemas\//)
        }
        if (operation.requestBody !== undefined) {
          assert.isDefined(theOnly(operation.requestBody.content).example, id)
          assert.isDefined(operation.responses["413"], id)
        } else assert.include(["get", "delete", "post"], method)
      }
    }
    const refused = Object.keys(spec.paths["/calls"].post.responses).sort()
    assert.deepStrictEqual(refused, [
      "200",
      "400",
      "401",
      "402",
      "403",
      "404",
      "408",
      "409",
      "413",
      "415",
      "500",
      "503"
    ])
  })
})

describe("the documentation of campaigns and agent tests", () => {
  const spec = JSON.parse(JSON.stringify(Docs.openApi("/v0")))

  it("shows the uploaded form, the exported file and the update's own errors", () => {
    for (const path of ["/campaigns/{campaign_id}/recipients/import", "/do-not-call/import"]) {
      const { requestBody } = spec.paths[path].post
      assert.deepStrictEqual(Object.keys(requestBody.content), ["multipart/form-data"])
      const { schema } = requestBody.content["multipart/form-data"]
      assert.deepStrictEqual(schema.required, ["file"])
      assert.deepInclude(schema.properties.file, { type: "string", format: "binary" })
    }
    const results = spec.paths["/campaigns/{campaign_id}/results.csv"].get.responses["200"]
    assert.deepStrictEqual(Object.keys(results.content), ["text/csv"])
    const { patch } = spec.paths["/campaigns/{campaign_id}"]
    const invalid = patch.responses["422"].content["application/json"]
    assert.deepStrictEqual(invalid.schema, { $ref: "#/components/schemas/ValidationError" })
    const { properties } = spec.components.schemas.ValidationError.properties.detail.items
    assert.deepStrictEqual(Object.keys(properties), ["loc", "msg", "type", "input", "ctx"])
    for (const name of ["CreateCampaign", "UpdateCampaign", "AddRecipients", "NewRecipient"]) {
      assert.strictEqual(spec.components.schemas[name].additionalProperties, false, name)
    }
  })

  it("shows how agent tests are asked for, and when to ask again", () => {
    const { post } = spec.paths["/agent-test-suites/generate"]
    const coded = ["400", "402", "404", "413", "415", "429", "502", "503", "504"].map(
      (status) => post.responses[status].content["application/json"].example.error.code
    )
    assert.deepStrictEqual(coded, [
      "invalid_request",
      "insufficient_credits",
      "not_found",
      "invalid_request",
      "invalid_request",
      "too_many_requests",
      "bad_gateway",
      "service_unavailable",
      "gateway_timeout"
    ])
    for (const status of ["429", "503"]) {
      assert.strictEqual(post.responses[status].headers["Retry-After"].schema.type, "integer")
    }
    for (const name of ["GenerateSuite", "UpdateSuite", "NewTestRun"]) {
      assert.strictEqual(spec.components.schemas[name].additionalProperties, false, name)
    }
    const { properties } = spec.components.schemas.TestRun
    assert.deepStrictEqual(properties.results.items, { $ref: "#/components/schemas/TestResult" })
  })

  it("says of every answer what it is", () => {
    for (const item of Object.values<Record<string, { responses: object }>>(spec.paths)) {
      for (const { responses } of Object.values(item)) {
        for (const response of Object.values(responses)) assert.isString(response.description)
      }
    }
  })
})

describe("the typed client", () => {
  it.scopedLive("places and reads calls, and meets errors by their codes", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const client = yield* HttpApiClient.make(Api, {
        baseUrl: `http://127.0.0.1:${server.port}/v0`,
        transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", server.key))
      })
      const call = yield* client.calls.place({ payload: { ...minimal, metadata: { a: 1 } } })
      assert.strictEqual(call.status, "queued")
      assert.isNumber(call.created_at)
      const page = yield* client.calls.list({ urlParams: { limit: 10, offset: 0 } })
      assert.deepStrictEqual(page.data, [call])
      const error = yield* Effect.flip(client.calls.get({ path: { call_id: "call_none" } }))
      assert.instanceOf(error, ApiError)
      assert.deepInclude(error, { status: 404, code: "not_found" })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})

describe("a server without a base path", () => {
  it.scopedLive("has its interface at the root", () =>
    Effect.gen(function* () {
      const server = yield* start({ basePath: "" })
      const reply = yield* send(server.port, "/calls", { headers: { "x-api-key": server.key } })
      assert.strictEqual(reply.status, 200)
    })
  )
})

/** What a MemoMap does, which its type does not tell. */
interface Memo {
  readonly getOrElseMemoize: (layer: unknown, scope: Scope.Scope) => Effect.Effect<unknown>
}

describe("the REST adapter", () => {
  it.scopedLive("is built of few layers: each costs a start a hundred steps of Effect", () =>
    Effect.gen(function* () {
      const { context } = yield* start()
      const memo = (yield* Layer.makeMemoMap) as unknown as Memo
      const layers = new Set<unknown>()
      const counting = Object.create(memo, {
        getOrElseMemoize: {
          value(this: Memo, layer: unknown, scope: Scope.Scope) {
            layers.add(layer)
            return memo.getOrElseMemoize.call(this, layer, scope)
          }
        }
      }) as Layer.MemoMap
      const adapter = Http.layer({ basePath: "/v0", logRequests: false }).pipe(
        Layer.provide(CarrierCallbacks.none)
      )
      yield* Layer.buildWithMemoMap(adapter, counting, yield* Effect.scope).pipe(Effect.provide(context))
      assert.isAbove(layers.size, 20)
      assert.isAtMost(layers.size, 150)
    })
  )
})
