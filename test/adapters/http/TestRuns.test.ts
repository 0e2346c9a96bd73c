import { Deferred, Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as http from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Api } from "../../../adapters/http/contract/Api.ts"
import type { Play } from "../../../core/model/suites/Play.ts"
import { AgentSimulator } from "../../../core/ports/AgentSimulator.ts"
import { ModelUnusable } from "../../../core/ports/ModelFailure.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { captured, type Reply } from "./Harness.ts"
import { none, scenario, startSuites } from "./SuiteServer.ts"

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

const idsOf = ({ json }: Reply) => json.data.map(({ id }: { id: string }) => id)

const summaryFields = [
  "id",
  "suite_id",
  "agent_id",
  "status",
  "counts",
  "score",
  "credits_used",
  "error",
  "started_at",
  "completed_at",
  "created_at"
]

describe("POST /agent-test-runs", () => {
  it.scopedLive("queues a run of the suite, and wakes the workspace", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const id = yield* server.suite([scenario("A", { runs: 3 }), scenario("B")])
      server.woken.length = 0
      const started = yield* server.run(id)
      assert.strictEqual(started.status, 200, started.text)
      const { created_at, id: run_id, ...record } = started.json
      assert.match(run_id, /^run_/)
      assert.strictEqual(new Date(created_at).toISOString(), created_at)
      assert.deepStrictEqual(record, {
        suite_id: id,
        agent_id: server.agent_id,
        status: "queued",
        counts: { total: 4, passed: 0, failed: 0, errored: 0 },
        score: null,
        credits_used: 0,
        error: null,
        started_at: null,
        completed_at: null
      })
      assert.deepStrictEqual(server.woken, [server.workspace.id])
      const detail = yield* server.detail(run_id)
      const { results, ...summary } = detail.json
      assert.deepStrictEqual(summary, started.json)
      assert.deepStrictEqual(
        results.map(({ label, run_index }: { label: string; run_index: number }) => [label, run_index]),
        [
          ["A", 1],
          ["A", 2],
          ["A", 3],
          ["B", 1]
        ]
      )
      assert.deepStrictEqual(results[3], {
        label: "B",
        run_index: 1,
        status: null,
        turns: 0,
        judgments: {},
        transcript: [],
        error: null,
        tool_calls: [],
        model: "built-in rules"
      })
    })
  )

  it.scopedLive("answers 400 to what cannot be run, 404 to a suite that is none", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const empty = yield* server.suite([])
      refused(yield* server.run(empty), 400, "invalid_request", "no scenarios")
      const many = yield* server.suite(
        Array.from({ length: 21 }, (_, i) => scenario(String(i), { runs: 100 }))
      )
      refused(yield* server.run(many), 400, "invalid_request", "2000 plays")
      refused(yield* server.run("suite_none"), 404, "not_found", "test suite")
      const start = (json: unknown) => server.call("/agent-test-runs", { json })
      for (const [json, mentions] of [
        [{}, "suite_id is required"],
        [{ suite_id: "" }, "suite_id"],
        [{ suite_id: null }, "suite_id"],
        [{ suite_id: empty, agent_id: server.agent_id }, "agent_id is not permitted"],
        [[], "the body must be a JSON object"]
      ] as const) {
        refused(yield* start(json), 400, "invalid_request", mentions)
      }
      refused(
        yield* server.call("/agent-test-runs", { method: "POST", body: "{" }),
        400,
        "invalid_request",
        "JSON"
      )
      assert.strictEqual((yield* server.call("/agent-test-runs")).json.pagination.total, 0)
    })
  )
})

/** A persona that says one thing, and judges that go by their names: the third play cannot be judged. */
const scripted = Layer.succeed(AgentSimulator, {
  name: "scripted",
  personaTurn: ({ scenario: { label } }) =>
    Effect.succeed({ text: `${label}!`, hangs_up: label === "short", usage: none }),
  judge: ({ scenario: { label } }, { name }) =>
    label === "broken"
      ? Effect.fail(new ModelUnusable({ message: "nothing to be made of it" }))
      : Effect.succeed({
          verdict: name === "strict" ? ("fail" as const) : name === "unsure" ? "maybe" : "pass",
          reasoning: `${name} reads ${label}`,
          usage: none
        })
})

describe("a run", () => {
  it.scopedLive("is played to its end: transcripts, verdicts, counts, score and credits", () =>
    Effect.gen(function* () {
      const server = yield* startSuites({ works: true, simulator: scripted })
      const config = { judges: ["kind", "unsure"], variables: { name: "Ada", company: "Acme" } }
      const id = yield* server.suite(
        [
          scenario("short"),
          scenario("long", { runs: 2, max_turns: 3 }),
          scenario("broken", { max_turns: 1 })
        ],
        config
      )
      const before = yield* server.balance
      const started = yield* server.run(id)
      assert.strictEqual(started.status, 200, started.text)
      const { headers, json } = yield* server.ended(started.json.id)
      assert.strictEqual(headers["content-type"], "application/json")
      assert.deepStrictEqual(Object.keys(json), [...summaryFields, "results"])
      const { completed_at, results, started_at, ...run } = json
      const turns = 2 + 3 + 3 + 1
      assert.deepStrictEqual(run, {
        id: started.json.id,
        suite_id: id,
        agent_id: server.agent_id,
        status: "completed",
        counts: { total: 4, passed: 3, failed: 0, errored: 1 },
        score: 0.75,
        credits_used: turns,
        error: null,
        created_at: started.json.created_at
      })
      assert.isTrue(Date.parse(started_at) <= Date.parse(completed_at))
      const [short, long, again, broken] = results
      const times = short.transcript.map(({ at }: { at: string }) => at)
      for (const at of times) assert.strictEqual(new Date(at).toISOString(), at)
      assert.deepStrictEqual(short, {
        label: "short",
        run_index: 1,
        status: "pass",
        turns: 2,
        judgments: {
          kind: { verdict: "pass", reasoning: "kind reads short" },
          unsure: { verdict: "maybe", reasoning: "unsure reads short" }
        },
        transcript: [
          { role: "agent", text: "Hello Ada, this is Mia.", at: times[0] },
          { role: "persona", text: "short!", at: times[1] }
        ],
        error: null,
        tool_calls: [],
        model: "scripted"
      })
      assert.deepInclude(long, { label: "long", run_index: 1, status: "pass", turns: 3 })
      assert.deepInclude(again, { label: "long", run_index: 2, status: "pass", turns: 3 })
      assert.deepInclude(broken, {
        label: "broken",
        status: "error",
        turns: 1,
        judgments: {},
        error: "nothing to be made of it"
      })
      assert.strictEqual(yield* server.balance, before - turns)
      const spent = yield* server.movements(json.id)
      for (const [kind, amount] of spent) assert.isTrue(kind === "test" && amount < 0)
      assert.strictEqual(
        spent.reduce((sum, [, amount]) => sum + amount, 0),
        -turns
      )
      const listed = (yield* server.call("/agent-test-runs")).json.data
      const { results: _, ...summary } = json
      assert.deepStrictEqual(listed, [summary])
    })
  )

  it.scopedLive(
    "of a generated suite is played by the simulator of this process, on a database file too",
    () =>
      Effect.gen(function* () {
        for (const repository of [{}, { repository: Layer.orDie(onFreshFile) }]) {
          const server = yield* startSuites({ works: true, ...repository })
          yield* server.credits.topUp(server.workspace.id, 1_000, null)
          const { id, scenarios } = (yield* server.generate({ count: 3 })).json
          const started = yield* server.run(id)
          const { json } = yield* server.ended(started.json.id)
          assert.strictEqual(json.status, "completed", JSON.stringify(json.error))
          const { errored, failed, passed, total } = json.counts
          assert.deepStrictEqual([total, errored, passed + failed], [3, 0, 3])
          assert.isTrue(json.score >= 0 && json.score <= 1)
          for (const [i, result] of json.results.entries()) {
            assert.strictEqual(result.label, scenarios[i].label)
            assert.isAtLeast(result.turns, 1)
            assert.strictEqual(result.transcript.length, result.turns)
            assert.strictEqual(result.transcript[0].role, "agent")
            assert.sameMembers(Object.keys(result.judgments), [
              "task_completion",
              "tool_use",
              "safety",
              "accuracy",
              "relevancy"
            ])
          }
        }
      })
  )

  it.scopedLive("shows the judgment of a judge of any name, and the values of variables of any name", () =>
    Effect.gen(function* () {
      for (const repository of [{}, { repository: Layer.orDie(onFreshFile) }]) {
        const server = yield* startSuites({ works: true, simulator: scripted, ...repository })
        const agent_id = yield* server.newAgent({ first_message: "Hi {{__proto__}}" })
        const { id } = (yield* server.generate({ agent_id, count: 1 })).json
        const change =
          `{"scenarios":[${JSON.stringify(scenario("A", { max_turns: 1 }))}],` +
          '"config":{"judges":["__proto__","constructor"],"variables":{"__proto__":"Ada"}}}'
        yield* server.call(`/agent-test-suites/${id}`, { method: "PATCH", body: change })
        const run_id = (yield* server.run(id)).json.id
        const { json, text } = yield* server.ended(run_id)
        assert.strictEqual(json.status, "completed", text)
        assert.include(
          text,
          '"judgments":{"__proto__":{"verdict":"pass","reasoning":"__proto__ reads A"},' +
            '"constructor":{"verdict":"pass","reasoning":"constructor reads A"}}'
        )
        assert.include(text, '"text":"Hi Ada"')
      }
    })
  )

  it.scopedLive("fails when there are no credits left", () =>
    Effect.gen(function* () {
      const server = yield* startSuites({ works: true, simulator: scripted })
      const id = yield* server.suite([scenario("A"), scenario("B")])
      yield* server.credits.topUp(server.workspace.id, 4 - (yield* server.balance), null)
      const { json } = yield* server.ended((yield* server.run(id)).json.id)
      assert.deepInclude(json, { status: "failed", error: "insufficient credits", credits_used: 4 })
      assert.strictEqual(yield* server.balance, 0)
    })
  )
})

describe("POST /agent-test-runs/{run_id}/cancel", () => {
  it.scopedLive("ends the run; what was not finished counts as errored", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const proceed = yield* Deferred.make<void>()
      const late = { text: "Good morning.", hangs_up: false, usage: none }
      const slow = Layer.succeed(AgentSimulator, {
        name: "scripted",
        personaTurn: () =>
          Deferred.succeed(begun, undefined).pipe(Effect.zipRight(Deferred.await(proceed)), Effect.as(late)),
        judge: () => Effect.dieMessage("judged")
      })
      const server = yield* startSuites({ works: true, simulator: slow })
      const id = yield* server.suite([scenario("A", { runs: 2 })])
      const before = yield* server.balance
      const run_id = (yield* server.run(id)).json.id
      yield* Deferred.await(begun)
      const { status } = (yield* server.detail(run_id)).json
      assert.strictEqual(status, "running")
      const cancelled = yield* server.cancel(run_id)
      assert.strictEqual(cancelled.status, 200, cancelled.text)
      assert.deepStrictEqual(Object.keys(cancelled.json), summaryFields)
      assert.deepInclude(cancelled.json, {
        id: run_id,
        status: "cancelled",
        error: "cancelled",
        counts: { total: 2, passed: 0, failed: 0, errored: 2 }
      })
      assert.isString(cancelled.json.completed_at)
      const { results, ...summary } = (yield* server.detail(run_id)).json
      assert.deepStrictEqual(summary, cancelled.json)
      for (const result of results) assert.deepInclude(result, { status: "error", error: "cancelled" })
      yield* Deferred.succeed(proceed, undefined)
      refused(yield* server.cancel(run_id), 409, "conflict", "ended")
      const { credits_used } = (yield* server.detail(run_id)).json
      assert.isAtMost(credits_used, 2)
      assert.strictEqual(yield* server.balance, before - credits_used)
    })
  )

  it.scopedLive("answers 409 once the run has ended, 404 when there is none", () =>
    Effect.gen(function* () {
      const server = yield* startSuites({ works: true, simulator: scripted })
      const id = yield* server.suite([scenario("A")])
      const run_id = (yield* server.run(id)).json.id
      const ended = yield* server.ended(run_id)
      refused(yield* server.cancel(run_id), 409, "conflict", "ended")
      assert.strictEqual((yield* server.detail(run_id)).text, ended.text)
      refused(yield* server.cancel("run_none"), 404, "not_found", "test run")
      refused(yield* server.detail("run_none"), 404, "not_found", "test run")
    })
  )
})

describe("GET /agent-test-runs", () => {
  it.scopedLive("lists newest first, in pages, through filters, without what was said", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const other_agent = yield* server.newAgent()
      const first = yield* server.suite([scenario("A")])
      const second = (yield* server.generate({ agent_id: other_agent, count: 1 })).json.id
      const ids: Array<string> = []
      for (const id of [first, second, first]) ids.unshift((yield* server.run(id)).json.id)
      const cancelled = yield* server.cancel(ids[0]!)
      const list = (query = "") => server.call(`/agent-test-runs${query}`)
      const all = yield* list()
      assert.deepStrictEqual(idsOf(all), ids)
      assert.deepStrictEqual(all.json.pagination, { limit: 50, offset: 0, total: 3 })
      assert.deepStrictEqual(all.json.data[0], cancelled.json)
      for (const run of all.json.data) assert.deepStrictEqual(Object.keys(run), summaryFields)
      const page = yield* list("?limit=1&offset=1")
      assert.deepStrictEqual(idsOf(page), [ids[1]])
      assert.deepStrictEqual(page.json.pagination, { limit: 1, offset: 1, total: 3 })
      assert.deepStrictEqual(idsOf(yield* list(`?suite_id=${second}`)), [ids[1]])
      assert.deepStrictEqual(idsOf(yield* list(`?agent_id=${server.agent_id}`)), [ids[0], ids[2]])
      assert.deepStrictEqual(idsOf(yield* list("?status=cancelled")), [ids[0]])
      assert.deepStrictEqual(idsOf(yield* list(`?status=queued&suite_id=${first}`)), [ids[2]])
      assert.deepStrictEqual((yield* list("?suite_id=suite_none")).json.data, [])
      for (const query of ["status=lost", "limit=0", "offset=x"]) {
        refused(yield* list(`?${query}`), 400, "invalid_request", query.split("=")[0])
      }
    })
  )
})

/** A server with a run of 2,000 plays of 20 utterances each, some 30 MB of JSON. */
const startLarge = Effect.fnUntraced(function* (logRequests: boolean) {
  const server = yield* startSuites({ logRequests })
  const scenarios = Array.from({ length: 20 }, (_, i) => scenario(`Persona ${i}`, { runs: 100 }))
  const run_id: string = (yield* server.run(yield* server.suite(scenarios))).json.id
  const { plays } = server.repository
  const said = Array.from({ length: 20 }, (_, i) => ({
    role: i % 2 === 0 ? ("agent" as const) : ("persona" as const),
    text: `${i} é “${"and so on ".repeat(65)}”`,
    at: 1_790_000_000_000 + i
  }))
  const stored = yield* plays.ofRun(server.workspace.id, run_id)
  for (const play of stored) {
    const over: Play = { ...play, open: false, over: true, status: "pass", transcript: said, version: 2 }
    assert.isTrue(yield* plays.update(over))
  }
  return { ...server, run_id, said }
})

describe("a run of two thousand plays", () => {
  it.scopedLive(
    "is sent as it is written, complete and in order",
    () =>
      Effect.gen(function* () {
        const server = yield* startLarge(false)
        const reply = yield* server.detail(server.run_id)
        assert.strictEqual(reply.status, 200)
        assert.strictEqual(reply.headers["transfer-encoding"], "chunked")
        assert.isAbove(reply.bytes.length, 25_000_000)
        const { results } = reply.json
        assert.strictEqual(results.length, 2_000)
        for (const [i, result] of results.entries()) {
          assert.strictEqual(result.label, `Persona ${Math.floor(i / 100)}`)
          assert.strictEqual(result.run_index, (i % 100) + 1)
        }
        assert.deepStrictEqual(
          results[1_999].transcript,
          server.said.map(({ at, ...rest }) => ({ ...rest, at: new Date(at).toISOString() }))
        )
      }),
    30_000
  )

  it.scopedLive(
    "may be left half read, which is no error",
    () => {
      const log = captured()
      return Effect.gen(function* () {
        const server = yield* startLarge(true)
        const lines = log.lines.length
        const leave = yield* Effect.async<() => void, Error>((resume) => {
          const request = http.request(
            {
              port: server.port,
              path: `/v0/agent-test-runs/${server.run_id}`,
              headers: { "x-api-key": server.key }
            },
            (response) => {
              response.pause()
              response.on("error", () => {})
              resume(Effect.succeed(() => void request.destroy()))
            }
          )
          request.on("error", (error) => resume(Effect.fail(error)))
          request.end()
        })
        leave()
        assert.strictEqual((yield* server.call("/agent-test-runs")).status, 200)
        yield* log.awaitLines(lines + 2)
        assert.notInclude(log.lines.join("\n"), "ERROR")
        assert.notInclude(log.lines.join("\n"), "and so on")
      }).pipe(Effect.provide(log.layer))
    },
    30_000
  )
})

describe("the typed client", () => {
  it.scopedLive("generates a suite, runs it and reads what came of it", () =>
    Effect.gen(function* () {
      const server = yield* startSuites({ works: true, simulator: scripted })
      const client = yield* HttpApiClient.make(Api, {
        baseUrl: `http://127.0.0.1:${server.port}/v0`,
        transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("x-api-key", server.key))
      })
      const suite = yield* client.agent_test_suites.generate({
        payload: { agent_id: server.agent_id, count: 2, judges: ["kind"], hint: null, name: null }
      })
      assert.isNumber(suite.created_at)
      const { id } = yield* client.agent_test_runs.start({ payload: { suite_id: suite.id } })
      yield* server.ended(id)
      const run = yield* client.agent_test_runs.get({ path: { run_id: id } })
      assert.strictEqual(run.status, "completed")
      assert.deepStrictEqual(
        run.results.map(({ judgments }) => judgments["kind"]?.verdict),
        ["pass", "pass"]
      )
      assert.isNumber(run.results[0]!.transcript[0]!.at)
      const refusal = yield* Effect.flip(client.agent_test_runs.cancel({ path: { run_id: id } }))
      assert.deepInclude(refusal, { status: 409, code: "conflict" })
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
