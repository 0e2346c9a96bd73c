import { Context, Effect, Layer, Option, Schema } from "effect"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { allScopes, type Principal, type Scope } from "../../../core/model/workspaces/Principal.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { TokenVerifier } from "../../../core/ports/TokenVerifier.ts"
import { Repeats } from "../../../core/usecases/Repeats.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { ApiKeyRequired, Forbidden, ScopeMissing, Unauthenticated, Unauthorized } from "./Errors.ts"
import * as FairUse from "./FairUse.ts"
import { header } from "./IdempotencyKey.ts"
import * as Repeated from "./Repeated.ts"
import * as Exchange from "./RequestContext.ts"

/** The principal whose credential the request carries. */
export class CurrentPrincipal extends Context.Tag("outdial/http/CurrentPrincipal")<
  CurrentPrincipal,
  Principal
>() {}

const options = { failure: Schema.Union(Unauthorized, Forbidden), provides: CurrentPrincipal } as const

/** Lets a request through that carries a credential with one scope. */
export class Gate extends HttpApiMiddleware.Tag<Gate>()("outdial/http/Gate", options) {}

/** Gates differ in their keys alone, so that one layer provides all of them. */
const makeGate = (name: string): typeof Gate =>
  HttpApiMiddleware.Tag<Gate>()(`outdial/http/Gate/${name}`, options) as unknown as typeof Gate

const gates = new Map(allScopes.map((scope) => [scope, makeGate(scope)] as const))
const apiKeyGates = new Map(allScopes.map((scope) => [scope, makeGate(`${scope}/api_key`)] as const))

/** The operation needs the scope, from an API key or a bearer token. */
export const needs = (scope: Scope) => gates.get(scope)!

/** The operation needs the scope, from an API key. */
export const needsApiKey = (scope: Scope) => apiKeyGates.get(scope)!

/** Ids of workspaces that exist, which are never deleted; cleared when there are more. */
const mostKnown = 10_000

const unauthenticated = Effect.fail(new Unauthenticated())
const bearer = /^bearer +(\S+) *$/i

const make = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const verifier = yield* TokenVerifier
  const repeats = yield* Repeats
  const limits = yield* RateLimits

  const existing = new Set<string>()

  /** A token may name a workspace that does not exist: its issuer may be another system. */
  const ofExisting = (principal: Principal): Effect.Effect<Principal, Unauthenticated> => {
    const { workspace_id } = principal
    if (existing.has(workspace_id)) return Effect.succeed(principal)
    return Effect.matchEffect(workspaces.get(workspace_id), {
      onFailure: () => unauthenticated,
      onSuccess: () => {
        if (existing.size >= mostKnown) existing.clear()
        existing.add(workspace_id)
        return Effect.succeed(principal)
      }
    })
  }

  /** An API key wins over a bearer token. */
  const principalOf = (
    { authorization, "x-api-key": key }: HttpServerRequest.HttpServerRequest["headers"],
    scope: Scope,
    apiKeyOnly: boolean
  ): Effect.Effect<Principal, Unauthenticated | ApiKeyRequired> => {
    if (key !== undefined) return Effect.flatMap(workspaces.authenticate(key), knownOr401)
    const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]
    if (token === undefined) return unauthenticated
    if (apiKeyOnly) return Effect.fail(new ApiKeyRequired({ scope }))
    return Effect.matchEffect(verifier.verify(token), {
      onFailure: () => unauthenticated,
      onSuccess: ofExisting
    })
  }

  const pass = (scope: Scope, apiKeyOnly: boolean) => {
    const refused = Effect.fail(new ScopeMissing({ scope }))
    return Exchange.withRequest((request) =>
      Effect.flatMap(principalOf(request.headers, scope, apiKeyOnly), (principal) => {
        const exchange = Exchange.of(request)
        if (exchange !== undefined) {
          exchange.workspace_id = principal.workspace_id
          exchange.principal = principal
        }
        const { subject, workspace_id } = principal
        const passed = () => {
          if (!principal.scopes.has(scope)) return refused
          if (exchange === undefined || request.headers[header] === undefined)
            return Effect.succeed(principal)
          return Effect.as(Repeated.check(repeats, request, exchange, workspace_id), principal)
        }
        if (limits.request === null) return passed()
        return Effect.flatMap(limits.request(workspace_id, subject), (quota) => {
          if (exchange !== undefined) exchange.quota = quota
          return quota.allowed ? passed() : FairUse.refuse(quota)
        })
      })
    )
  }

  let services = Context.empty() as Context.Context<Gate>
  for (const [scope, gate] of gates) services = Context.add(services, gate, pass(scope, false))
  for (const [scope, gate] of apiKeyGates) services = Context.add(services, gate, pass(scope, true))
  return services
})

const knownOr401 = (found: Option.Option<Principal>) =>
  Option.isSome(found) ? Effect.succeed(found.value) : unauthenticated

/** Every gate. Source: contract, "Authentication". */
export const layer: Layer.Layer<Gate, never, Workspaces | TokenVerifier | Repeats | RateLimits> =
  Layer.effectContext(make)
