import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Layer, Queue, Ref, TestClock } from "effect"
import { Webhook } from "standardwebhooks"
import type { Resolver } from "../../../adapters/shared/AddressResolver.ts"
import * as SimulatedTools from "../../../adapters/simulated/SimulatedTools.ts"
import * as HttpTools from "../../../adapters/tools/HttpTools.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { ToolFailed, ToolRunner } from "../../../core/ports/ToolRunner.ts"
import { type Answer, asText, listen } from "../../Listener.ts"
import { forbiddenAddresses, forbiddenHosts } from "../shared/forbidden.ts"
import { requestTo, run, secret } from "./Rig.ts"

const layer = HttpTools.layer({ allowPrivate: true })

const answered = (answer: Answer, more?: Parameters<typeof run>[1]) =>
  listen(asText, answer).pipe(
    Effect.flatMap(({ url }) => run(`${url}/tool`, more)),
    Effect.provide(layer)
  )

const failing = (answer: Answer, more?: Parameters<typeof run>[1]) =>
  Effect.map(Effect.flip(answered(answer, more)), ({ message, reason }) => ({ reason, message }))

describe("A tool over HTTP", () => {
  it.scopedLive("is sent what the model wrote, signed, and answers its text", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end("It was shipped on Monday. ☎"))
      const metadata = RawJson(`{"n":1.0,"n":1e400}`)
      const given = RawJson(`{"order_number" : "AB-1234", "n": 10000000000000000001}`)
      const text = yield* run(`${server.url}/a/b?c=d`, { metadata, arguments: given })
      assert.strictEqual(text, "It was shipped on Monday. ☎")
      const { body, headers, method, request } = yield* Queue.take(server.received)
      assert.strictEqual(method, "POST")
      assert.strictEqual(request.url, "/a/b?c=d")
      assert.strictEqual(
        body,
        `{"tool":"order_status","arguments":${given},"call_id":"call_1","session_id":"sess_1","metadata":${metadata}}`
      )
      assert.strictEqual(headers["content-type"], "application/json")
      assert.strictEqual(headers["idempotency-key"], "tool_sess_1_1")
      assert.strictEqual(headers["webhook-id"], "tool_sess_1_1")
      new Webhook(secret).verify(body, headers as Record<string, string>)
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("is signed by both secrets while a rotation goes on", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end("done"))
      const fresh = "whsec_Kl9MmYBSTKiKL1yBKJfO5xxlCHkXqYWh"
      yield* run(server.url, { secrets: [fresh, secret] })
      const { body, headers } = yield* Queue.take(server.received)
      for (const each of [fresh, secret]) {
        new Webhook(each).verify(body, headers as Record<string, string>)
      }
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("has no call in a talk without one, and no signature without a secret", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.writeHead(204).end())
      assert.strictEqual(yield* run(server.url, { call_id: null, secrets: [] }), "")
      const { body, headers } = yield* Queue.take(server.received)
      assert.include(body, `"call_id":null,"session_id":"sess_1","metadata":null}`)
      assert.isUndefined(headers["webhook-signature"])
      assert.strictEqual(headers["idempotency-key"], "tool_sess_1_1")
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("is not sent arguments that are no JSON object", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      for (const text of ["", "{", "[1]", `"x"`, "null", `{"a":1}{"b":2}`, `{},"tool":"other"`]) {
        const failure = yield* Effect.flip(run(server.url, { arguments: RawJson(text) }))
        assert.deepStrictEqual(
          [failure.reason, failure.message],
          ["refused", "the arguments are no JSON object"]
        )
      }
      assert.strictEqual(server.connections(), 0)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("is given up after its own time, and its connection ended", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const server = yield* listen(asText, ({ response }) =>
        response.on("close", () => Deferred.unsafeDone(ended, Effect.void))
      )
      const use = yield* Effect.fork(Effect.flip(run(server.url, { tool: { timeout_seconds: 3 } })))
      yield* Queue.take(server.received)
      yield* TestClock.adjust("2999 millis")
      assert.isNull(use.unsafePoll())
      yield* TestClock.adjust("1 millis")
      const { message, reason } = yield* Fiber.join(use)
      assert.deepStrictEqual([reason, message], ["timeout", "the tool did not answer within 3 seconds"])
      yield* Deferred.await(ended)
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("fails by every status but 2xx, redirects included, which are not followed", () =>
    Effect.gen(function* () {
      const canary = yield* listen(asText, ({ response }) => response.end())
      for (const status of [301, 307, 400, 404, 429, 500, 503]) {
        const failure = yield* failing(({ response }) =>
          response.writeHead(status, { location: canary.url }).end("secret words")
        )
        assert.deepStrictEqual(failure, { reason: "status", message: `the tool answered http ${status}` })
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("answers 32 KiB, and not a byte more", () =>
    Effect.gen(function* () {
      const most = "x".repeat(32 * 1_024)
      assert.strictEqual(yield* answered(({ response }) => response.end(most)), most)
      const tooLong = { reason: "too_long", message: "the tool answered more than 32 KiB" }
      assert.deepStrictEqual(yield* failing(({ response }) => response.end(`${most}x`)), tooLong)
      const closed = yield* Deferred.make<void>()
      const twoMegabytes = Buffer.alloc(2 * 1_024 * 1_024, "x")
      const failure = yield* failing(({ response }) => {
        response.on("close", () => Deferred.unsafeDone(closed, Effect.void))
        response.end(twoMegabytes)
      })
      assert.deepStrictEqual(failure, tooLong)
      yield* Deferred.await(closed)
    })
  )

  it.scopedLive("answers what every store can hold", () =>
    Effect.gen(function* () {
      const bytes = Buffer.from([0x61, 0x00, 0xff, 0x62])
      assert.strictEqual(yield* answered(({ response }) => response.end(bytes)), "a\ufffdb")
    })
  )

  it.scopedLive("that drops the connection, at once or half way, is sent once and has failed", () =>
    Effect.gen(function* () {
      const broken = { reason: "unreachable", message: "the tool cannot be reached (connection reset)" }
      let arrivals = 0
      const at =
        (answer: Answer): Answer =>
        (arrived) => {
          arrivals += 1
          return answer(arrived)
        }
      assert.deepStrictEqual(yield* failing(at(({ request }) => request.socket.resetAndDestroy())), broken)
      assert.deepStrictEqual(
        yield* failing(
          at(({ request, response }) => {
            response.writeHead(200, { "content-length": "100" })
            response.write("half", () => request.socket.destroy())
          })
        ),
        broken
      )
      assert.strictEqual(arrivals, 2)
      const { url } = yield* Effect.scoped(listen(asText, () => {}))
      const refused = yield* Effect.flip(run(url)).pipe(Effect.provide(layer))
      assert.strictEqual(refused.message, "the tool cannot be reached (connection refused)")
    })
  )

  it.scopedLive("is sent twice only if it may be: over a kept connection that the tool has closed", () =>
    Effect.gen(function* () {
      const used = new WeakSet<object>()
      const server = yield* listen(asText, ({ request, response }) => {
        if (used.has(request.socket)) return request.socket.destroy()
        used.add(request.socket)
        return response.end("done")
      })
      for (const repeatable of [true, true, false, false, true]) {
        assert.strictEqual(yield* run(server.url, { tool: { repeatable } }), "done")
      }
      const sent = server.asked.length
      assert.isAtMost(sent, 7)
      assert.isAtLeast(sent, 6)
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("of one workspace holds up none of another at the same address", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ path, response }) => {
        if (path === "/well") response.end("well")
      })
      const tool = { repeatable: true }
      yield* Effect.replicateEffect(Effect.fork(run(`${server.url}/hang`, { tool })), 5)
      yield* Queue.takeN(server.received, 4)
      assert.strictEqual(yield* run(`${server.url}/well`, { tool, workspace_id: "ws_2" }), "well")
    }).pipe(Effect.provide(HttpTools.layer({ allowPrivate: true, maxSocketsPerEndpoint: 4 })))
  )
})

const answering =
  (...addresses: ReadonlyArray<string>): Resolver =>
  () =>
    Effect.succeed(addresses)

describe("A tool's address can not be made to reach what is not public", () => {
  it.scopedLive("by writing the address in another way, or by a name that resolves to it", () =>
    Effect.gen(function* () {
      const canary = yield* listen(asText, ({ response }) => response.end())
      for (const host of forbiddenHosts) {
        const { message, reason } = yield* Effect.flip(run(`http://${host}:${canary.port}/`)).pipe(
          Effect.provide(HttpTools.layer({ allowPrivate: false }))
        )
        assert.strictEqual(reason, "refused", host)
        assert.match(message, /^the tool cannot be called \(address refused: /)
      }
      for (const address of forbiddenAddresses) {
        const { reason } = yield* Effect.flip(run(`http://tools.example.com:${canary.port}/`)).pipe(
          Effect.provide(HttpTools.layer({ allowPrivate: false, resolver: answering(address) }))
        )
        assert.strictEqual(reason, "refused", address)
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("by a name that changes its address between the check and the connection", () =>
    Effect.gen(function* () {
      const canary = yield* listen(asText, ({ response }) => response.end())
      const lookups = yield* Ref.make(0)
      // Of the global unicast space, given back and routed nowhere (3ffe::/16, RFC 3701).
      const resolver: Resolver = () =>
        Effect.map(
          Ref.getAndUpdate(lookups, (n) => n + 1),
          (n) => [n === 0 ? "3ffe::1" : "127.0.0.1"]
        )
      yield* Effect.gen(function* () {
        const url = `http://tools.example.com:${canary.port}/`
        const tool = { timeout_seconds: 1 }
        assert.notStrictEqual((yield* Effect.flip(run(url, { tool }))).reason, "refused")
        assert.strictEqual(yield* Ref.get(lookups), 1)
        assert.strictEqual((yield* Effect.flip(run(url, { tool }))).reason, "refused")
      }).pipe(Effect.provide(HttpTools.layer({ allowPrivate: false, resolver, resolutionTtl: 0 })))
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.effect("and is refused before it is stored, with a reason that repeats nothing of it", () =>
    Effect.gen(function* () {
      const { vet } = yield* ToolRunner
      yield* vet("https://tools.example.com/a?b=c")
      for (const url of [
        "",
        "tools.example.com",
        "ftp://example.com/",
        "https://user:hunter2@example.com/"
      ].concat(["http://127.0.0.1/", "http://localhost/"])) {
        const { _tag, message, reason } = yield* Effect.flip(vet(url))
        assert.deepStrictEqual([_tag, reason], ["ToolFailed", "refused"])
        assert.notMatch(message, /hunter2|example/)
      }
    }).pipe(Effect.provide(HttpTools.layer({ allowPrivate: false })))
  )
})

const simulated: ReadonlyArray<readonly [string, Layer.Layer<ToolRunner>, string]> = [
  ["unless told otherwise", SimulatedTools.layer(), `{"ok":true}`],
  ["as told", SimulatedTools.layer(({ tool }) => Effect.succeed(tool.name)), "order_status"]
]

describe("A tool within the process", () => {
  for (const [how, layer, expected] of simulated) {
    it.effect(`answers ${how}, whatever its address`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* run("http://nowhere.example/"), expected)
        const { vet } = yield* ToolRunner
        yield* vet("http://127.0.0.1/")
        assert.strictEqual((yield* Effect.flip(vet("ftp://127.0.0.1/"))).reason, "refused")
      }).pipe(Effect.provide(layer))
    )
  }

  it.effect("fails as told", () =>
    Effect.gen(function* () {
      const tools = yield* ToolRunner
      const failure = yield* Effect.flip(tools.run(requestTo("http://nowhere.example/")))
      assert.strictEqual(failure.reason, "timeout")
    }).pipe(
      Effect.provide(
        SimulatedTools.layer(() => Effect.fail(new ToolFailed({ reason: "timeout", message: "too slow" })))
      )
    )
  )
})
