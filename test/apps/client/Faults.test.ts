import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { ClientOptions, OutdialClient } from "../../../apps/client/main.ts"
import { aborter, ask, clientOf, failureOf, type Fate, startClient, wayTo } from "./Rig.ts"
import { timers } from "./Timers.ts"

/** A server, and clients whose requests meet fates on their way to it. */
const startFaulty = Effect.gen(function* () {
  const server = yield* startClient()
  const through = Effect.fnUntraced(function* (
    fates: ReadonlyArray<Fate>,
    options: Partial<ClientOptions> = {}
  ) {
    const way = yield* wayTo(server.port, fates)
    return { way, faulty: clientOf(way.port, server.key, options) }
  })
  return { ...server, through }
})

const through = Effect.fnUntraced(function* (
  fates: ReadonlyArray<Fate>,
  options: Partial<ClientOptions> = {}
) {
  const server = yield* startFaulty
  return { ...server, ...(yield* server.through(fates, options)) }
})

const unavailable = { status: 503, headers: { "retry-after": "0" } }
const limited = { status: 429, headers: { "retry-after": "0" } }
const lost: ReadonlyArray<Fate> = ["lose", "lose_answer", unavailable, { status: 502 }, { status: 504 }]

const named = (fate: Fate) => (typeof fate === "string" ? fate.replace("_", " ") : String(fate.status))

const keysOf = (requests: ReadonlyArray<{ readonly body: string }>) =>
  requests.map(({ body }) => (JSON.parse(body) as { idempotency_key?: string }).idempotency_key)

describe("what is sent again", () => {
  it.scopedLive("a GET, whatever became of it", () =>
    Effect.gen(function* () {
      const server = yield* startFaulty
      for (const fate of [...lost, limited]) {
        const { faulty, way } = yield* server.through([fate, fate, fate])
        assert.strictEqual((yield* ask(() => faulty.credits.balance())).balance, 100, named(fate))
        assert.lengthOf(way.requests, 4)
      }
    })
  )

  it.scopedLive("a call, whatever became of it, under one key, so that there is one call", () =>
    Effect.gen(function* () {
      const { body, countCalls, outdial, through } = yield* startFaulty
      let calls = 0
      for (const fate of [...lost, limited]) {
        const { faulty, way } = yield* through([fate, fate])
        const call = yield* ask(() => faulty.calls.place(body))
        assert.deepStrictEqual(yield* ask(() => outdial.calls.get(call.call_id)), call, named(fate))
        assert.strictEqual(yield* countCalls, ++calls)
        const keys = keysOf(way.requests.filter(({ method }) => method === "POST"))
        assert.lengthOf(keys, 3)
        assert.lengthOf(new Set(keys), 1)
        assert.match(keys[0]!, /^[0-9a-f]{32}$/)
      }
    })
  )

  it.scopedLive("a call with a key of one's own, and a lost answer's call is read", () =>
    Effect.gen(function* () {
      const { body, countCalls, faulty, way } = yield* through(["lose_answer"])
      const call = yield* ask(() => faulty.calls.place({ ...body, idempotency_key: "order-1" }))
      assert.deepStrictEqual(
        way.requests.map(({ method, path }) => `${method} ${path}`),
        ["POST /v0/calls", "POST /v0/calls", `GET /v0/calls/${call.call_id}`]
      )
      assert.deepStrictEqual(keysOf(way.requests.slice(0, 2)), ["order-1", "order-1"])
      assert.strictEqual(yield* countCalls, 1)
    })
  )

  it.scopedLive("a call whose key may not read it: the conflict names it", () =>
    Effect.gen(function* () {
      const { body, keyWith, repository, way, workspace } = yield* through(["lose_answer"])
      const writer = clientOf(way.port, yield* keyWith(["sessions:write"]))
      const error = yield* failureOf(() => writer.calls.place(body))
      const { data } = yield* repository.calls.list(workspace.id, {}, { limit: 2, offset: 0 })
      assert.deepStrictEqual([error.status, error.details], [409, { call_id: data[0]!.call_id }])
    })
  )

  it.scopedLive("a removal, of which a lost answer's comes to an answer", () =>
    Effect.gen(function* () {
      const { faulty, outdial } = yield* through(["lose_answer"])
      const { id } = yield* ask(() => outdial.webhooks.create({ url: "https://example.com/hooks" }))
      assert.deepStrictEqual(yield* ask(() => faulty.webhooks.remove(id)), { id, deleted: true })
      const error = yield* failureOf(() => outdial.webhooks.remove(id))
      assert.strictEqual(error.status, 404)
    })
  )

  it.scopedLive("numbers for the do-not-call list, and a file of them", () =>
    Effect.gen(function* () {
      const { faulty, outdial, way } = yield* through(["lose_answer", "pass", "lose_answer"])
      yield* ask(() => faulty.doNotCall.add({ phone_numbers: ["+14155550123"] }))
      yield* ask(() => faulty.doNotCall.import({ name: "list.csv", data: "phone\n+14155550124\n" }))
      assert.lengthOf(way.requests, 4)
      assert.strictEqual((yield* ask(() => outdial.doNotCall.list())).pagination.total, 2)
    })
  )
})

describe("what is not sent again", () => {
  const posts: Readonly<Record<string, (client: OutdialClient, agent_id: string) => () => Promise<unknown>>> =
    {
      "a call without a key, where the client makes none": (client, agent_id) => () =>
        client.calls.place({ agent_id, to_number: "+14155550123" }),
      "a new campaign": (client, agent_id) => () => client.campaigns.create({ name: "March", agent_id }),
      "a change": (client, agent_id) => () => client.agents.update(agent_id, { first_message: "Hello." })
    }

  for (const [what, send] of Object.entries(posts)) {
    it.scopedLive(`${what}, unless the server said 429`, () =>
      Effect.gen(function* () {
        const { agent, through } = yield* startFaulty
        for (const fate of lost) {
          const { faulty, way } = yield* through([fate], { idempotencyKeys: false })
          const error = yield* failureOf(send(faulty, agent.id))
          assert.strictEqual(error.status, typeof fate === "string" ? null : fate.status, named(fate))
          if (typeof fate === "string") assert.strictEqual(error.code, "network_error")
          assert.lengthOf(way.requests, 1)
        }
        const { faulty, way } = yield* through([limited, limited], { idempotencyKeys: false })
        yield* ask(send(faulty, agent.id))
        assert.lengthOf(way.requests, 3)
      })
    )
  }

  it.scopedLive("anything that is answered, and what the last allowed try fails of is told", () =>
    Effect.gen(function* () {
      const { faulty, way } = yield* through([{ status: 500 }, unavailable, unavailable, unavailable])
      const broken = yield* failureOf(() => faulty.credits.balance())
      assert.deepStrictEqual([broken.status, broken.code], [500, "internal_error"])
      assert.lengthOf(way.requests, 1)
      const last = yield* failureOf(() => faulty.credits.balance({ retries: 2 }))
      assert.deepStrictEqual([last.status, last.code, last.retryAfter], [503, "service_unavailable", 0])
      assert.lengthOf(way.requests, 4)
    })
  )

  it.scopedLive("what a redirect would send the key elsewhere with", () =>
    Effect.gen(function* () {
      const elsewhere = yield* wayTo(0, [])
      const location = `http://127.0.0.1:${elsewhere.port}/v0/credits`
      for (const status of [301, 302, 307, 308]) {
        const { faulty, way } = yield* through([{ status, headers: { location } }])
        const error = yield* failureOf(() => faulty.credits.balance())
        assert.deepStrictEqual([error.code, error.status], ["invalid_answer", status])
        assert.lengthOf(way.requests, 1)
      }
      assert.lengthOf(elsewhere.requests, 0)
    })
  )

  it.scopedLive("an answer that is not the interface's", () =>
    Effect.gen(function* () {
      const { faulty } = yield* through([{ status: 200, body: "<html>Sign in</html>" }])
      const error = yield* failureOf(() => faulty.credits.balance())
      assert.deepStrictEqual([error.code, error.status], ["invalid_answer", 200])
    })
  )
})

describe("waiting", () => {
  it.scopedLive("is for Retry-After, then the request is sent again", () =>
    Effect.gen(function* () {
      const { faulty, way } = yield* through([{ status: 429, headers: { "retry-after": "7" } }])
      const { next } = yield* timers
      const asked = yield* Effect.fork(ask(() => faulty.credits.balance()))
      assert.strictEqual((yield* next).millis, 30_000)
      const wait = yield* next
      assert.strictEqual(wait.millis, 7_000)
      assert.lengthOf(way.requests, 1)
      wait.fire()
      assert.strictEqual((yield* Fiber.join(asked)).balance, 100)
      assert.lengthOf(way.requests, 2)
    })
  )

  it.scopedLive("doubles, by chance between half and all of it", () =>
    Effect.gen(function* () {
      const { faulty } = yield* through(["lose", "lose", "lose"], { retry: { minDelayMs: 400 } })
      const { next } = yield* timers
      const asked = yield* Effect.fork(ask(() => faulty.credits.balance()))
      for (const full of [400, 800, 1_600]) {
        yield* next
        const wait = yield* next
        assert.isAtLeast(wait.millis, full / 2)
        assert.isAtMost(wait.millis, full)
        wait.fire()
      }
      yield* Fiber.join(asked)
    })
  )

  it.scopedLive("ends with the signal, whose reason is what is told", () =>
    Effect.gen(function* () {
      const { faulty, way } = yield* through([{ status: 429, headers: { "retry-after": "7" } }])
      const { next } = yield* timers
      const controller = aborter()
      const reason = new Error("no more")
      const failed = yield* Effect.fork(
        failureOf(() => faulty.credits.balance({ signal: controller.signal }))
      )
      yield* next
      yield* next
      controller.abort(reason)
      assert.strictEqual((yield* Fiber.join(failed)) as unknown, reason)
      assert.lengthOf(way.requests, 1)
    })
  )
})

describe("a request that is not answered", () => {
  it.scopedLive("times out, and a GET is sent again", () =>
    Effect.gen(function* () {
      const { faulty, way } = yield* through(["hang"])
      const { next } = yield* timers
      const asked = yield* Effect.fork(ask(() => faulty.credits.balance({ timeoutMs: 1_234 })))
      const deadline = yield* next
      assert.strictEqual(deadline.millis, 1_234)
      yield* Deferred.await(way.hanging)
      deadline.fire()
      const wait = yield* next
      wait.fire()
      assert.strictEqual((yield* Fiber.join(asked)).balance, 100)
      assert.lengthOf(way.requests, 2)
    })
  )

  it.scopedLive("is an error with the code timeout when it is not sent again", () =>
    Effect.gen(function* () {
      const { agent, faulty, way } = yield* through(["hang"], { timeoutMs: 2_345 })
      const { next } = yield* timers
      const failed = yield* Effect.fork(
        failureOf(() => faulty.campaigns.create({ name: "March", agent_id: agent.id }))
      )
      const deadline = yield* next
      assert.strictEqual(deadline.millis, 2_345)
      yield* Deferred.await(way.hanging)
      deadline.fire()
      const error = yield* Fiber.join(failed)
      assert.deepStrictEqual([error.code, error.status], ["timeout", null])
      assert.include(error.message, "2345 ms")
    })
  )

  it.scopedLive("has longer for files and for operations that wait for another service", () =>
    Effect.gen(function* () {
      const { agent, faulty } = yield* through([])
      const { next } = yield* timers
      yield* ask(() => faulty.doNotCall.import({ name: "list.csv", data: "phone\n+14155550124\n" }))
      assert.strictEqual((yield* next).millis, 600_000)
      yield* ask(() => faulty.agentTestSuites.generate({ agent_id: agent.id, count: 1 }))
      assert.strictEqual((yield* next).millis, 120_000)
    })
  )

  it.scopedLive("ends with the signal, before it is sent and after", () =>
    Effect.gen(function* () {
      const { faulty, way } = yield* through(["hang"])
      const reason = new Error("no more")
      const early = yield* failureOf(() => faulty.credits.balance({ signal: AbortSignal.abort(reason) }))
      assert.strictEqual(early as unknown, reason)
      assert.lengthOf(way.requests, 0)
      const controller = aborter()
      const failed = yield* Effect.fork(
        failureOf(() => faulty.credits.balance({ signal: controller.signal }))
      )
      yield* Deferred.await(way.hanging)
      controller.abort(reason)
      assert.strictEqual((yield* Fiber.join(failed)) as unknown, reason)
      assert.lengthOf(way.requests, 1)
    })
  )

  it.scopedLive("ends with the signal while its answer is read as a stream", () =>
    Effect.gen(function* () {
      const { faulty } = yield* through(["begin"])
      const controller = aborter()
      const reason = new Error("no more")
      const stream = yield* ask(() =>
        faulty.recipients.resultsStream("camp_1", { signal: controller.signal })
      )
      const reader = stream.getReader()
      const { value } = yield* ask(() => reader.read())
      assert.strictEqual(new TextDecoder().decode(value), "recipient_id\r\n")
      const failed = yield* Effect.fork(failureOf(() => reader.read()))
      controller.abort(reason)
      assert.strictEqual((yield* Fiber.join(failed)) as unknown, reason)
    })
  )

  it.scopedLive("may have no deadline", () =>
    Effect.gen(function* () {
      const { faulty } = yield* through([])
      assert.strictEqual((yield* ask(() => faulty.credits.balance({ timeoutMs: Infinity }))).balance, 100)
    })
  )
})
