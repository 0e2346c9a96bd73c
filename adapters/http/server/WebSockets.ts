import { Cause, Context, Duration, Effect, Fiber, Layer, Metric, Runtime, type Scope } from "effect"
import { type IncomingMessage, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
import { Emitter } from "../../../core/engine/Emitter.ts"
import { LiveSockets, refused, type SocketAnswer } from "../../shared/LiveSockets.ts"
import { OpenSockets } from "../../shared/OpenSockets.ts"
import { within } from "../../shared/Within.ts"
import * as Coded from "../contract/Coded.ts"
import { bye, stand } from "./StandingSocket.ts"
import { Upgrades } from "./Upgrades.ts"

/** Bytes that a frame may have: a longer one closes the socket with 1009. Source: RFC 6455, 7.4.1. */
export const mostFrameBytes = 64 * 1_024

export interface Options {
  /** A peer that has not answered one ping by the next is dropped. Default 20 s. */
  readonly pingEvery?: Duration.DurationInput | undefined
  /** How long talks may take to leave when the server stops. Default 4 s. */
  readonly grace?: Duration.DurationInput | undefined
}

/** Takes a request for another protocol over from an HTTP server, as node's event `upgrade` tells of it. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

export interface WebSockets {
  readonly upgrade: Upgrade
  /** Takes no more sockets, lets each talk leave, and drops the sockets. */
  readonly leave: Effect.Effect<void>
}

type Refusal = Extract<SocketAnswer, { readonly _tag: "Refused" }>
type Run = Extract<SocketAnswer, { readonly _tag: "Accepted" }>["run"]

interface Open {
  /** Its peer has answered the last ping. */
  hasAnswered: boolean
  readonly leaving: Emitter<void>
}

const openSockets = Metric.gauge("outdial_open_sockets", { description: "WebSockets that are open" })

const codes = {
  400: "invalid_request",
  403: "forbidden",
  404: "not_found",
  503: "service_unavailable"
} as const

/** Answers a request that gets no socket, and closes its connection. */
const refuse = (socket: Duplex, { message, status }: Pick<Refusal, "status" | "message">): void => {
  if (!socket.writable) return void socket.destroy()
  const body = Coded.body(codes[status], message)
  socket.once("finish", () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\nx-request-id: ${crypto.randomUUID()}\r\n` +
      `${status === 503 ? "retry-after: 5\r\n" : ""}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

const full = { status: 503, message: "all sockets are taken: try again later" } as const
const stopping = { status: 503, message: "the server is stopping: try again" } as const
const unchecked = refused(503, "the request could not be checked: try again later")

/** WebSockets for the requests that `LiveSockets` accepts, whichever HTTP server received them. */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<WebSockets, never, LiveSockets | OpenSockets | Scope.Scope> {
  const { accept } = yield* LiveSockets
  const places = yield* OpenSockets
  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const grace = Duration.decode(options.grace ?? "4 seconds")
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: mostFrameBytes,
    perMessageDeflate: false
  })
  server.on("wsClientError", ({ message }, socket) => refuse(socket, { status: 400, message }))

  const sockets = new Map<WebSocket, Open>()
  const talks = new Set<Fiber.RuntimeFiber<void>>()
  let isLeaving = false

  const ping = () => {
    for (const [socket, open] of sockets) {
      if (!open.hasAnswered) {
        socket.terminate()
        continue
      }
      open.hasAnswered = false
      socket.ping()
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => setInterval(ping, Duration.toMillis(options.pingEvery ?? "20 seconds")).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )

  const begin = (socket: WebSocket, run: Run) => {
    const open: Open = { hasAnswered: true, leaving: new Emitter() }
    sockets.set(socket, open)
    openSockets.unsafeUpdate(sockets.size, [])
    socket.on("pong", () => void (open.hasAnswered = true))
    socket.on("close", () => {
      sockets.delete(socket)
      openSockets.unsafeUpdate(sockets.size, [])
      places.closed()
    })
    const live = stand(socket, open.leaving)
    const talk = Effect.suspend(() => run(live)).pipe(
      Effect.catchAllCause((cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logError("a talk over a WebSocket died", cause)
      ),
      // A carrier takes a socket that breaks for a talk that goes on elsewhere, and one that is closed for its end.
      Effect.ensuring(Effect.sync(() => (isLeaving ? socket.terminate() : bye(socket, 1_000))))
    )
    const fiber = runFork(talk)
    talks.add(fiber)
    fiber.addObserver(() => talks.delete(fiber))
  }

  const settle = (request: IncomingMessage, socket: Duplex, head: Buffer, answer: SocketAnswer) => {
    if (answer._tag === "Refused") return refuse(socket, answer)
    if (isLeaving) return refuse(socket, stopping)
    if (socket.destroyed) return
    if (!places.open(answer.name)) return refuse(socket, full)
    let hasBegun = false
    server.handleUpgrade(request, socket, head, (accepted) => {
      hasBegun = true
      begin(accepted, answer.run)
    })
    // What is no handshake was answered by then.
    if (!hasBegun) places.closed()
  }

  const upgrade: Upgrade = (request, socket, head) => {
    socket.on("error", () => socket.destroy())
    if (isLeaving) return refuse(socket, stopping)
    const { headers, url = "" } = request
    const decided = Effect.catchAllCause(accept({ url, headers }), (cause) =>
      Effect.as(Effect.logError("a request for a WebSocket could not be checked", cause), unchecked)
    )
    runFork(Effect.map(decided, (answer) => settle(request, socket, head, answer)))
  }

  const leave = yield* Effect.cached(
    Effect.gen(function* () {
      isLeaving = true
      for (const { leaving } of sockets.values()) leaving.tell()
      yield* within(
        grace,
        Effect.suspend(() => Fiber.awaitAll(talks))
      )
      yield* within("1 second", Fiber.interruptAll(talks))
      for (const socket of sockets.keys()) socket.terminate()
    })
  )
  yield* Effect.addFinalizer(() => leave)

  return { upgrade, leave }
})

/** WebSockets for a server that another program listens with. */
export class SocketHandler extends Context.Tag("outdial/http/SocketHandler")<SocketHandler, WebSockets>() {
  static readonly layer = Layer.scoped(this, make())
}

/** The same, on the server that listens here. */
export const layer: Layer.Layer<never, never, LiveSockets | OpenSockets | Upgrades> = Layer.scopedDiscard(
  Effect.flatMap(Upgrades, ({ serve }) => Effect.flatMap(make(), serve))
)
