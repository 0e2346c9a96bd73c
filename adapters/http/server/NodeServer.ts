import {
  Config,
  type ConfigError,
  Context,
  DefaultServices,
  Duration,
  Effect,
  Exit,
  FiberId,
  FiberRef,
  FiberRefs,
  Layer,
  Runtime,
  Scope,
  Tracer
} from "effect"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Coded from "../contract/Coded.ts"
import { NodeBody, NodeRequest } from "./NodeRequest.ts"
import { respond } from "./NodeResponse.ts"
import { sealed } from "./Seal.ts"
import { anew, Upgrades, wantsSocket } from "./Upgrades.ts"
import type { WebSockets } from "./WebSockets.ts"

export interface Options {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  /** Default 256 KiB. */
  readonly maxBodyBytes?: number | undefined
  /** How long a request may take to arrive, head and body. Default 30 s. */
  readonly requestTimeout?: Duration.DurationInput | undefined
  /** How long a client may leave a streamed answer unread. Default 30 s. */
  readonly stallTimeout?: Duration.DurationInput | undefined
  /** How long requests in hand have when the server closes. Default 4 s. */
  readonly grace?: Duration.DurationInput | undefined
}

const defaults = {
  maxBodyBytes: 256 * 1024,
  requestTimeout: "30 seconds",
  stallTimeout: "30 seconds",
  grace: "4 seconds"
} as const

const makeServer = (requestTimeout: Duration.Duration): Server => {
  const millis = Duration.toMillis(requestTimeout)
  const server = createServer({
    requestTimeout: millis,
    headersTimeout: Math.min(millis, 10_000),
    connectionsCheckingInterval: Math.max(50, Math.min(millis / 4, 2_000)),
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    noDelay: true,
    // Node would answer without a body; `serve` does it.
    requireHostHeader: false
  })
  server.maxRequestsPerSocket = 100_000
  server.maxHeadersCount = 100
  return server
}

const brokenRequests: Readonly<Record<string, readonly [status: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request took too long to arrive"],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the request's headers are too large"]
}

/** Answers what node cannot read as HTTP: no handler sees it. */
const refuseBroken = (error: NodeJS.ErrnoException, socket: Socket) => {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy()
  const [status, message] = brokenRequests[error.code ?? ""] ?? ["400 Bad Request", "the request is not HTTP"]
  const body = Coded.body("invalid_request", message)
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `cache-control: no-store\r\nx-content-type-options: nosniff\r\n` +
      `x-request-id: ${crypto.randomUUID()}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

/** HTTP/1.1 demands it. Source: RFC 9112, 3.2. */
const lacksHost = ({ headers, httpVersion }: IncomingMessage) =>
  headers.host === undefined && httpVersion === "1.1"

const refusals = {
  noHost: Coded.response(400, "invalid_request", "the Host header is missing"),
  expectation: Coded.response(417, "invalid_request", "the Expect header may only be 100-continue")
} as const

const starting = Coded.response(503, "service_unavailable", "the server is starting", { "retry-after": "1" })
/** A start may take as long as its store does: a probe of what lives is not told that this process does not. */
const living = HttpServerResponse.unsafeJson({ status: "live" })

type Handler = (request: IncomingMessage, response: ServerResponse, awaited: boolean) => void

const nativeTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Without spans when no tracer is set: nothing would export them. */
const untraced = (refs: FiberRefs.FiberRefs): FiberRefs.FiberRefs => {
  const services = FiberRefs.getOrDefault(refs, DefaultServices.currentServices)
  return Context.get(services, Tracer.Tracer) === nativeTracer
    ? FiberRefs.updateAs(refs, {
        fiberId: FiberId.none,
        fiberRef: FiberRef.currentTracerEnabled,
        value: false
      })
    : refs
}

/** How long requests may take to end once their connections are closed. */
const afterwards = "1 second"

/**
 * An HTTP server on node's own. It collects a body with node's events when a handler first asks for it, and sends
 * an answer in one write.
 *
 * It is not @effect/platform-node's because that server takes more processor time with the same handlers: 1.8 times
 * as much for `POST /calls`, 1.4 for `GET /agents/{agent_id}`, 2.6 for the least request with a body and 1.7 for
 * the least one without (`npm run bench -- http`). It also fails 16 tests of `test/adapters/http`. Two of them matter
 * most: when the source of a streamed answer fails, it ends the answer as if it were whole (Import.test.ts, "because
 * the store fails breaks the connection"), and it closes the connection of a body that is too large without an answer
 * (NodeServer.test.ts, "above the limit is 413 when sent in chunks").
 */
export const make = Effect.fnUntraced(function* (options: Options) {
  const maxBodyBytes = options.maxBodyBytes ?? defaults.maxBodyBytes
  const stallMillis = Duration.toMillis(options.stallTimeout ?? defaults.stallTimeout)
  const grace = Duration.decode(options.grace ?? defaults.grace)
  const server = makeServer(Duration.decode(options.requestTimeout ?? defaults.requestTimeout))

  const runFork = Runtime.runFork(yield* Effect.runtime<never>())
  const answerAll =
    (answer: HttpServerResponse.HttpServerResponse, closing: boolean): Handler =>
    (request, response, awaited) => {
      const body = new NodeBody(request, response, maxBodyBytes, awaited)
      runFork(respond(body, sealed(answer, crypto.randomUUID()), { closing, stallMillis }))
    }
  const refuseHost = answerAll(refusals.noHost, true)
  const refuseExpectation = answerAll(refusals.expectation, true)
  const begin = answerAll(starting, false)
  const live = answerAll(living, false)
  let handler: Handler = (request, response, awaited) =>
    (request.url === "/health/live" ? live : begin)(request, response, awaited)
  const handle: Handler = (request, response, awaited) =>
    (lacksHost(request) ? refuseHost : handler)(request, response, awaited)
  server.on("request", (request, response) => handle(request, response, false))
  server.on("checkContinue", (request, response) => handle(request, response, true))
  server.on("checkExpectation", (request, response) => refuseExpectation(request, response, true))
  server.on("clientError", refuseBroken)

  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })

  let upgraded: WebSockets | null = null
  server.on("upgrade", (request, socket, head) => {
    if (upgraded !== null && wantsSocket(request)) upgraded.upgrade(request, socket, head)
    else server.emit("connection", anew(request, socket, head))
  })

  const close = Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
    server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    const timer = setTimeout(() => server.closeAllConnections(), Duration.toMillis(grace))
    timer.unref()
    server.once("close", () => clearTimeout(timer))
  })

  /** Stops accepting, lets requests in hand be answered, and closes the connections that are left after the grace. */
  const drain = Effect.suspend(() =>
    upgraded === null ? close : Effect.all([close, upgraded.leave], { concurrency: 2, discard: true })
  )

  yield* Effect.acquireRelease(
    Effect.async<void, HttpServerError.ServeError>((resume) => {
      const onError = (cause: Error) => resume(Effect.fail(new HttpServerError.ServeError({ cause })))
      server.once("error", onError)
      server.listen(options.port, options.host, () => {
        server.off("error", onError)
        resume(Effect.void)
      })
    }),
    () => drain
  )

  const serve = Effect.fnUntraced(function* (app: HttpApp.Default<unknown, Scope.Scope>) {
    const runtime = yield* Effect.runtime<never>()
    const services = runtime.context.unsafeMap
    const fiberRefs = untraced(runtime.fiberRefs)
    const { runtimeFlags } = runtime
    // No Set of their fibers: see `unlist` of apps/platform/RootFibers.ts.
    let inHand = 0
    let whenNone = () => {}
    let closing = false

    /** Answers in the request's own scope, which ends when the answer is on its way. */
    const answered = (body: NodeBody, scope: Scope.CloseableScope) =>
      Effect.matchCauseEffect(app as Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>, {
        onSuccess: (answer) =>
          Effect.zipRight(respond(body, answer, { closing, stallMillis }), Scope.close(scope, Exit.void)),
        onFailure: (cause) =>
          HttpServerError.causeResponse(cause).pipe(
            Effect.flatMap(([answer]) => respond(body, answer, { closing, stallMillis })),
            Effect.zipRight(Scope.close(scope, Exit.failCause(cause)))
          )
      })

    handler = (source, response, awaited) => {
      const body = new NodeBody(source, response, maxBodyBytes, awaited)
      const context = new Map(services)
      context.set(HttpServerRequest.HttpServerRequest.key, new NodeRequest(body))
      const answer = Effect.flatMap(Scope.make(), (scope) => {
        context.set(Scope.Scope.key, scope)
        return answered(body, scope)
      })
      const run = Runtime.runFork(
        Runtime.make({ context: Context.unsafeMake(context), runtimeFlags, fiberRefs })
      )
      const fiber = run(Effect.uninterruptible(answer))
      inHand += 1
      fiber.addObserver(() => {
        inHand -= 1
        if (inHand === 0) whenNone()
      })
      response.on("close", () => {
        if (!response.writableEnded) fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
      })
    }

    yield* Effect.addFinalizer(() => {
      closing = true
      const rest = Effect.async<void>((resume) => {
        whenNone = () => resume(Effect.void)
        if (inHand === 0) whenNone()
      })
      return Effect.zipRight(
        drain,
        rest.pipe(Effect.interruptible, Effect.timeout(afterwards), Effect.ignore)
      )
    })
  })

  const address = server.address()
  const http = HttpServer.make({
    address:
      typeof address === "object" && address !== null
        ? { _tag: "TcpAddress", hostname: address.address, port: address.port }
        : { _tag: "TcpAddress", hostname: options.host, port: options.port },
    serve: (app, middleware) =>
      serve((middleware === undefined ? app : middleware(app as HttpApp.Default)) as HttpApp.Default<unknown>)
  })
  const serveSockets = (sockets: WebSockets) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        upgraded = sockets
      }),
      () => drain
    )
  return Context.make(HttpServer.HttpServer, http).pipe(Context.add(Upgrades, { serve: serveSockets }))
})

export const layer = (
  options: Options
): Layer.Layer<HttpServer.HttpServer | Upgrades, HttpServerError.ServeError> =>
  Layer.scopedContext(make(options))

export const settings = Config.all({
  host: Config.withDefault(Config.nonEmptyString("HOST"), "127.0.0.1"),
  port: Config.integer("PORT").pipe(
    Config.validate({
      message: "must be a port, or 0 for any free one",
      validation: (port) => port >= 0 && port <= 65_535
    }),
    Config.withDefault(8080)
  ),
  maxBodyBytes: Config.integer("OUTDIAL_MAX_BODY_BYTES").pipe(
    Config.validate({ message: "must be at least 1024", validation: (bytes) => bytes >= 1_024 }),
    Config.withDefault(defaults.maxBodyBytes)
  ),
  requestTimeout: Config.duration("OUTDIAL_REQUEST_TIMEOUT").pipe(
    Config.withDefault(Duration.decode(defaults.requestTimeout))
  )
})

export const layerConfig: Layer.Layer<
  HttpServer.HttpServer | Upgrades,
  HttpServerError.ServeError | ConfigError.ConfigError
> = Layer.scopedContext(Effect.flatMap(settings, make))
