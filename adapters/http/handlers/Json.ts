import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpIncomingMessage from "@effect/platform/HttpIncomingMessage"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Context, Effect, Option, type Stream } from "effect"
import { type Call, toJson } from "../../../core/model/calls/Call.ts"
import type { Page, PageRequest } from "../../../core/model/Page.ts"
import { CurrentPrincipal } from "../contract/Authentication.ts"
import * as Exchange from "../contract/RequestContext.ts"

/** Runs an operation in the workspace of the request's credential. */
export const inWorkspace = <A, E, R>(f: (workspace_id: string) => Effect.Effect<A, E, R>) =>
  Effect.withFiberRuntime<A, E, R | CurrentPrincipal | HttpServerRequest.HttpServerRequest>((fiber) => {
    const { workspace_id } = Context.unsafeGet(fiber.currentContext, CurrentPrincipal)
    const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
    const carry = Exchange.of(request)?.carry ?? null
    return carry === null ? f(workspace_id) : carry(f(workspace_id))
  })

/** Where the client has reached us, by its own account; a proxy may say that it was by HTTPS. */
export const originOf = (request: HttpServerRequest.HttpServerRequest): string | undefined =>
  Option.getOrUndefined(Option.map(HttpServerRequest.toURL(request), ({ origin }) => origin))

/** The body as it was sent. What is wrong with it is answered where all requests are. */
export const text = (request: HttpServerRequest.HttpServerRequest) => Effect.orDie(request.text)

/** The body of an operation that takes more bytes than others do. */
export const longText = (request: HttpServerRequest.HttpServerRequest, maxBytes: number) =>
  HttpIncomingMessage.withMaxBodySize(text(request), Option.some(maxBytes))

/** JSON text as it stands: no codec may touch it. */
export const json = (body: string) => HttpServerResponse.raw(body, { contentType: "application/json" })

/**
 * JSON text in UTF-8 that is sent as it is made. The request's scope ends with it, on servers that would end it with
 * the head of the answer too.
 */
export const streamed = (pieces: Stream.Stream<Uint8Array>) =>
  HttpApp.unsafeEjectStreamScope(HttpServerResponse.stream(pieces, { contentType: "application/json" }))

/** A call's record, with what was supplied as JSON byte for byte. */
export const call = (found: Call) => json(toJson(found))

/** A page of records that are JSON text already. */
export const textPage = <A>(
  { limit, offset }: PageRequest,
  { data, total }: Page<A>,
  textOf: (record: A) => string
) => json(`{"data":[${data.map(textOf).join(",")}],"pagination":${JSON.stringify({ limit, offset, total })}}`)

export const callPage = (request: PageRequest, found: Page<Call>) => textPage(request, found, toJson)

export const page = <A>({ limit, offset }: PageRequest, { data, total }: Page<A>) => ({
  data,
  pagination: { limit, offset, total }
})

/** Only what is given of a change: a property that is absent must not come out as undefined. */
export const given = <A>(change: { readonly [Key in keyof A]?: A[Key] | undefined }): A =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as A

export const deleted = (id: string) => ({ id, deleted: true as const })
