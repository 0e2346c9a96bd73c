import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Queue, Scope } from "effect"
import { mostFrameBytes } from "../../../adapters/http/server/WebSockets.ts"
import type { LiveSocket } from "../../../adapters/shared/LiveSockets.ts"
import { bodyOf, exchange, send } from "./Harness.ts"
import { closing, connect, leaving, serve } from "./SocketServer.ts"

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
      socket.send("x".repeat(mostFrameBytes))
      assert.strictEqual((yield* next).length, mostFrameBytes + "you said ".length)
      socket.send("x".repeat(mostFrameBytes + 1))
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
          Effect.flatMap(closing(socket), (code) => Deferred.succeed(told, code))
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
        Effect.raceFirst(
          Effect.async<void>((resume) => socket.listen(() => resume(Effect.void))),
          Effect.flatMap(closing(socket), (code) => codes.offer(code))
        ).pipe(Effect.asVoid)
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
        Effect.zipRight(leaving(socket), Deferred.succeed(left, undefined)).pipe(Effect.asVoid)
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
