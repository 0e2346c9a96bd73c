import { Cause, Context, Effect, Option } from "effect"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import type { AuditLogShape } from "../../../core/usecases/AuditLog.ts"
import { Api } from "../contract/Api.ts"
import * as Exchange from "../contract/RequestContext.ts"

/** The paths of what is done all day and changes no setting: each call, message and simulation has a record itself. */
const unaudited: ReadonlySet<string> = new Set([
  "/calls",
  "/call-batches",
  "/campaigns/:campaign_id/simulations",
  "/agents/:agent_id/conversations"
])

/** The ids of the operations that are noted, by method and path. */
const operations = (() => {
  const found = new Map<string, string>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, method, path } }) => {
      const id = Context.getOption(annotations, OpenApi.Identifier)
      if (method !== "GET" && Option.isSome(id) && !unaudited.has(path))
        found.set(`${method} ${path}`, id.value)
    }
  })
  return found
})()

const longestBody = 65_536
const ownIds = ["id", "suite_id", "call_id"]

/** The id of what a short answer shows. */
const shownId = ({ body }: HttpServerResponse.HttpServerResponse): string | null => {
  const bytes = body._tag === "Uint8Array" ? body.body : body._tag === "Raw" ? body.body : null
  if (!(bytes instanceof Uint8Array || typeof bytes === "string") || bytes.length > longestBody) return null
  try {
    const record = JSON.parse(typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes)) as object
    const id: unknown = Object.entries(record).find(([name]) => ownIds.includes(name))?.[1]
    return typeof id === "string" ? id : null
  } catch {
    return null
  }
}

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

/** Notes an operation once it was carried out, before its answer is sent. Others are left as they are. */
export const audited =
  ({ note }: AuditLogShape) =>
  (
    method: string,
    path: string,
    handler: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, unknown> => {
    const operation = operations.get(`${method} ${path}`)
    if (operation === undefined) return handler
    return Effect.withFiberRuntime((fiber) => {
      const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
      return Effect.tap(handler, (response) => {
        const principal = Exchange.of(request)?.principal ?? null
        if (principal === null || response.status >= 300) return Effect.void
        return Effect.catchAllCause(
          note(principal, operation, namedId(path, request.url) ?? shownId(response)),
          (cause) =>
            Cause.isInterruptedOnly(cause)
              ? Effect.interrupt
              : Effect.annotateLogs(Effect.logError("a change could not be noted in the audit log", cause), {
                  operation
                })
        )
      })
    })
  }
