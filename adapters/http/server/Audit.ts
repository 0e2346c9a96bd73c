import { Context, Effect, Option } from "effect"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import type { AuditLogShape } from "../../../core/usecases/AuditLog.ts"
import { endpoints } from "../contract/Api.ts"
import * as Exchange from "../contract/RequestContext.ts"

/** The paths of what is done all day and changes no setting: each call, message and simulation has a record itself. */
const unaudited: ReadonlySet<string> = new Set([
  "/calls",
  "/call-batches",
  "/campaigns/:campaign_id/simulations",
  "/agents/:agent_id/conversations"
])

/** The ids of the operations that are noted, by method and path. */
export const operations: ReadonlyMap<string, string> = new Map(
  endpoints.flatMap(({ annotations, method, path }) => {
    const id = Context.getOption(annotations, OpenApi.Identifier)
    return method !== "GET" && Option.isSome(id) && !unaudited.has(path)
      ? [[`${method} ${path}`, id.value] as const]
      : []
  })
)

/** What stands in a request's path where its template has the last parameter; a phone number is told by no log. */
const namedId = (path: string, url: string): string | null => {
  const parts = path.split("/")
  const last = parts.findLastIndex((part) => part.startsWith(":"))
  if (last === -1 || parts[last] === ":phone_number") return null
  return (
    url
      .split(/[?#]/, 1)[0]!
      .split("/")
      .at(last - parts.length) ?? null
  )
}

/** Has what an operation changes noted with it. Operations that change no setting are left as they are. */
export const audited =
  ({ carryOut }: AuditLogShape) =>
  (
    method: string,
    path: string,
    handler: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
    const name = operations.get(`${method} ${path}`)
    if (name === undefined) return handler
    return Effect.withFiberRuntime((fiber) => {
      const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
      const object_id = namedId(path, request.url)
      const principal = () => Exchange.of(request)?.principal ?? null
      return carryOut({ name, object_id, principal }, handler, ({ status }) => status < 300)
    })
  }
