import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as HttpTraceContext from "@effect/platform/HttpTraceContext"
import { Effect, FiberRef, Option } from "effect"
import type { Exchange } from "../contract/RequestContext.ts"

export const isOn = (refs: { readonly getFiberRef: <A>(ref: FiberRef.FiberRef<A>) => A }): boolean =>
  refs.getFiberRef(FiberRef.currentTracerEnabled)

/** A server span, which goes on the caller's trace. It names the route, never the address, and no header. */
export const spanned = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  { headers }: HttpServerRequest.HttpServerRequest,
  exchange: Exchange
): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
  Effect.useSpan(
    `http.server ${exchange.method}`,
    {
      parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(headers)),
      kind: "server",
      captureStackTrace: false
    },
    (span) =>
      Effect.map(Effect.withParentSpan(app, span), (answer) => {
        span.attribute("http.request.method", exchange.method)
        span.attribute("http.response.status_code", answer.status)
        span.attribute("outdial.request_id", exchange.request_id)
        if (exchange.route !== null) span.attribute("http.route", exchange.route)
        if (exchange.workspace_id !== null) span.attribute("outdial.workspace_id", exchange.workspace_id)
        return answer
      })
  )
