import { Context, Deferred, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as net from "node:net"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import { bodyOf, captured, exchange, minimal, send, start } from "./Harness.ts"

const latch = Deferred.make<void>()

/** Routes of every kind on a server of their own. */
const serve = Effect.fnUntraced(function* (
  routes: Layer.Layer<never, never, HttpLayerRouter.HttpRouter>,
  options: Partial<NodeServer.Options> = {}
) {
  const app = HttpLayerRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeServer.layer({ host: "127.0.0.1", port: 0, ...options }))
  )
  const { address } = Context.get(yield* Layer.build(app), HttpServer.HttpServer)
  return address._tag === "TcpAddress" ? address.port : 0
})

describe.concurrent("what node refuses by itself", () => {
  for (const [what, head, status] of [
    ["a request without a host", "GET /health/live HTTP/1.1\r\n\r\n", 400],
    ["an expectation that is not known", "GET / HTTP/1.1\r\nhost: x\r\nexpect: more\r\n\r\n", 417],
    ["what is not HTTP", "hello\r\n\r\n", 400]
  ] as const) {
    it.scopedLive(`has the body of an error and a request's id: ${what}`, () =>
      Effect.gen(function* () {
        const server = yield* start()
        const reply = yield* exchange(server.port, head)
        assert.isTrue(reply.startsWith(`HTTP/1.1 ${status} `), reply)
        assert.strictEqual(bodyOf(reply).error.code, "invalid_request")
        assert.match(reply, /\r\nx-request-id: \S+\r\n/i)
        assert.match(reply, /\r\ncache-control: no-store\r\n/i)
        assert.match(reply, /\r\nx-content-type-options: nosniff\r\n/i)
      })
    )
  }

  it.scopedLive("takes requests of HTTP/1.0, which have no host", () =>
    Effect.gen(function* () {
      const server = yield* start()
      assert.match(yield* exchange(server.port, "GET /health/live HTTP/1.0\r\n\r\n"), /^HTTP\/1\.1 200 /)
    })
  )

  it.scopedLive("closes connections on which nothing is ever sent", () =>
    Effect.gen(function* () {
      const server = yield* start({ requestTimeout: "100 millis" })
      assert.match(yield* exchange(server.port), /^HTTP\/1\.1 408 /)
    })
  )
})

describe.concurrent("a request's body", () => {
  it.scopedLive("above the limit is 413 by its declared length, and the connection closes", () =>
    Effect.gen(function* () {
      const server = yield* start({ maxBodyBytes: 1_024 })
      const head = `POST /v0/calls HTTP/1.1\r\nhost: x\r\nx-api-key: ${server.key}\r\n`
      const reply = yield* exchange(server.port, `${head}content-length: 999999999\r\n\r\n{`)
      assert.match(reply, /^HTTP\/1\.1 413 /)
      assert.match(reply, /\r\nconnection: close\r\n/i)
      assert.strictEqual(bodyOf(reply).error.code, "invalid_request")
      assert.include(bodyOf(reply).error.message, "1024 bytes")
    })
  )

  it.scopedLive("above the limit is 413 when sent in chunks, and is answered before it ends", () =>
    Effect.gen(function* () {
      const server = yield* start({ maxBodyBytes: 1_024 })
      const head = `POST /v0/calls HTTP/1.1\r\nhost: x\r\nx-api-key: ${server.key}\r\n`
      const chunk = `400\r\n${"x".repeat(1_024)}\r\n`
      const reply = yield* exchange(server.port, `${head}transfer-encoding: chunked\r\n\r\n`, chunk, chunk)
      assert.match(reply, /^HTTP\/1\.1 413 /)
    })
  )

  it.scopedLive("above the limit is answered even to a client that sends all of it first", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const whole = { ...minimal, metadata: { a: "x".repeat(2_000_000) } }
      const reply = yield* server.call("/calls", { json: whole })
      assert.strictEqual(reply.status, 413)
      assert.strictEqual(reply.json.error.code, "invalid_request")
      assert.strictEqual(yield* server.countCalls, 0)
    })
  )

  it.scopedLive("is asked for with 100 Continue only once a handler reads it", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const head = "POST /v0/calls HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\nconnection: close\r\n"
      const body = JSON.stringify(minimal)
      const refused = yield* exchange(server.port, `${head}content-length: ${body.length}\r\n\r\n`)
      assert.match(refused, /^HTTP\/1\.1 401 /)
      const key = `x-api-key: ${server.key}\r\n`
      const taken = yield* exchange(server.port, `${head}${key}content-length: ${body.length}\r\n\r\n${body}`)
      assert.match(taken, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
    })
  )

  it.scopedLive("that no handler reads does not spoil the connection for the next request", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const body = JSON.stringify(minimal)
      const request = (extra: string) =>
        `POST /v0/calls HTTP/1.1\r\nhost: x\r\n${extra}content-length: ${body.length}\r\n\r\n${body}`
      const key = `x-api-key: ${server.key}\r\n`
      const replies = yield* exchange(server.port, request(""), request(`${key}connection: close\r\n`))
      assert.deepStrictEqual(
        [...replies.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
        ["401", "200"]
      )
    })
  )

  it.scopedLive("can be read as text, JSON, form, bytes and stream", () =>
    Effect.gen(function* () {
      const echo = (
        path: `/${string}`,
        read: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<unknown, unknown>
      ) =>
        HttpLayerRouter.add("POST", path, (request) =>
          Effect.map(Effect.orDie(read(request)), (value) => HttpServerResponse.unsafeJson(value))
        )
      const port = yield* serve(
        Layer.mergeAll(
          echo("/text", (request) => Effect.all([request.text, request.text])),
          echo("/json", ({ json }) => json),
          echo("/form", ({ urlParamsBody }) => urlParamsBody),
          echo("/bytes", ({ arrayBuffer }) => Effect.map(arrayBuffer, (bytes) => [...new Uint8Array(bytes)])),
          echo("/stream", ({ stream }) =>
            Effect.map(Stream.runCollect(stream), (chunks) => Buffer.concat([...chunks]).toString())
          )
        )
      )
      const post = (path: string, body: string) => send(port, path, { method: "POST", body })
      assert.deepStrictEqual((yield* post("/text", "é")).json, ["é", "é"])
      assert.deepStrictEqual((yield* post("/json", '{"a":[1]}')).json, { a: [1] })
      assert.deepStrictEqual((yield* post("/form", "a=1&b=%20")).json, [
        ["a", "1"],
        ["b", " "]
      ])
      assert.deepStrictEqual((yield* post("/bytes", "AB")).json, [65, 66])
      assert.deepStrictEqual((yield* post("/stream", "x".repeat(200_000))).json, "x".repeat(200_000))
    })
  )
})

describe("an answer", () => {
  it.scopedLive(
    "may be empty, text, bytes, a form, a stream or a web body, and HEAD has its head alone",
    () =>
      Effect.gen(function* () {
        const form = new FormData()
        form.set("a", "1")
        const add = (path: `/${string}`, response: HttpServerResponse.HttpServerResponse) =>
          HttpLayerRouter.add("GET", path, response)
        const port = yield* serve(
          Layer.mergeAll(
            add("/empty", HttpServerResponse.empty()),
            add("/nothing", HttpServerResponse.empty({ status: 200 })),
            add("/text", HttpServerResponse.text("é")),
            add("/raw", HttpServerResponse.raw("é", { contentType: "text/plain" })),
            add("/web", HttpServerResponse.raw(new Blob(["blob"]))),
            add("/bytes", HttpServerResponse.uint8Array(new Uint8Array([1, 2]))),
            add("/form", HttpServerResponse.formData(form)),
            add("/cookie", HttpServerResponse.unsafeSetCookie(HttpServerResponse.text("x"), "c", "1")),
            add(
              "/stream",
              HttpServerResponse.stream(Stream.range(1, 50).pipe(Stream.map(() => new Uint8Array(10_000))), {
                contentType: "application/octet-stream"
              })
            )
          )
        )
        const get = (path: string) => send(port, path)
        const head = (path: string) => send(port, path, { method: "HEAD" })
        assert.strictEqual((yield* get("/empty")).status, 204)
        assert.strictEqual((yield* get("/nothing")).headers["content-length"], "0")
        for (const path of ["/text", "/raw"]) {
          const reply = yield* get(path)
          assert.strictEqual(reply.text, "é")
          assert.strictEqual(reply.headers["content-length"], "2")
          const headReply = yield* head(path)
          assert.strictEqual(headReply.text, "")
          assert.strictEqual(headReply.headers["content-length"], "2")
          assert.strictEqual(headReply.headers["content-type"], reply.headers["content-type"])
        }
        assert.strictEqual((yield* get("/web")).text, "blob")
        assert.deepStrictEqual([...(yield* get("/bytes")).bytes], [1, 2])
        assert.match((yield* get("/form")).headers["content-type"]!, /^multipart\/form-data; boundary=/)
        assert.deepStrictEqual((yield* get("/cookie")).headers["set-cookie"], ["c=1"])
        assert.strictEqual((yield* get("/stream")).bytes.length, 500_000)
        assert.strictEqual((yield* head("/stream")).bytes.length, 0)
      })
  )
})

describe("a stream that fails", () => {
  it.scopedLive("breaks the connection off, so that no client takes a part for the whole", () => {
    const log = captured()
    return Effect.gen(function* () {
      const body = Stream.concat(Stream.make(new Uint8Array(10)), Stream.fail("the source broke"))
      const port = yield* serve(HttpLayerRouter.add("GET", "/stream", HttpServerResponse.stream(body)))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(send(port, "/stream"))))
      assert.strictEqual((yield* send(port, "/nothing")).status, 404)
      assert.strictEqual(log.lines.length, 1)
      assert.include(log.lines[0]!, "the source broke")
    }).pipe(Effect.provide(log.layer))
  })
})

describe.concurrent("a client", () => {
  it.scopedLive("that is too slow is answered 408 with a coded body, and let go", () =>
    Effect.gen(function* () {
      const server = yield* start({ requestTimeout: "300 millis" })
      const key = `x-api-key: ${server.key}\r\n`
      const slowBody = yield* exchange(
        server.port,
        `POST /v0/calls HTTP/1.1\r\nhost: x\r\n${key}content-length: 100\r\n\r\n{`
      )
      assert.match(slowBody, /^HTTP\/1\.1 408 /)
      assert.strictEqual(bodyOf(slowBody).error.code, "invalid_request")
      const slowHead = yield* exchange(server.port, "POST /v0/calls HTTP/1.1\r\nhost: x\r\n")
      assert.match(slowHead, /^HTTP\/1\.1 408 /)
      assert.strictEqual(yield* server.countCalls, 0)
    })
  )

  it.scopedLive("that does not speak HTTP, or too much of it, gets a coded error", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const garbage = yield* exchange(server.port, "hello\r\n\r\n")
      assert.match(garbage, /^HTTP\/1\.1 400 /)
      assert.strictEqual(bodyOf(garbage).error.code, "invalid_request")
      const large = yield* exchange(
        server.port,
        `GET / HTTP/1.1\r\nhost: x\r\na: ${"x".repeat(40_000)}\r\n\r\n`
      )
      assert.match(large, /^HTTP\/1\.1 431 /)
      assert.match(large, /\r\nx-request-id: /)
    })
  )

  it.scopedLive("that goes away interrupts its request", () =>
    Effect.gen(function* () {
      const begun = yield* latch
      const interrupted = yield* latch
      const port = yield* serve(
        HttpLayerRouter.add(
          "GET",
          "/wait",
          Deferred.succeed(begun, undefined).pipe(
            Effect.zipRight(Effect.never),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
        )
      )
      const fiber = yield* Effect.fork(send(port, "/wait"))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(interrupted)
    })
  )
})

describe.concurrent("a server that closes", () => {
  const waiting = Effect.fnUntraced(function* (grace: NodeServer.Options["grace"]) {
    const begun = yield* latch
    const proceed = yield* latch
    const interrupted = yield* latch
    const scope = yield* Scope.make()
    const port = yield* serve(
      HttpLayerRouter.add(
        "GET",
        "/wait",
        Deferred.succeed(begun, undefined).pipe(
          Effect.zipRight(Deferred.await(proceed)),
          Effect.as(HttpServerResponse.text("done")),
          Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
        )
      ).pipe(
        Layer.merge(
          HttpLayerRouter.add(
            "GET",
            "/stuck",
            Effect.zipRight(Deferred.succeed(begun, undefined), Effect.uninterruptible(Effect.never))
          )
        )
      ),
      { grace }
    ).pipe(Scope.extend(scope))
    return { begun, proceed, interrupted, scope, port }
  })

  it.scopedLive("answers what is in hand with connection: close, and accepts nothing more", () =>
    Effect.gen(function* () {
      const { begun, port, proceed, scope } = yield* waiting("10 seconds")
      const idle = net.connect(port, "127.0.0.1")
      const idleClosed = yield* Effect.fork(
        Effect.async<void>((resume) => void idle.once("close", () => resume(Effect.void)))
      )
      const inHand = yield* Effect.fork(send(port, "/wait"))
      yield* Deferred.await(begun)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Fiber.join(idleClosed)
      const late = yield* Effect.exit(send(port, "/wait"))
      assert.isTrue(Exit.isFailure(late))
      yield* Deferred.succeed(proceed, undefined)
      const reply = yield* Fiber.join(inHand)
      assert.strictEqual(reply.text, "done")
      assert.strictEqual(reply.headers["connection"], "close")
      yield* Fiber.join(closing)
    })
  )

  it.scopedLive("breaks off what is still in hand when its grace is over", () =>
    Effect.gen(function* () {
      const { begun, interrupted, port, scope } = yield* waiting("100 millis")
      const inHand = yield* Effect.fork(Effect.exit(send(port, "/wait")))
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(inHand)))
      assert.isTrue(yield* Deferred.isDone(interrupted))
    })
  )

  it.scopedLive("is not held up by what cannot be broken off", () =>
    Effect.gen(function* () {
      const { begun, port, scope } = yield* waiting("100 millis")
      const inHand = yield* Effect.fork(Effect.exit(send(port, "/stuck")))
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(inHand)))
    })
  )

  it.scopedLive("fails to start on a port that is taken", () =>
    Effect.gen(function* () {
      const port = yield* serve(Layer.empty)
      const again = yield* Effect.exit(
        Effect.scoped(Layer.build(NodeServer.layer({ host: "127.0.0.1", port })))
      )
      assert.isTrue(Exit.isFailure(again))
    })
  )
})
