import * as HttpApiError from "@effect/platform/HttpApiError"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Data, Schema } from "effect"
import { AgentNotFound } from "../../core/agents/AgentErrors.ts"
import {
  CallEnded,
  CallNotFound,
  CarrierUnavailable,
  DuplicateKey,
  InvalidInput
} from "../../core/calls/CallErrors.ts"
import {
  CampaignNotFound,
  CampaignRefused,
  ImportNotFound,
  RecipientTaken
} from "../../core/campaigns/CampaignErrors.ts"
import { describe, fieldOf, reworded } from "../../core/Issues.ts"
import {
  NoPhoneNumber,
  NotOnTheList,
  PhoneNumberNotFound,
  PhoneNumberTaken
} from "../../core/numbers/PhoneNumberErrors.ts"
import { TableRefused, TablesBusy } from "../../core/ports/TableReader.ts"
import { DeliveryNotFound, DeliveryPending, WebhookNotFound } from "../../core/webhooks/WebhookErrors.ts"
import { InsufficientCredits as NotEnoughCredits } from "../../core/workspaces/WorkspaceErrors.ts"

export type Code =
  | "invalid_request"
  | "unauthorized"
  | "insufficient_credits"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "internal_error"
  | "service_unavailable"

/** An error as a client of the interface meets it. */
export class ApiError extends Data.TaggedError("ApiError")<{
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: unknown
}> {}

/** No credential, or one that is unknown, malformed or revoked: which of them is not told. */
export class Unauthenticated extends Data.TaggedError("Unauthenticated")<{}> {
  override readonly message = "a valid credential is required: an API key in X-API-KEY, or a bearer token"
}

export class ScopeMissing extends Data.TaggedError("ScopeMissing")<{ readonly scope: string }> {
  override get message() {
    return `the credential lacks the scope ${this.scope}`
  }
}

/** Source: contract, "Authentication", 2. */
export class ApiKeyRequired extends Data.TaggedError("ApiKeyRequired")<{ readonly scope: string }> {
  override get message() {
    return `this operation takes only an X-API-KEY credential, with the scope ${this.scope}`
  }
}

/** The request's body cannot be taken as it is. */
export class BodyRefused extends Data.TaggedError("BodyRefused")<{
  readonly status: 400 | 413 | 415
  readonly message: string
}> {}

export const bodyTooLarge = (max: number) =>
  new BodyRefused({ status: 413, message: `the request body must have at most ${max} bytes` })
export const notJson = new BodyRefused({ status: 400, message: "the body is not valid JSON" })
export const notUtf8 = new BodyRefused({ status: 400, message: "the body is not valid UTF-8" })

type Known =
  | HttpApiError.HttpApiDecodeError
  | InvalidInput
  | DuplicateKey
  | RecipientTaken
  | { readonly message: string; readonly details?: unknown }

const detailed = (message: string, details: unknown) =>
  details === undefined || details === null ? { message } : { message, details }

/** What an error says on the wire. Nothing of it repeats what was sent. */
const worded = (error: Known): { readonly message: string; readonly details?: unknown } => {
  if (error instanceof HttpApiError.HttpApiDecodeError) {
    const issue = reworded(error.issues)[0]
    if (issue === undefined) return { message: "the request is not valid" }
    const field = fieldOf(issue)
    return detailed(describe(issue), field === "" ? null : { field })
  }
  if (error instanceof InvalidInput) {
    return detailed(error.message, error.field === null ? null : { field: error.field })
  }
  if (error instanceof DuplicateKey) return detailed(error.message, { call_id: error.call_id })
  if (error instanceof RecipientTaken) {
    return detailed(error.message, { index: error.index, recipient_id: error.recipient_id })
  }
  return detailed(error.message, "details" in error ? error.details : undefined)
}

const coded = <E extends { readonly message: string }>(
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

type Constructor<E> = abstract new (...args: never) => E

const anyOf =
  <E>(...classes: ReadonlyArray<Constructor<E>>) =>
  (error: unknown): error is E =>
    classes.some((constructor) => error instanceof constructor)

const refused =
  (status: BodyRefused["status"]) =>
  (error: unknown): error is BodyRefused =>
    error instanceof BodyRefused && error.status === status

export const InvalidRequest = coded(
  "InvalidRequest",
  400,
  "invalid_request",
  "The request breaks a rule; the message names the field and the rule",
  "max_call_length must be an integer from 1 to 3600",
  anyOf<InvalidInput | NoPhoneNumber | CampaignRefused | TableRefused | HttpApiError.HttpApiDecodeError>(
    InvalidInput,
    NoPhoneNumber,
    CampaignRefused,
    TableRefused,
    HttpApiError.HttpApiDecodeError
  )
)

export const Unauthorized = coded(
  "Unauthorized",
  401,
  "unauthorized",
  "The credential is missing or not valid",
  "a valid credential is required: an API key in X-API-KEY, or a bearer token",
  anyOf(Unauthenticated)
)

export const InsufficientCredits = coded(
  "InsufficientCredits",
  402,
  "insufficient_credits",
  "The workspace is out of credits",
  "insufficient credits: 1 needed, 0 available",
  anyOf(NotEnoughCredits)
)

export const Forbidden = coded(
  "Forbidden",
  403,
  "forbidden",
  "The credential lacks the scope that the message names, or is of a kind that the operation does not take",
  "the credential lacks the scope sessions:write",
  anyOf<ScopeMissing | ApiKeyRequired>(ScopeMissing, ApiKeyRequired)
)

export const NotFound = coded(
  "NotFound",
  404,
  "not_found",
  "There is no such record in the workspace",
  "no such call",
  anyOf<
    | CallNotFound
    | AgentNotFound
    | CampaignNotFound
    | ImportNotFound
    | PhoneNumberNotFound
    | NotOnTheList
    | WebhookNotFound
    | DeliveryNotFound
  >(
    CallNotFound,
    AgentNotFound,
    CampaignNotFound,
    ImportNotFound,
    PhoneNumberNotFound,
    NotOnTheList,
    WebhookNotFound,
    DeliveryNotFound
  )
)

export const Conflict = coded(
  "Conflict",
  409,
  "conflict",
  "The record's state does not allow it",
  "a call with this idempotency_key exists already; it was not dialled again",
  anyOf<DuplicateKey | CallEnded | RecipientTaken | PhoneNumberTaken | DeliveryPending>(
    DuplicateKey,
    CallEnded,
    RecipientTaken,
    PhoneNumberTaken,
    DeliveryPending
  ),
  { call_id: "call_01m7xfqwc21byq9pac112pfadf" }
)

export const PayloadTooLarge = coded(
  "PayloadTooLarge",
  413,
  "invalid_request",
  "The request body is too large",
  "the request body must have at most 262144 bytes",
  refused(413)
)

export const UnsupportedMediaType = coded(
  "UnsupportedMediaType",
  415,
  "invalid_request",
  "The request body is not application/json",
  "the body must be application/json in UTF-8, without a content-encoding",
  refused(415)
)

export const InternalError = coded(
  "InternalError",
  500,
  "internal_error",
  "Something went wrong inside; the request id finds it in the log",
  "something went wrong inside",
  anyOf<never>()
)

export const ServiceUnavailable = coded(
  "ServiceUnavailable",
  503,
  "service_unavailable",
  "Temporarily unavailable; the same request may be sent again after Retry-After seconds",
  "call orchestration is temporarily unavailable; send the same request again later",
  anyOf<CarrierUnavailable | TablesBusy>(CarrierUnavailable, TablesBusy)
)

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
