import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type { Quota } from "../../../core/ports/RateLimits.ts"
import type { Principal } from "../../../core/model/workspaces/Principal.ts"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Context, Effect, type Exit } from "effect"

/** What is known of a request while it is being answered: what its log line and its metrics say. */
export interface Exchange {
  readonly method: string
  readonly request_id: string
  /** From `performance.now()`. */
  readonly started: number
  /** The template, base path included: `/v0/calls/:call_id`. Null until a route is found. */
  route: string | null
  /** The same without the base path. */
  path: string | null
  workspace_id: string | null
  /** Null until its credential is known. */
  principal: Principal | null
  /** What is left of its credential's requests; null where they are not limited. */
  quota: Quota | null
  /** Does its work so that its idempotency key knows of it; null without a key. */
  carry: (<A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) | null
  /** What is done with its answer before it is sent. */
  ended: ((exit: Exit.Exit<HttpServerResponse.HttpServerResponse, unknown>) => Effect.Effect<void>) | null
}

const key = Symbol("outdial/http/Exchange")

/** What a server has received, which modified copies of its request share. A WeakMap would cost each collection of garbage. */
interface Source {
  [key]?: Exchange
}

const acceptable = /^[A-Za-z0-9._-]{1,64}$/

/** Begins an exchange. A request keeps the id that it came with, if that is one. */
export const open = (request: HttpServerRequest.HttpServerRequest): Exchange => {
  const given = request.headers["x-request-id"]
  const exchange: Exchange = {
    method: request.method,
    request_id: given !== undefined && acceptable.test(given) ? given : crypto.randomUUID(),
    started: performance.now(),
    route: null,
    path: null,
    workspace_id: null,
    principal: null,
    quota: null,
    carry: null,
    ended: null
  }
  ;(request.source as Source)[key] = exchange
  return exchange
}

/** The exchange of a request, or of a modified copy of it. */
export const of = (request: HttpServerRequest.HttpServerRequest): Exchange | undefined =>
  (request.source as Source)[key]

/** What is done for a request, which the fiber has in its context. */
export const withRequest = <A, E, R>(
  f: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.withFiberRuntime((fiber) =>
    f(Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest))
  )
