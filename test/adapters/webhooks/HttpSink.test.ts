import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue, TestClock } from "effect"
import { Webhook } from "standardwebhooks"
import * as HttpSink from "../../../adapters/webhooks/HttpSink.ts"
import { version } from "../../../core/model/Version.ts"
import { WebhookSink } from "../../../core/ports/WebhookSink.ts"
import { type Answer, asText, listen } from "../../Listener.ts"

const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_Kl9MmYBSTKiKL1yBKJfO5xxlCHkXqYWh"]
const body = '{"event_type":"call_completed"}'
const layer = HttpSink.layer({ allowPrivate: true })

const deliver = (port: number, path = "/hook", webhook_id = "whk_1") =>
  Effect.flatMap(WebhookSink, (sink) =>
    sink.deliver({ id: "evt_1", webhook_id, url: `http://127.0.0.1:${port}${path}`, secrets, body })
  )

const deliverTo = (answer: Answer) =>
  listen(asText, answer).pipe(
    Effect.flatMap(({ port }) => deliver(port)),
    Effect.provide(layer)
  )

const failed = (error: string) => ({ _tag: "Failed", status: null, error, retry_after: null }) as const

describe("HttpSink", () => {
  it.scopedLive("posts the body with the headers of a signed webhook to the whole path", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      assert.strictEqual((yield* deliver(server.port, "/a/b?c=d#e"))._tag, "Acknowledged")
      const { request, body: sent } = yield* Queue.take(server.received)
      assert.strictEqual(request.method, "POST")
      assert.strictEqual(request.url, "/a/b?c=d")
      assert.strictEqual(request.headers.host, `127.0.0.1:${server.port}`)
      assert.strictEqual(request.headers["content-type"], "application/json")
      assert.strictEqual(request.headers["content-length"], String(body.length))
      assert.strictEqual(request.headers["user-agent"], `Outdial/${version}`)
      for (const secret of secrets) {
        new Webhook(secret).verify(sent, request.headers as Record<string, string>)
      }
    }).pipe(Effect.provide(layer))
  )

  it.scoped("the time that is signed is the clock's", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      yield* TestClock.setTime(1_790_000_000_999)
      yield* deliver(server.port)
      const { request } = yield* Queue.take(server.received)
      assert.strictEqual(request.headers["webhook-timestamp"], "1790000000")
    }).pipe(Effect.provide(layer))
  )

  it.scoped("a redirect is a failure and is not followed", () =>
    Effect.gen(function* () {
      const canary = yield* listen(asText, ({ response }) => response.end())
      for (const status of [301, 302, 303, 307, 308]) {
        const result = yield* deliverTo(({ response }) =>
          response.writeHead(status, { location: `http://127.0.0.1:${canary.port}/` }).end()
        )
        assert.deepStrictEqual(result, { ...failed(`http ${status}`), status })
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scoped("heeds Retry-After, in seconds or as a date, of 429 and 503 alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 9, 21, 7, 28, 0))
      const ask = (status: number, retryAfter: string) =>
        deliverTo(({ response }) => response.writeHead(status, { "retry-after": retryAfter }).end())
      const waitOf = (status: number, retryAfter: string) =>
        Effect.map(ask(status, retryAfter), (result) => result._tag === "Failed" && result.retry_after)
      assert.strictEqual(yield* waitOf(429, "120"), 120_000)
      assert.strictEqual(yield* waitOf(429, "Wed, 21 Oct 2026 07:30:00 GMT"), 120_000)
      assert.strictEqual(yield* waitOf(503, "99999999"), 24 * 60 * 60 * 1_000)
      assert.isNull(yield* waitOf(503, "soon"))
      assert.isNull(yield* waitOf(500, "120"))
      assert.isNull(yield* waitOf(301, "120"))
    })
  )

  it.scoped("a receiver that never answers is given up after 15 seconds, and its connection ended", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const server = yield* listen(asText, ({ response }) =>
        response.on("close", () => Deferred.unsafeDone(ended, Effect.void))
      )
      const delivery = yield* Effect.fork(deliver(server.port))
      yield* Queue.take(server.received)
      yield* TestClock.adjust("14999 millis")
      assert.isNull(delivery.unsafePoll())
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(delivery), failed("timeout"))
      yield* Deferred.await(ended)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("half an answer that hangs is given up after 15 seconds", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) =>
        response.writeHead(200, { "content-length": "100" }).write("half")
      )
      const delivery = yield* Effect.fork(deliver(server.port))
      yield* Queue.take(server.received)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* Fiber.join(delivery), failed("timeout"))
    }).pipe(Effect.provide(layer))
  )

  it.scoped("an answer that drips does not prolong the 15 seconds", () =>
    Effect.gen(function* () {
      const dripped = yield* Deferred.make<void>()
      const server = yield* listen(asText, ({ response }) => {
        let drops = 0
        const drip = setInterval(() => {
          response.write(".")
          if (++drops === 10) Deferred.unsafeDone(dripped, Effect.void)
        }, 2)
        response.on("close", () => clearInterval(drip))
      })
      const delivery = yield* Effect.fork(deliver(server.port))
      yield* Deferred.await(dripped)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(yield* Fiber.join(delivery), failed("timeout"))
    }).pipe(Effect.provide(layer))
  )

  it.scoped("an answer larger than 64 KiB counts by its status and is not read on", () =>
    Effect.gen(function* () {
      const chunk = Buffer.alloc(64 * 1_024, "x")
      const endless: Answer = ({ response }) => {
        const more = () => {
          while (response.writable && response.write(chunk));
        }
        response.on("drain", more)
        more()
      }
      assert.deepStrictEqual(yield* deliverTo(endless), { _tag: "Acknowledged", status: 200 })
      const tenMegabytes = Buffer.alloc(10 * 1_024 * 1_024, "x")
      assert.deepStrictEqual(yield* deliverTo(({ response }) => response.writeHead(500).end(tenMegabytes)), {
        ...failed("http 500"),
        status: 500
      })
    })
  )

  it.scoped("a connection reset, at once or half way, is a failure", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* deliverTo(({ request }) => request.socket.resetAndDestroy()),
        failed("connection reset")
      )
      assert.deepStrictEqual(
        yield* deliverTo(({ request, response }) => {
          response.writeHead(200, { "content-length": "100" })
          response.write("half", () => request.socket.destroy())
        }),
        failed("connection reset")
      )
      const upgraded = yield* deliverTo(({ request }) =>
        request.socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n")
      )
      assert.strictEqual(upgraded._tag, "Failed")
    })
  )

  it.scoped("what is not HTTP, or headers without end, is an invalid response", () =>
    Effect.gen(function* () {
      const garbage = yield* deliverTo(({ request }) => request.socket.end("220 mail.example ESMTP\r\n\r\n"))
      assert.deepStrictEqual(garbage, failed("invalid response"))
      const bomb = yield* deliverTo(({ request }) =>
        request.socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(1 << 20)}\r\n\r\n`)
      )
      assert.deepStrictEqual(bomb, failed("invalid response"))
    })
  )

  it.scoped("a port without a listener is a connection refused", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(listen(asText, () => {}))
      assert.deepStrictEqual(yield* deliver(port), failed("connection refused"))
    }).pipe(Effect.provide(layer))
  )

  it.scoped("a message that cannot be written is a failure, not a defect", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      const sink = yield* WebhookSink
      const url = `http://127.0.0.1:${server.port}/`
      const result = yield* sink.deliver({
        id: "evt\r\nx-injected: 1",
        webhook_id: "whk_1",
        url,
        secrets,
        body
      })
      assert.deepStrictEqual(result, failed("invalid request"))
      assert.strictEqual(yield* Queue.size(server.received), 0)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("connections are kept and used again", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      yield* Effect.replicateEffect(deliver(server.port), 50)
      assert.strictEqual(server.connections(), 1)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("connections to one endpoint are bounded", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ response }) => response.end())
      yield* Effect.all(
        Array.from({ length: 100 }, () => deliver(server.port)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(server.connections(), 4)
      assert.strictEqual(yield* Queue.size(server.received), 100)
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true, maxSocketsPerEndpoint: 4 })))
  )

  it.scoped("endpoints that hang hold up no other endpoint at their address", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, ({ request, response }) => {
        if (request.url === "/well") response.end()
      })
      const hanging = ["whk_1", "whk_2", "whk_3", "whk_4", "whk_5"]
      yield* Effect.forEach(
        hanging.flatMap((id) => [id, id, id, id, id]),
        (id) => Effect.fork(deliver(server.port, "/hang", id)),
        { discard: true }
      )
      yield* Queue.takeN(server.received, 4 * hanging.length)
      assert.strictEqual((yield* deliver(server.port, "/well", "whk_6"))._tag, "Acknowledged")
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true, maxSocketsPerEndpoint: 4 })))
  )

  it.scoped("a kept connection that the receiver closed meanwhile costs no try", () =>
    Effect.gen(function* () {
      const used = new WeakSet<object>()
      const server = yield* listen(asText, ({ request, response }) => {
        if (used.has(request.socket)) return request.socket.destroy()
        used.add(request.socket)
        return response.end()
      })
      for (const _ of [1, 2, 3]) {
        assert.strictEqual((yield* deliver(server.port))._tag, "Acknowledged")
      }
    }).pipe(Effect.provide(layer))
  )

  it.scopedLive("the time allowed can be set", () =>
    Effect.gen(function* () {
      const server = yield* listen(asText, () => {})
      assert.deepStrictEqual(yield* deliver(server.port), failed("timeout"))
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true, timeout: "50 millis" })))
  )
})
