import { Data, Schema } from "effect"
import * as HttpApiError from "@effect/platform/HttpApiError"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { DuplicateKey } from "../../../core/model/calls/CallErrors.ts"
import { RecipientTaken } from "../../../core/model/campaigns/CampaignErrors.ts"
import { InvalidInput } from "../../../core/model/InvalidInput.ts"
import { describe, fieldOf, reworded } from "../../../core/model/Issues.ts"
import { PhoneNumberInUse } from "../../../core/model/numbers/PhoneNumberErrors.ts"

export type Code =
  | "invalid_request"
  | "unauthorized"
  | "insufficient_credits"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_many_requests"
  | "internal_error"
  | "bad_gateway"
  | "service_unavailable"
  | "gateway_timeout"

/** An error as a client of the interface meets it. */
export class ApiError extends Data.TaggedError("ApiError")<{
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: unknown
}> {}

type Known =
  | HttpApiError.HttpApiDecodeError
  | InvalidInput
  | DuplicateKey
  | RecipientTaken
  | PhoneNumberInUse
  | { readonly message: string; readonly details?: unknown }

const detailed = (message: string, details: unknown) =>
  details === undefined || details === null ? { message } : { message, details }

/** Path and query are objects always. */
const notAnObject = { message: "the body must be a JSON object" }

/** What an error says on the wire. Nothing of it repeats what was sent. */
const worded = (error: Known): { readonly message: string; readonly details?: unknown } => {
  if (error instanceof HttpApiError.HttpApiDecodeError) {
    const issue = reworded(error.issues)[0]
    if (issue === undefined) return { message: "the request is not valid" }
    if (issue.path.length === 0 && /^(?:is not valid|must be an object)$/.test(issue.message)) {
      return notAnObject
    }
    const field = fieldOf(issue)
    return detailed(describe(issue), field === "" ? null : { field })
  }
  if (error instanceof InvalidInput) {
    return detailed(error.message, error.field === null ? null : { field: error.field })
  }
  if (error instanceof DuplicateKey) return detailed(error.message, { call_id: error.call_id })
  if (error instanceof PhoneNumberInUse) return detailed(error.message, { campaign_id: error.campaign_id })
  if (error instanceof RecipientTaken) {
    return detailed(error.message, { index: error.index, recipient_id: error.recipient_id })
  }
  return detailed(error.message, "details" in error ? error.details : undefined)
}

/** A coded error as OpenAPI shows it and the wire has it. Source: contract, "Errors". */
export const coded = <E extends { readonly message: string }>(
  name: string,
  status: number,
  code: Code,
  description: string,
  example: string,
  is: (error: unknown) => error is E,
  details?: Readonly<Record<string, string>>
): Schema.Schema<E | ApiError, { readonly error: { readonly code: Code; readonly message: string } }> => {
  const Body = Schema.Struct({
    error: Schema.Struct({
      code: Schema.Literal(code),
      message: Schema.String.annotations({ description: "Says which field and rule, in words" }),
      details: Schema.optional(Schema.Unknown.annotations({ description: "What a program may act on" }))
    })
  }).annotations({
    identifier: name,
    description,
    examples: [{ error: { code, message: example, ...(details && { details }) } }]
  })
  const Failure = Schema.declare(
    (error: unknown): error is E | ApiError =>
      is(error) || (error instanceof ApiError && error.status === status)
  )
  return Schema.transform(Body, Failure, {
    strict: true,
    decode: ({ error }) => new ApiError({ status, ...error }),
    encode: (error) => ({ error: { code, ...worded(error) } })
  }).annotations({ ...HttpApiSchema.annotations({ status }), description })
}

type Class<E> = abstract new (...args: never) => E
type Instance<C> = C extends Class<infer E> ? E : never

export const anyOf =
  <const Classes extends ReadonlyArray<Class<unknown>>>(...classes: Classes) =>
  (error: unknown): error is Instance<Classes[number]> =>
    classes.some((known) => error instanceof known)

/** The text of an error's body. */
export const body = (code: Code, message: string): string => JSON.stringify({ error: { code, message } })

/** An error of the transport, or of no route: those that no operation declares. */
export const response = (
  status: number,
  code: Code,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body(code, message), { status, contentType: "application/json", headers })
