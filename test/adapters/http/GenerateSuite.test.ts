import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as http from "node:http"
import { SignJWT } from "jose"
import { criteria } from "../../../core/model/suites/Suite.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import {
  ModelBusy,
  type ModelFailure,
  ModelTimedOut,
  ModelUnavailable,
  ModelUnusable
} from "../../../core/ports/ModelFailure.ts"
import type { GenerationRequest } from "../../../core/ports/ScenarioGenerator.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { captured, exchange, type Reply, tokenSecret } from "./Harness.ts"
import { generating, none, scenario, startSuites } from "./SuiteServer.ts"

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.headers["content-type"], "application/json")
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

const path = "/agent-test-suites/generate"
const knownJudges = ["task_completion", "tool_use", "safety", "accuracy", "relevancy"]

/** A generator that makes as many as are wanted, and what it was asked. */
const recording = () => {
  const asked: Array<GenerationRequest> = []
  const layer = generating((request) =>
    Effect.sync(() => {
      asked.push(request)
      const scenarios = Array.from({ length: request.count }, (_, i) => scenario(`Persona ${i + 1}`))
      return { scenarios, usage: none }
    })
  )
  return { asked, layer }
}

describe("POST /agent-test-suites/generate", () => {
  it.scopedLive("by default makes five scenarios for the five known judges, and stores them as a suite", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const before = yield* server.balance
      const made = yield* server.generate()
      assert.strictEqual(made.status, 200, made.text)
      assert.strictEqual(made.headers["content-type"], "application/json")
      const { created_at, id, scenarios, updated_at, ...record } = made.json
      assert.match(id, /^suite_/)
      assert.strictEqual(new Date(created_at).toISOString(), created_at)
      assert.strictEqual(updated_at, created_at)
      assert.deepStrictEqual(record, {
        agent_id: server.agent_id,
        name: "Mia — generated",
        config: { judges: knownJudges, variables: { name: "", company: "" } },
        created_by_user_id: server.key.split("_")[2]
      })
      assert.strictEqual(scenarios.length, 5)
      for (const one of scenarios) {
        assert.deepStrictEqual(Object.keys(one).sort(), ["instructions", "label", "max_turns", "runs"])
        assert.isAbove(one.label.length, 0)
        assert.isAbove(one.instructions.length, 0)
        assert.isTrue(Number.isInteger(one.runs) && Number.isInteger(one.max_turns))
      }
      assert.strictEqual((yield* server.call(`/agent-test-suites/${id}`)).text, made.text)
      assert.include((yield* server.call("/agent-test-suites")).text, made.text)
      assert.deepStrictEqual(yield* server.movements(id), [
        ["hold", -5],
        ["release", 5],
        ["generation", -5]
      ])
      assert.strictEqual(yield* server.balance, before - 5)
    })
  )

  it.scopedLive("asks the generator for what is wanted, and keeps name and judges", () =>
    Effect.gen(function* () {
      const { asked, layer } = recording()
      const server = yield* startSuites({ generator: layer })
      const judges = ["safety", "is polite"]
      const made = yield* server.generate({ count: 3, judges, hint: "In a hurry", name: "Mine" })
      assert.strictEqual(made.status, 200, made.text)
      assert.deepInclude(made.json, { name: "Mine" })
      assert.deepStrictEqual(made.json.config.judges, judges)
      assert.strictEqual(made.json.scenarios.length, 3)
      const [{ agent, judges: sought, ...rest }] = asked as [GenerationRequest]
      assert.deepStrictEqual(rest, { count: 3, hint: "In a hurry" })
      assert.deepInclude(agent, { name: "Mia", language: "en-US" })
      assert.include(agent.prompt, "{{company}}")
      assert.deepStrictEqual(sought[0], { name: "safety", criterion: criteria["safety"]! })
      assert.include(sought[1]!.criterion, "is polite")
      const plain = yield* server.generate({ hint: null, name: null })
      assert.strictEqual(plain.json.name, "Mia — generated")
      assert.strictEqual(asked[1]!.hint, null)
    })
  )

  it.scopedLive("clamps a count outside 1 to 100, and charges what is made", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      yield* server.credits.topUp(server.workspace.id, 1_000, null)
      for (const [count, made] of [
        ["1", 1],
        ["0", 1],
        ["-3", 1],
        ["-1e9", 1],
        ["7.0", 7],
        ["100", 100],
        ["101", 100],
        ["1e15", 100]
      ] as const) {
        const reply = yield* server.call(path, { body: `{"agent_id":"${server.agent_id}","count":${count}}` })
        assert.strictEqual(reply.status, 200, `${count}: ${reply.text}`)
        assert.strictEqual(reply.json.scenarios.length, made, count)
        assert.deepInclude(yield* server.movements(reply.json.id), ["generation", -made])
      }
    })
  )

  it.scopedLive("charges only what was made when that is less than was asked for", () =>
    Effect.gen(function* () {
      const few = generating(() => Effect.succeed({ scenarios: [scenario("A"), scenario("B")], usage: none }))
      const server = yield* startSuites({ generator: few })
      const { json } = yield* server.generate({ count: 10 })
      assert.strictEqual(json.scenarios.length, 2)
      assert.deepStrictEqual(yield* server.movements(json.id), [
        ["hold", -10],
        ["release", 10],
        ["generation", -2]
      ])
      assert.deepStrictEqual(yield* server.held, Option.none())
    })
  )

  it.scopedLive("keeps placeholders of any name as variables, and judges of any name", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const prompt = "{{__proto__}} {{ constructor }} {{toString}} {{__proto__}} {{é 1}} {{}}"
      const agent_id = yield* server.newAgent({ prompt })
      const reply = yield* server.generate({ agent_id, judges: ["__proto__", "constructor"] })
      const text = '"variables":{"__proto__":"","constructor":"","toString":"","é 1":""}'
      assert.strictEqual(reply.status, 200, reply.text)
      for (const shown of [
        reply.text,
        (yield* server.call(`/agent-test-suites/${reply.json.id}`)).text,
        (yield* server.call("/agent-test-suites")).text
      ]) {
        assert.include(shown, text)
        assert.include(shown, '"judges":["__proto__","constructor"]')
      }
    })
  )

  it.scopedLive("is created by the key, or by the subject that a token names", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const ask = (authorization: string) =>
        server.raw(`/v0${path}`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify({ agent_id: server.agent_id, count: 1 })
        })
      const token = yield* Effect.promise(() =>
        new SignJWT({ workspace_id: server.workspace.id, scope: "sessions:write", sub: "user_7" })
          .setProtectedHeader({ alg: "HS256" })
          .setExpirationTime("1 minute")
          .sign(new TextEncoder().encode(Redacted.value(tokenSecret)))
      )
      assert.strictEqual((yield* ask(`Bearer ${token}`)).json.created_by_user_id, "user_7")
      const byToken = yield* ask(`Bearer ${yield* server.token(["sessions:write"])}`)
      assert.strictEqual(byToken.json.created_by_user_id, "")
    })
  )
})

const invalid: ReadonlyArray<readonly [name: string, over: object, mentions: string]> = [
  ["no agent_id", { agent_id: undefined }, "agent_id is required"],
  ["an empty agent_id", { agent_id: "" }, "agent_id"],
  ["an agent_id of another type", { agent_id: 7 }, "agent_id"],
  ["a count of a half", { count: 2.5 }, "count must be an integer"],
  ["a count that is text", { count: "5" }, "count"],
  ["a count that is null", { count: null }, "count"],
  ["no judge at all", { judges: [] }, "judges"],
  ["a judge without a name", { judges: [""] }, "judges"],
  ["judges that are no list", { judges: "safety" }, "judges"],
  ["21 judges", { judges: Array.from({ length: 21 }, (_, i) => `j${i}`) }, "judges"],
  ["a hint of 2,001 characters", { hint: "x".repeat(2_001) }, "hint"],
  ["a hint with a NUL", { hint: "a\u0000" }, "hint"],
  ["an empty name", { name: "" }, "name"],
  ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
  ["a name with a lone surrogate", { name: "\ud800" }, "name"],
  ["an unknown property", { surprise: 1 }, "surprise is not permitted"]
]

const conditions: ReadonlyArray<
  readonly [failure: ModelFailure, status: number, code: string, message: string, retryAfter: RegExp | null]
> = [
  [
    new ModelBusy({ message: "planted", retry_after: 17 }),
    429,
    "too_many_requests",
    "scenario generation is rate-limited: try again in 17 seconds",
    /^17$/
  ],
  [
    new ModelBusy({ message: "planted", retry_after: 0.2 }),
    429,
    "too_many_requests",
    "scenario generation is rate-limited: try again in 1 seconds",
    /^1$/
  ],
  [
    new ModelUnusable({ message: "planted" }),
    502,
    "bad_gateway",
    "the generator returned no usable scenarios",
    null
  ],
  [
    new ModelUnavailable({ message: "planted" }),
    503,
    "service_unavailable",
    "the test runner is unreachable",
    /^[1-9]\d*$/
  ],
  [new ModelTimedOut({ message: "planted" }), 504, "gateway_timeout", "scenario generation timed out", null]
]

describe("a generation that is refused", () => {
  it.scopedLive("for its form answers 400, naming the field, asks no model and charges nothing", () =>
    Effect.gen(function* () {
      const { asked, layer } = recording()
      const server = yield* startSuites({ generator: layer })
      for (const [name, over, mentions] of invalid) {
        const reply = yield* server.generate(over)
        assert.strictEqual(reply.status, 400, `${name}: ${reply.text}`)
        refused(reply, 400, "invalid_request", mentions)
      }
      for (const [body, mentions] of [
        ["", "not valid JSON"],
        ["{", "not valid JSON"],
        ["[]", "the body must be a JSON object"],
        ["null", "the body must be a JSON object"],
        ['{"agent_id":"a","__proto__":1}', "not permitted"]
      ] as const) {
        refused(yield* server.call(path, { method: "POST", body }), 400, "invalid_request", mentions)
      }
      const headers = { "content-type": "text/plain" }
      refused(yield* server.call(path, { body: "{}", headers }), 415, "invalid_request")
      refused(yield* server.generate({ hint: "x".repeat(300_000) }), 413, "invalid_request", "262144")
      assert.deepStrictEqual(asked, [])
      assert.strictEqual((yield* server.suites).pagination.total, 0)
      assert.strictEqual(yield* server.balance, 100)
    })
  )

  it.scopedLive("for an unknown agent answers 404, for another workspace's too", () =>
    Effect.gen(function* () {
      const server = yield* startSuites({ generations: 1 })
      const unknown = yield* server.generate({ agent_id: "agent_none" })
      refused(unknown, 404, "not_found", "agent")
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      const foreign = yield* server.call(path, { json: { agent_id: server.agent_id }, headers })
      assert.deepStrictEqual([foreign.status, foreign.text], [404, unknown.text])
      assert.strictEqual((yield* server.generate()).status, 200, "a refusal uses up no generation")
    })
  )

  it.scopedLive("without the scope answers 403 that names it, without a credential 401", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const key = yield* server.keyWith(allScopes.filter((scope) => scope !== "sessions:write"))
      const headers = { "x-api-key": key }
      refused(
        yield* server.call(path, { json: { agent_id: server.agent_id }, headers }),
        403,
        "forbidden",
        "sessions:write"
      )
      refused(yield* server.raw(`/v0${path}`, { method: "POST" }), 401, "unauthorized")
    })
  )

  it.scopedLive("for want of credits answers 402, and no credits move", () =>
    Effect.gen(function* () {
      const { asked, layer } = recording()
      const server = yield* startSuites({ generator: layer })
      yield* server.credits.topUp(server.workspace.id, -97, null)
      const reply = yield* server.generate({ count: 4 })
      refused(reply, 402, "insufficient_credits", "4 needed, 3 available")
      assert.strictEqual(yield* server.balance, 3)
      assert.deepStrictEqual(asked, [])
      assert.strictEqual((yield* server.generate({ count: 3 })).status, 200)
      refused(yield* server.generate({ count: 1 }), 402, "insufficient_credits")
    })
  )

  it.scopedLive("for being one too many answers 429 with Retry-After, each workspace for itself", () =>
    Effect.gen(function* () {
      const { asked, layer } = recording()
      const server = yield* startSuites({ generator: layer, generations: 2 })
      yield* server.generate({ count: 1 })
      yield* server.generate({ count: 1 })
      const before = yield* server.balance
      const reply = yield* server.generate({ count: 1 })
      refused(reply, 429, "too_many_requests", "rate-limited")
      const seconds = reply.headers["retry-after"]!
      assert.match(seconds, /^[1-9]\d*$/)
      assert.isAtMost(Number(seconds), 30)
      assert.include(reply.json.error.message, `${seconds} seconds`)
      assert.strictEqual(asked.length, 2)
      assert.strictEqual(yield* server.balance, before)
      const other = yield* server.workspaces.create({ name: "Other" })
      yield* server.credits.topUp(other.id, 10, null)
      const headers = { "x-api-key": yield* server.keyWith(allScopes, other.id) }
      const theirs = (yield* server.call("/agents", { json: { name: "B", prompt: "" }, headers })).json.id
      const free = yield* server.call(path, { json: { agent_id: theirs, count: 1 }, headers })
      assert.strictEqual(free.status, 200, free.text)
    })
  )

  it.scopedLive(
    "by the model answers each condition with its code, charges nothing and stores nothing",
    () => {
      const log = captured()
      return Effect.gen(function* () {
        for (const [failure, status, code, message, retryAfter] of conditions) {
          const server = yield* startSuites({ generator: generating(() => Effect.fail(failure)) })
          const reply = yield* server.generate({ hint: "a hint that is not logged" })
          refused(reply, status, code)
          assert.deepStrictEqual(reply.json, { error: { code, message } })
          if (retryAfter === null) assert.isUndefined(reply.headers["retry-after"])
          else assert.match(reply.headers["retry-after"]!, retryAfter)
          assert.strictEqual(yield* server.balance, 100)
          assert.deepStrictEqual(yield* server.held, Option.none())
          assert.strictEqual((yield* server.suites).pagination.total, 0)
          const moved = (yield* server.call("/credits/ledger")).json.data
          assert.deepStrictEqual(
            moved.slice(0, 2).map(({ amount, kind }: { kind: string; amount: number }) => [kind, amount]),
            [
              ["release", 5],
              ["hold", -5]
            ]
          )
        }
        const told = log.lines.map((line) => JSON.parse(line).annotations)
        assert.deepStrictEqual(
          told.map(({ failure, reason }) => [failure, reason]),
          ["ModelUnusable", "ModelUnavailable", "ModelTimedOut"].map((failure) => [failure, "planted"])
        )
        for (const { request_id, workspace_id } of told) {
          assert.isString(request_id)
          assert.match(workspace_id, /^ws_/)
        }
        assert.notInclude(log.lines.join(), "a hint")
      }).pipe(Effect.provide(log.layer))
    }
  )
})

describe("generations at the same time", () => {
  const racing = (repository: object) =>
    Effect.gen(function* () {
      const server = yield* startSuites(repository)
      yield* server.credits.topUp(server.workspace.id, 100, null)
      const replies = yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => server.generate({ count: 2, name: "Race" }),
        { concurrency: "unbounded" }
      )
      for (const reply of replies) assert.strictEqual(reply.status, 200, reply.text)
      const names = new Set<string>(replies.map(({ json }) => json.name))
      assert.strictEqual(names.size, 50)
      assert.isTrue(names.has("Race"))
      for (let n = 2; n <= 50; n++) assert.isTrue(names.has(`Race (${n})`), `Race (${n})`)
      assert.strictEqual((yield* server.suites).pagination.total, 50)
      assert.strictEqual(yield* server.balance, 100)
      assert.deepStrictEqual(yield* server.held, Option.none())
    })

  it.scopedLive("that want one name get 50 different ones", () => racing({}))

  it.scopedLive("that want one name get 50 different ones on a database file too", () =>
    racing({ repository: Layer.orDie(onFreshFile) })
  )

  it.scopedLive("get no more than the credits there are: the others are 402", () =>
    Effect.gen(function* () {
      const server = yield* startSuites()
      const replies = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => server.generate({ count: 10 }),
        { concurrency: "unbounded" }
      )
      const count = (wanted: number) => replies.filter(({ status }) => status === wanted).length
      assert.strictEqual(count(200) + count(402), 20)
      assert.strictEqual(yield* server.balance, 100 - 10 * count(200))
      assert.isAtLeast(yield* server.balance, 0)
    })
  )
})

describe("a generation that takes long", () => {
  it.scopedLive("is answered, however long after a request has to have arrived", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const proceed = yield* Deferred.make<void>()
      const slow = generating(() =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.zipRight(Deferred.await(proceed)),
          Effect.as({ scenarios: [scenario("A")], usage: none })
        )
      )
      const server = yield* startSuites({
        generator: slow,
        requestTimeout: "200 millis",
        stallTimeout: "200 millis"
      })
      const inHand = yield* Effect.fork(server.generate())
      yield* Deferred.await(begun)
      const late = yield* exchange(server.port, "POST /v0/calls HTTP/1.1\r\nhost: x\r\n")
      assert.match(late, /^HTTP\/1\.1 408 /)
      yield* Deferred.succeed(proceed, undefined)
      const reply = yield* Fiber.join(inHand)
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.json.scenarios.length, 1)
    })
  )

  it.scopedLive("ends when its client goes away, and what it held is released", () => {
    const log = captured()
    return Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const endless = generating(() =>
        Deferred.succeed(begun, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
        )
      )
      const server = yield* startSuites({ generator: endless, logRequests: true })
      const lines = log.lines.length
      const body = JSON.stringify({ agent_id: server.agent_id })
      const request = http.request({
        port: server.port,
        path: `/v0${path}`,
        method: "POST",
        headers: { "x-api-key": server.key, "content-type": "application/json" }
      })
      request.on("error", () => {})
      request.end(body)
      yield* Deferred.await(begun)
      assert.strictEqual(yield* server.balance, 95)
      assert.isTrue(Option.isSome(yield* server.held))
      request.destroy()
      yield* Deferred.await(interrupted)
      yield* log.awaitLines(lines + 1)
      assert.strictEqual(JSON.parse(log.lines[lines]!).annotations.status, 499)
      assert.strictEqual(yield* server.balance, 100)
      assert.deepStrictEqual(yield* server.held, Option.none())
      assert.strictEqual((yield* server.suites).pagination.total, 0)
      assert.notInclude(log.lines.join(), "ERROR")
    }).pipe(Effect.provide(log.layer))
  })
})
