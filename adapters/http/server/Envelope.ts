import { Cause, Chunk, Context, Effect } from "effect"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import * as Coded from "../contract/Coded.ts"
import * as Errors from "../contract/Errors.ts"
import { Answered } from "../contract/Repeated.ts"
import * as Exchange from "../contract/RequestContext.ts"
import { compressed } from "./Compression.ts"
import * as Cors from "./Cors.ts"
import * as Metrics from "./Metrics.ts"
import * as RequestLog from "./RequestLog.ts"
import { sealed } from "./Seal.ts"
import * as Tracing from "./Tracing.ts"

export interface Options {
  readonly logRequests: boolean
  /** Pages of these origins may read answers. */
  readonly corsOrigins: ReadonlyArray<string>
  /** The methods of the routes that a path matches. */
  readonly methodsOf: (path: string) => ReadonlyArray<string>
}

const clientClosedRequest = HttpServerResponse.empty({ status: 499 })
const internal = Coded.response(500, "internal_error", "something went wrong inside")
const storeUnavailable = Coded.response(
  503,
  "service_unavailable",
  "the service is temporarily unavailable; send the same request again later"
)
const unknownRoute = Coded.response(404, "not_found", "there is nothing at this path")

/** The router takes a semicolon for the end of the path. Source: RFC 3986, 3.3: it belongs to the path. */
const isPlain = (url: string) => !pathOf(url).includes(";")

const notFound = Effect.succeed(unknownRoute)

const pathOf = (url: string) => url.split(/[?#]/, 1)[0]!

const missed = (request: HttpServerRequest.HttpServerRequest, methodsOf: Options["methodsOf"]) => {
  const methods = methodsOf(pathOf(request.url))
  if (methods.length === 0 || methods.includes(request.method)) return unknownRoute
  const allow = methods.join(", ")
  return Coded.response(405, "invalid_request", `the path takes only ${allow}`, { allow })
}

/** What is answered when an app has no answer: everything that no operation declares. */
const answerTo = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange.Exchange,
  methodsOf: Options["methodsOf"]
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (Cause.isInterruptedOnly(cause)) return Effect.succeed(clientClosedRequest)
  const error = Cause.squash(cause)
  if (error instanceof Answered) return Effect.succeed(error.response)
  if (error instanceof HttpServerError.RouteNotFound) return Effect.succeed(missed(request, methodsOf))
  if (error instanceof HttpServerError.RequestError) {
    const { message, status } = error.cause instanceof Errors.BodyRefused ? error.cause : Errors.notJson
    return Effect.succeed(Coded.response(status, "invalid_request", message))
  }
  const store = Chunk.some(Cause.defects(cause), (defect) => defect instanceof StoreUnavailable)
  return Effect.as(
    Effect.annotateLogs(Effect.logError(store ? "the store is unavailable" : "a request died", cause), {
      method: exchange.method,
      route: exchange.route ?? "unmatched",
      request_id: exchange.request_id
    }),
    store ? storeUnavailable : internal
  )
}

/** Around every request: its id, an answer whatever happens, its metrics, its span and its log line. */
const envelope = ({ corsOrigins, logRequests, methodsOf }: Options) => {
  const cors = corsOrigins.length === 0 ? undefined : Cors.make(corsOrigins)
  return <E, R>(
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
    Effect.withFiberRuntime<HttpServerResponse.HttpServerResponse, never, R>((fiber) => {
      const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
      const exchange = Exchange.open(request)
      const seal = (answer: HttpServerResponse.HttpServerResponse) => {
        const zipped = compressed(request, sealed(answer, exchange.request_id, exchange.quota))
        const whole =
          cors === undefined ? zipped : Effect.map(zipped, (answer) => cors.shared(request, answer))
        const millis = performance.now() - exchange.started
        Metrics.observe(exchange, answer.status, millis)
        return logRequests && RequestLog.isShown(fiber, exchange)
          ? Effect.zipRight(RequestLog.line(exchange, answer.status, millis), whole)
          : whole
      }
      const preflight = cors?.preflight(request)
      const inner =
        preflight !== undefined ? Effect.succeed(preflight) : isPlain(request.url) ? app : notFound
      const answered = Effect.matchCauseEffect(inner, {
        onSuccess: seal,
        onFailure: (cause) => Effect.flatMap(answerTo(cause, request, exchange, methodsOf), seal)
      })
      return Tracing.isOn(fiber) ? Tracing.spanned(answered, request, exchange) : answered
    })
}

export const layer = (options: Options) =>
  HttpLayerRouter.use((router) => router.addGlobalMiddleware(envelope(options)))
