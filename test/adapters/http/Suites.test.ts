import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import type { Reply } from "./Harness.ts"
import { scenario, startSuites } from "./SuiteServer.ts"

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

const idsOf = ({ json }: Reply) => json.data.map(({ id }: { id: string }) => id)
const path = (id: string) => `/agent-test-suites/${id}`

describe("GET /agent-test-suites", () => {
  it.scopedLive("lists newest first, in pages, through a filter", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const other = yield* server.newAgent({ name: "Other" })
      const ids: Array<string> = []
      for (const agent_id of [server.agent_id, other, server.agent_id]) {
        ids.unshift((yield* server.generate({ agent_id, count: 1 })).json.id)
      }
      const list = (query = "") => server.call(`/agent-test-suites${query}`)
      const all = yield* list()
      assert.deepStrictEqual(idsOf(all), ids)
      assert.deepStrictEqual(all.json.pagination, { limit: 50, offset: 0, total: 3 })
      const second = yield* list("?limit=1&offset=1")
      assert.deepStrictEqual(idsOf(second), [ids[1]])
      assert.deepStrictEqual(second.json.pagination, { limit: 1, offset: 1, total: 3 })
      const filtered = yield* list(`?agent_id=${other}`)
      assert.deepStrictEqual(idsOf(filtered), [ids[1]])
      assert.strictEqual(filtered.json.pagination.total, 1)
      assert.deepStrictEqual((yield* list("?agent_id=agent_none")).json.data, [])
      for (const query of ["limit=0", "limit=101", "limit=x", "offset=-1"]) {
        refused(yield* list(`?${query}`), 400, "invalid_request", query.split("=")[0])
      }
    })
  )
})

describe("PATCH /agent-test-suites/{suite_id}", () => {
  it.scopedLive("replaces what is given, and leaves the rest", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const made = (yield* server.generate()).json
      const scenarios = [scenario("Silent", { runs: 3, max_turns: 2 }), scenario("Loud")]
      const changed = yield* server.patch(made.id, { scenarios })
      assert.strictEqual(changed.status, 200, changed.text)
      assert.isAtLeast(Date.parse(changed.json.updated_at), Date.parse(made.updated_at))
      const { updated_at } = changed.json
      assert.deepStrictEqual(changed.json, { ...made, scenarios, updated_at })
      const config = { judges: ["tact"], variables: { name: "Ada" } }
      yield* server.patch(made.id, { config })
      const renamed = yield* server.patch(made.id, { name: "Mine" })
      const { updated_at: last } = renamed.json
      assert.deepStrictEqual(renamed.json, { ...made, name: "Mine", scenarios, config, updated_at: last })
      assert.deepInclude((yield* server.patch(made.id, {})).json, { name: "Mine", scenarios, config })
      assert.deepInclude((yield* server.call(path(made.id))).json, { name: "Mine", scenarios, config })
      const none = yield* server.patch(made.id, { scenarios: [], config: { judges: [], variables: {} } })
      assert.deepStrictEqual([none.json.scenarios, none.json.config.judges], [[], []])
    })
  )

  it.scopedLive("keeps variables of any name as they are sent", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const { id } = (yield* server.generate({ count: 1 })).json
      const variables = '{"b":"1","__proto__":"x","constructor":"","a b":"é","":"empty"}'
      const body = `{"config":{"judges":["__proto__"],"variables":${variables}}}`
      const changed = yield* server.call(path(id), { method: "PATCH", body })
      assert.strictEqual(changed.status, 200, changed.text)
      for (const { text } of [
        changed,
        yield* server.call(path(id)),
        yield* server.call("/agent-test-suites")
      ]) {
        assert.include(text, `"config":{"judges":["__proto__"],"variables":${variables}}`)
      }
    })
  )

  const invalid: ReadonlyArray<readonly [name: string, body: unknown, mentions: string]> = [
    ["an empty name", { name: "" }, "name"],
    ["a name that is null", { name: null }, "name"],
    ["a name of 301 characters", { name: "x".repeat(301) }, "name"],
    ["scenarios that are no list", { scenarios: {} }, "scenarios"],
    ["101 scenarios", { scenarios: Array.from({ length: 101 }, () => scenario("A")) }, "scenarios"],
    ["a scenario without a label", { scenarios: [{ ...scenario("A"), label: "" }] }, "scenarios.0.label"],
    [
      "a scenario without instructions",
      { scenarios: [scenario("A"), { ...scenario("B"), instructions: undefined }] },
      "scenarios.1.instructions is required"
    ],
    ["0 runs", { scenarios: [scenario("A", { runs: 0 })] }, "scenarios.0.runs"],
    ["half a run", { scenarios: [scenario("A", { runs: 0.5 })] }, "scenarios.0.runs must be an integer"],
    ["101 turns", { scenarios: [scenario("A", { max_turns: 101 })] }, "scenarios.0.max_turns"],
    ["a scenario with more", { scenarios: [{ ...scenario("A"), mood: "bad" }] }, "scenarios.0.mood"],
    ["judges without variables", { config: { judges: [] } }, "config.variables is required"],
    ["a variable that is a number", { config: { judges: [], variables: { a: 1 } } }, "config.variables.a"],
    ["another agent", { agent_id: "agent_1" }, "agent_id is not permitted"],
    ["an unknown property", { surprise: 1 }, "surprise is not permitted"]
  ]

  it.scopedLive("answers 400 to whatever breaks a rule, naming it, and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const before = yield* server.generate({ count: 1 })
      const { id } = before.json
      for (const [name, body, mentions] of invalid) {
        const reply = yield* server.patch(id, body)
        assert.strictEqual(reply.status, 400, `${name}: ${reply.text}`)
        refused(reply, 400, "invalid_request", mentions)
      }
      for (const body of [
        "",
        "{",
        "[]",
        "null",
        '{"__proto__":{}}',
        '{"config":{"judges":[],"variables":{"__proto__":{"a":"b"}}}}',
        '{"config":{"judges":[],"variables":{},"__proto__":1}}'
      ]) {
        refused(yield* server.call(path(id), { method: "PATCH", body }), 400, "invalid_request")
      }
      const headers = { "content-type": "text/plain" }
      const typed = yield* server.call(path(id), { method: "PATCH", body: "{}", headers })
      refused(typed, 415, "invalid_request")
      assert.strictEqual((yield* server.call(path(id))).text, before.text)
    })
  )

  it.scopedLive("takes a body of a hundred long scenarios, and refuses one above 5 MB", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const { id } = (yield* server.generate({ count: 1 })).json
      const long = { runs: 100, max_turns: 100, instructions: "é".repeat(10_000) }
      const scenarios = Array.from({ length: 100 }, (_, i) => scenario(`Persona ${i}`, long))
      const reply = yield* server.patch(id, { scenarios })
      assert.strictEqual(reply.status, 200, reply.text.slice(0, 300))
      assert.deepStrictEqual(reply.json.scenarios, scenarios)
      const large = yield* server.patch(id, { name: "x".repeat(5 * 1024 * 1024) })
      refused(large, 413, "invalid_request", "5242880")
    })
  )

  it.scopedLive("answers 409 to a name that another suite has, and takes its own", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const first = (yield* server.generate({ count: 1, name: "One" })).json
      const second = (yield* server.generate({ count: 1, name: "Two" })).json
      refused(yield* server.patch(second.id, { name: "One", scenarios: [] }), 409, "conflict", "name")
      assert.deepStrictEqual((yield* server.call(path(second.id))).json, second)
      assert.strictEqual((yield* server.patch(first.id, { name: "One" })).status, 200)
    })
  )
})

describe("DELETE /agent-test-suites/{suite_id}", () => {
  it.scopedLive("removes the suite and frees its name, and its runs stay", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const { id } = (yield* server.generate({ count: 1, name: "One" })).json
      const run = (yield* server.run(id)).json
      const removed = yield* server.call(path(id), { method: "DELETE" })
      assert.deepStrictEqual([removed.status, removed.json], [200, { id, deleted: true }])
      refused(yield* server.call(path(id)), 404, "not_found", "test suite")
      refused(yield* server.call(path(id), { method: "DELETE" }), 404, "not_found", "test suite")
      assert.strictEqual((yield* server.suites).pagination.total, 0)
      assert.strictEqual((yield* server.detail(run.id)).json.suite_id, id)
      assert.deepStrictEqual(idsOf(yield* server.call(`/agent-test-runs?suite_id=${id}`)), [run.id])
      assert.strictEqual((yield* server.generate({ count: 1, name: "One" })).json.name, "One")
    })
  )
})

describe("test suites and runs", () => {
  it.scopedLive("of another workspace are answered as unknown ones", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const { id } = (yield* server.generate({ count: 1 })).json
      const run = (yield* server.run(id)).json
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      for (const [method, target, json] of [
        ["GET", (ids: Ids) => path(ids.suite), undefined],
        ["PATCH", (ids: Ids) => path(ids.suite), { name: "mine" }],
        ["DELETE", (ids: Ids) => path(ids.suite), undefined],
        ["GET", (ids: Ids) => `/agent-test-runs/${ids.run}`, undefined],
        ["POST", (ids: Ids) => `/agent-test-runs/${ids.run}/cancel`, undefined]
      ] as const) {
        const ask = (ids: Ids) => server.call(target(ids), { method, headers, ...(json && { json }) })
        const foreign = yield* ask({ suite: id, run: run.id })
        refused(foreign, 404, "not_found")
        assert.strictEqual(foreign.text, (yield* ask({ suite: "suite_none", run: "run_none" })).text)
      }
      const start = (suite_id: string) => server.call("/agent-test-runs", { json: { suite_id }, headers })
      refused(yield* start(id), 404, "not_found", "test suite")
      assert.strictEqual((yield* start(id)).text, (yield* start("suite_none")).text)
      for (const list of ["/agent-test-suites", "/agent-test-runs", `/agent-test-runs?suite_id=${id}`]) {
        assert.strictEqual((yield* server.call(list, { headers })).json.pagination.total, 0)
      }
      assert.strictEqual((yield* server.call(path(id))).json.name, "Mia — generated")
      assert.strictEqual((yield* server.detail(run.id)).json.status, "queued")
    })
  )

  it.scopedLive("are read with sessions:read alone, by a token too, and changed with sessions:write", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const { id } = (yield* server.generate({ count: 1 })).json
      const run = (yield* server.run(id)).json.id
      const reads = ["/agent-test-suites", path(id), "/agent-test-runs", `/agent-test-runs/${run}`]
      const writes = [
        ["POST", "/agent-test-suites/generate"],
        ["PATCH", path(id)],
        ["POST", "/agent-test-runs"],
        ["POST", `/agent-test-runs/${run}/cancel`],
        ["DELETE", path(id)]
      ] as const
      const reader = { authorization: `Bearer ${yield* server.token(["sessions:read"])}` }
      const writer = { authorization: `Bearer ${yield* server.token(["sessions:write"])}` }
      for (const read of reads) {
        const at = `/v0${read}`
        assert.strictEqual((yield* server.raw(at, { headers: reader })).status, 200, read)
        refused(yield* server.raw(at, { headers: writer }), 403, "forbidden", "sessions:read")
        refused(yield* server.raw(at), 401, "unauthorized")
      }
      for (const [method, target] of writes) {
        const at = `/v0${target}`
        refused(yield* server.raw(at, { method, headers: reader }), 403, "forbidden", "sessions:write")
        refused(yield* server.raw(at, { method }), 401, "unauthorized")
        const let_in = yield* server.raw(at, { method, headers: writer })
        assert.include([200, 400], let_in.status, `${method} ${target}`)
      }
    })
  )
})

interface Ids {
  readonly suite: string
  readonly run: string
}
