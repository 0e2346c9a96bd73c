import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import { type Call, toJson } from "../../../core/calls/Call.ts"
import type { Page, PageRequest } from "../../../core/Page.ts"
import { CurrentPrincipal } from "../Authentication.ts"

/** Runs an operation in the workspace of whoever sent the request. */
export const inWorkspace = <A, E, R>(f: (workspace_id: string) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(CurrentPrincipal, ({ workspace_id }) => f(workspace_id))

/** The body as it was sent. What is wrong with it is answered where all requests are. */
export const text = (request: HttpServerRequest.HttpServerRequest) => Effect.orDie(request.text)

const json = (body: string) => HttpServerResponse.raw(body, { contentType: "application/json" })

/** A call's record, with what was supplied as JSON byte for byte: no codec may touch it. */
export const call = (found: Call) => json(toJson(found))

export const callPage = ({ limit, offset }: PageRequest, { data, total }: Page<Call>) =>
  json(`{"data":[${data.map(toJson).join(",")}],"pagination":${JSON.stringify({ limit, offset, total })}}`)

export const page = <A>({ limit, offset }: PageRequest, { data, total }: Page<A>) => ({
  data,
  pagination: { limit, offset, total }
})

export const deleted = (id: string) => ({ id, deleted: true as const })
