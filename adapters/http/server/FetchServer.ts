import { Context, Duration, Effect, Exit, Fiber, Layer, Runtime, Scope } from "effect"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Coded from "../contract/Coded.ts"
import { FetchBody, FetchRequest } from "./FetchRequest.ts"
import { isStreamed, toResponse } from "./FetchResponse.ts"

export interface Options {
  /** Default 256 KiB. */
  readonly maxBodyBytes?: number | undefined
  /** How long a body may take to arrive. Default 30 s. */
  readonly requestTimeout?: Duration.DurationInput | undefined
  /** How long a client may leave a streamed answer unread. Default 30 s. */
  readonly stallTimeout?: Duration.DurationInput | undefined
  /** How long requests in hand have when the server closes. Default 4 s. */
  readonly grace?: Duration.DurationInput | undefined
}

/** Answers requests that another server has received. */
export class FetchHandler extends Context.Tag("outdial/http/FetchHandler")<
  FetchHandler,
  { readonly fetch: (request: Request) => Promise<Response> }
>() {}

const closed = Coded.response(503, "service_unavailable", "the server is not running", { "retry-after": "1" })

/**
 * An HTTP server without a listener: a runtime or a framework receives requests and passes them on in their
 * web-standard form. Bodies and answers have the same limits as in `NodeServer`. Heads and connections have those
 * of the host.
 */
const make = (options: Options) => {
  const maxBodyBytes = options.maxBodyBytes ?? 256 * 1024
  const timeoutMillis = Duration.toMillis(options.requestTimeout ?? "30 seconds")
  const stallMillis = Duration.toMillis(options.stallTimeout ?? "30 seconds")
  const grace = Duration.decode(options.grace ?? "4 seconds")

  type Handle = (request: Request) => Promise<Response>
  const refuse = async (runtime: Runtime.Runtime<never>) =>
    toResponse(closed, false, { runtime, stallMillis, scope: await Effect.runPromise(Scope.make()) })
  let handle: Handle = () => refuse(Runtime.defaultRuntime)

  const serve = Effect.fnUntraced(function* (app: HttpApp.Default<unknown, Scope.Scope>) {
    const runtime = yield* Effect.runtime<never>()
    const services = runtime.context.unsafeMap
    const fibers = new Set<Fiber.RuntimeFiber<Response>>()

    const answered = (source: Request, scope: Scope.CloseableScope) => {
      const respond = (answer: HttpServerResponse.HttpServerResponse, exit: Exit.Exit<unknown, unknown>) => {
        const response = toResponse(answer, source.method === "HEAD", { runtime, stallMillis, scope })
        return isStreamed(answer) && response.body !== null
          ? Effect.succeed(response)
          : Effect.as(Scope.close(scope, exit), response)
      }
      return Effect.matchCauseEffect(app as Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>, {
        onSuccess: (answer) => respond(answer, Exit.void),
        onFailure: (cause) =>
          Effect.flatMap(HttpServerError.causeResponse(cause), ([answer]) =>
            respond(answer, Exit.failCause(cause))
          )
      })
    }

    handle = (source) => {
      const context = new Map(services)
      const body = new FetchBody(source, maxBodyBytes, timeoutMillis)
      context.set(HttpServerRequest.HttpServerRequest.key, new FetchRequest(body))
      const answer = Effect.flatMap(Scope.make(), (scope) => {
        context.set(Scope.Scope.key, scope)
        return answered(source, scope)
      })
      const fiber = Runtime.runFork(Runtime.make({ ...runtime, context: Context.unsafeMake(context) }))(
        Effect.uninterruptible(answer)
      )
      fibers.add(fiber)
      const left = () => fiber.unsafeInterruptAsFork(HttpServerError.clientAbortFiberId)
      source.signal.addEventListener("abort", left, { once: true })
      return new Promise((resolve, reject) => {
        fiber.addObserver((exit) => {
          fibers.delete(fiber)
          source.signal.removeEventListener("abort", left)
          if (Exit.isSuccess(exit)) resolve(exit.value)
          else reject(new Error("the request could not be answered"))
        })
      })
    }

    yield* Effect.addFinalizer(() => {
      handle = () => refuse(runtime)
      return Fiber.awaitAll(fibers).pipe(Effect.interruptible, Effect.timeout(grace), Effect.ignore)
    })
  })

  const server = HttpServer.make({
    // Links begin with this address when no setting names another.
    address: { _tag: "TcpAddress", hostname: "127.0.0.1", port: 8080 },
    serve: (app, middleware) =>
      serve((middleware === undefined ? app : middleware(app as HttpApp.Default)) as HttpApp.Default<unknown>)
  })
  return Context.make(HttpServer.HttpServer, server).pipe(
    Context.add(FetchHandler, { fetch: (request) => handle(request) })
  )
}

export const layer = (options: Options): Layer.Layer<HttpServer.HttpServer | FetchHandler> =>
  Layer.syncContext(() => make(options))
