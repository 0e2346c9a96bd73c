import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Queue, Scope, Stream } from "effect"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { WebSocket } from "ws"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import { Upgrades } from "../../../adapters/http/server/Upgrades.ts"
import * as WebSockets from "../../../adapters/http/server/WebSockets.ts"
import { type LiveSocket, LiveSockets, refused } from "../../../adapters/shared/LiveSockets.ts"
import { OpenSockets } from "../../../adapters/shared/OpenSockets.ts"
import { bodyOf, exchange, send } from "./Harness.ts"

interface Setup extends WebSockets.Options {
  readonly limit?: number
  readonly run?: (socket: LiveSocket) => Effect.Effect<void>
}

const echo = (socket: LiveSocket) =>
  Stream.runForEach(socket.frames, (text) => Effect.sync(() => socket.send(`you said ${text}`)))

/** A server that takes sockets at /talk, refuses those at /forged, and answers other requests with their bodies. */
const serve = Effect.fnUntraced(function* ({ limit = 10, run = echo, ...options }: Setup = {}) {
  const context = yield* Layer.build(NodeServer.layer({ host: "127.0.0.1", port: 0, grace: "1 second" }))
  const http = Context.get(context, HttpServer.HttpServer)
  yield* http.serve(
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      return HttpServerResponse.text(`${request.method} ${yield* request.text}`)
    })
  )
  const adapters = Context.make(LiveSockets, {
    accept: ({ url }) =>
      Effect.succeed(
        url === "/talk"
          ? { _tag: "Accepted" as const, name: "a talk", run }
          : url === "/forged"
            ? refused(403, "the signature is not the carrier's")
            : refused(404, "there is nothing at this path")
      )
  })
  const places = yield* Layer.build(OpenSockets.layer(limit))
  const sockets = yield* Effect.provide(WebSockets.make(options), Context.merge(adapters, places))
  yield* Context.get(context, Upgrades).serve(sockets)
  const port = http.address._tag === "TcpAddress" ? http.address.port : 0
  return { port, places: Context.get(places, OpenSockets) }
})

/** A client's socket: what it was told, and how it ended. */
const connect = Effect.fnUntraced(function* (
  port: number,
  path = "/talk",
  options: { readonly autoPong?: boolean; readonly perMessageDeflate?: boolean } = {}
) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
  const texts = yield* Queue.unbounded<string>()
  const closed = yield* Deferred.make<number>()
  const opened = yield* Deferred.make<
    void,
    { readonly status: number; readonly retryAfter?: string | undefined }
  >()
  socket.on("open", () => Deferred.unsafeDone(opened, Effect.void))
  socket.on("unexpected-response", (_, { headers, statusCode = 0 }) => {
    Deferred.unsafeDone(opened, Effect.fail({ status: statusCode, retryAfter: headers["retry-after"] }))
  })
  socket.on("message", (data) => void Queue.unsafeOffer(texts, String(data)))
  socket.on("error", () => {})
  socket.on("close", (code) => Deferred.unsafeDone(closed, Effect.succeed(code)))
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.terminate()))
  yield* Deferred.await(opened)
  return { socket, closed: Deferred.await(closed), next: Queue.take(texts) }
})

const handshake = (path: string, headers = "") =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n${headers}\r\n`

describe("WebSockets on the server", () => {
  it.scopedLive("carry texts both ways, uncompressed", () =>
    Effect.gen(function* () {
      const { port } = yield* serve()
      const { next, socket } = yield* connect(port, "/talk", { perMessageDeflate: true })
      assert.strictEqual(socket.extensions, "")
      socket.send("one")
      assert.strictEqual(yield* next, "you said one")
    })
  )

  it.scopedLive("are refused with a status and an error's body before the upgrade", () =>
    Effect.gen(function* () {
      const { port } = yield* serve()
      for (const [path, status, code] of [
        ["/elsewhere", 404, "not_found"],
        ["/forged", 403, "forbidden"],
        ["/talk", 400, "invalid_request"]
      ] as const) {
        const reply = yield* exchange(port, handshake(path))
        assert.match(reply, new RegExp(`^HTTP/1\\.1 ${status} `))
        assert.strictEqual(bodyOf(reply).error.code, code)
        assert.match(reply, /\r\nx-request-id: /)
      }
    })
  )

  it.scopedLive("are refused with 503 when all places are taken, and taken again when one is free", () =>
    Effect.gen(function* () {
      const { places, port } = yield* serve({ limit: 1 })
      const { closed, socket } = yield* connect(port)
      assert.isFalse(yield* places.available)
      const refusal = yield* Effect.flip(connect(port))
      assert.deepStrictEqual(refusal, { status: 503, retryAfter: "5" })
      socket.close(1_000)
      yield* closed
      yield* places.awaitAvailable
      yield* connect(port)
    })
  )

  it.scopedLive("keep a place for a talk that is expected", () =>
    Effect.gen(function* () {
      const { places, port } = yield* serve({ limit: 1 })
      assert.isTrue(places.keep("a talk"))
      assert.isFalse(places.keep("another"))
      yield* connect(port)
      assert.isFalse(yield* places.available)
    })
  )

  it.scopedLive("drop a peer that sends a frame of more than 64 KiB", () =>
    Effect.gen(function* () {
      const { port } = yield* serve()
      const { closed, next, socket } = yield* connect(port)
      socket.send("x".repeat(WebSockets.mostFrameBytes))
      assert.strictEqual((yield* next).length, WebSockets.mostFrameBytes + "you said ".length)
      socket.send("x".repeat(WebSockets.mostFrameBytes + 1))
      assert.strictEqual(yield* closed, 1_009)
    })
  )

  it.scopedLive("drop a peer that answers no ping", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ pingEvery: "50 millis" })
      const alive = yield* connect(port)
      const { closed } = yield* connect(port, "/talk", { autoPong: false })
      assert.strictEqual(yield* closed, 1_006)
      alive.socket.send("still here")
      assert.strictEqual(yield* alive.next, "you said still here")
    })
  )

  it.scopedLive("drop a peer that does not read", () =>
    Effect.gen(function* () {
      const told = yield* Deferred.make<number>()
      const text = "x".repeat(50_000)
      const flood = (socket: LiveSocket) =>
        Effect.raceFirst(
          Effect.forever(Effect.sync(() => socket.send(text)).pipe(Effect.zipRight(Effect.yieldNow()))),
          Effect.flatMap(socket.closed, (code) => Deferred.succeed(told, code))
        )
      const { port } = yield* serve({ run: flood })
      const { socket } = yield* connect(port)
      socket.pause()
      assert.strictEqual(yield* Deferred.await(told), 1_006)
    })
  )

  it.scopedLive("are closed when the talk is over, and end the talk when they are closed", () =>
    Effect.gen(function* () {
      const codes = yield* Queue.unbounded<number>()
      const short = (socket: LiveSocket) =>
        Effect.flatMap(Stream.runHead(socket.frames), (first) =>
          first._tag === "Some" ? Effect.void : Effect.flatMap(socket.closed, (code) => codes.offer(code))
        )
      const { port } = yield* serve({ run: short })
      const one = yield* connect(port)
      one.socket.send("enough")
      assert.strictEqual(yield* one.closed, 1_000)
      const two = yield* connect(port)
      two.socket.close(1_000)
      assert.strictEqual(yield* codes.take, 1_000)
      const three = yield* connect(port)
      three.socket.terminate()
      assert.strictEqual(yield* codes.take, 1_006)
    })
  )

  it.scopedLive("let talks leave when the server stops, and are dropped then", () =>
    Effect.gen(function* () {
      const left = yield* Deferred.make<void>()
      const patient = (socket: LiveSocket) =>
        Effect.zipRight(socket.leaving, Deferred.succeed(left, undefined)).pipe(Effect.asVoid)
      const stubborn = () => Effect.never
      for (const run of [patient, stubborn]) {
        const scope = yield* Scope.make()
        const { port } = yield* Scope.extend(serve({ run, grace: "50 millis" }), scope)
        const { closed } = yield* connect(port)
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual(yield* closed, 1_006)
      }
      yield* Deferred.await(left)
    })
  )

  it.scopedLive("leave requests for other protocols to HTTP, with their bodies", () =>
    Effect.gen(function* () {
      const { port } = yield* serve()
      const h2c = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQ" }
      assert.strictEqual((yield* send(port, "/", { headers: h2c })).text, "GET ")
      const body = "b".repeat(100_000)
      const posted = yield* send(port, "/", { method: "POST", headers: h2c, body })
      assert.strictEqual(posted.text, `POST ${body}`)
      const head =
        "POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: foo\r\ncontent-length: 4\r\n\r\n"
      const reply = yield* exchange(
        port,
        `${head}on`,
        "ce",
        "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
      )
      assert.match(reply, /POST once/)
      assert.match(reply, /GET $/)
    })
  )
})
