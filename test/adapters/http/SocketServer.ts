import { Context, Deferred, Effect, Layer, Queue } from "effect"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { WebSocket } from "ws"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import { Upgrades } from "../../../adapters/http/server/Upgrades.ts"
import * as WebSockets from "../../../adapters/http/server/WebSockets.ts"
import { type LiveSocket, LiveSockets, refused } from "../../../adapters/shared/LiveSockets.ts"
import { OpenSockets } from "../../../adapters/shared/OpenSockets.ts"

export interface Setup extends WebSockets.Options {
  readonly limit?: number
  readonly run?: (socket: LiveSocket) => Effect.Effect<void>
}

/** Completes with the code that a socket was closed with. */
export const closing = (socket: LiveSocket) =>
  Effect.async<number>((resume) => socket.onClosed((code) => resume(Effect.succeed(code))))

/** Completes when the server is about to stop. */
export const leaving = (socket: LiveSocket) =>
  Effect.async<void>((resume) => socket.onLeaving(() => resume(Effect.void)))

const echo = (socket: LiveSocket) =>
  Effect.suspend(() => {
    socket.listen((text) => socket.send(`you said ${text}`))
    return Effect.asVoid(closing(socket))
  })

/** A server that takes sockets at /talk, refuses those at /forged, and answers other requests with their bodies. */
export const serve = Effect.fnUntraced(function* ({ limit = 10, run = echo, ...options }: Setup = {}) {
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
export const connect = Effect.fnUntraced(function* (
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
