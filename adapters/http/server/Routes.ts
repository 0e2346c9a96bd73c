import { Context, Effect, Layer } from "effect"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { AuditLog } from "../../../core/usecases/AuditLog.ts"
import { lazily } from "../../shared/Lazily.ts"
import { endpoints } from "../contract/Api.ts"
import { creating } from "../contract/Repeated.ts"
import * as Exchange from "../contract/RequestContext.ts"
import { audited } from "./Audit.ts"
import * as RecordingAudio from "./RecordingAudio.ts"

type Route = HttpLayerRouter.Route<unknown, never>

/** The route under a base path. When it is taken, the exchange learns its template. */
const placed =
  (basePath: string, audit: ReturnType<typeof audited>) =>
  ({ handler, method, path, uninterruptible }: Route): Route => {
    const template = `${basePath}${path}` as HttpLayerRouter.PathInput
    const noted = audit(method, path, handler) as typeof handler
    const named = Effect.withFiberRuntime<Effect.Effect.Success<typeof handler>, unknown>((fiber) => {
      const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
      const exchange = Exchange.of(request)
      if (exchange === undefined) return noted
      exchange.route = template
      exchange.path = path
      return method === "POST" && path in creating
        ? Effect.onExit(noted, (exit) => exchange.ended?.(exit) ?? Effect.void)
        : noted
    })
    return HttpLayerRouter.route(method as "GET", template, named as typeof handler, { uninterruptible })
  }

/** A router that sets what it is given under a base path, without touching the requests. */
export const under = (basePath: string) =>
  Layer.effect(
    HttpLayerRouter.HttpRouter,
    Effect.zipWith(HttpLayerRouter.HttpRouter, AuditLog, (router, log) => {
      const audit = audited(log)
      const addAll = ((routes: ReadonlyArray<Route>) =>
        router.addAll(routes.map(placed(basePath, audit)))) as typeof router.addAll
      const add = ((method: "GET", path: HttpLayerRouter.PathInput, handler: Route["handler"]) =>
        addAll([HttpLayerRouter.route(method, path, handler)])) as typeof router.add
      return { ...router, add, addAll }
    })
  )

const plain: ReadonlyArray<string> = ["/docs", "/openapi.json", "/metrics", "/health/live", "/health/ready"]

const patternOf = (template: string) =>
  new RegExp(`^${template.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll(/:\w+/g, "[^/]+")}$`)

/**
 * The methods of the routes that a path matches: for telling a wrong method from a wrong path.
 *
 * @param pages what can be read besides
 */
export const methodsOf = (
  basePath: string,
  pages: ReadonlyArray<string> = []
): ((path: string) => ReadonlyArray<string>) => {
  const routes = lazily(() => [
    ...[...plain, ...pages, `${basePath}${RecordingAudio.path}`].map((path) => ({
      method: "GET",
      pattern: patternOf(path)
    })),
    ...endpoints.map(({ method, path }) => ({ method, pattern: patternOf(`${basePath}${path}`) }))
  ])
  return (path) => [
    ...new Set(
      routes()
        .filter(({ pattern }) => pattern.test(path))
        .map(({ method }) => method)
    )
  ]
}
