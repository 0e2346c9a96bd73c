import { Data } from "effect"
import * as HttpApiError from "@effect/platform/HttpApiError"
import { AgentInUse, AgentNotFound, AgentVersionNotFound } from "../../../core/model/agents/AgentErrors.ts"
import {
  BatchKeyReused,
  CallBatchNotFound,
  CallEnded,
  CallNotFound,
  CarrierUnavailable,
  DuplicateKey
} from "../../../core/model/calls/CallErrors.ts"
import {
  CampaignNotFound,
  CampaignRefused,
  CampaignUnderWay,
  ImportNotFound,
  RecipientNotFound,
  RecipientTaken,
  RecipientUnderWay
} from "../../../core/model/campaigns/CampaignErrors.ts"
import { SessionNotFound, SessionUnderWay } from "../../../core/model/conversations/SessionErrors.ts"
import { InvalidInput } from "../../../core/model/InvalidInput.ts"
import {
  NoPhoneNumber,
  NotOnTheList,
  PhoneNumberInUse,
  PhoneNumberNotFound,
  PhoneNumberTaken
} from "../../../core/model/numbers/PhoneNumberErrors.ts"
import { RecordingNotFound } from "../../../core/model/recordings/RecordingErrors.ts"
import {
  RunEnded,
  RunNotFound,
  SuiteNameTaken,
  SuiteNotFound
} from "../../../core/model/suites/SuiteErrors.ts"
import {
  TemplateInSubmission,
  TemplateNotFound,
  TemplateTaken
} from "../../../core/model/templates/TemplateErrors.ts"
import {
  DeliveryNotFound,
  DeliveryPending,
  WebhookDisabled,
  WebhookNotFound
} from "../../../core/model/webhooks/WebhookErrors.ts"
import {
  ApiKeyNotFound,
  InsufficientCredits as NotEnoughCredits
} from "../../../core/model/workspaces/WorkspaceErrors.ts"
import { TableRefused, TablesBusy } from "../../../core/ports/TableReader.ts"
import { anyOf, coded } from "./Coded.ts"

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
  readonly status: 400 | 408 | 413 | 415
  readonly message: string
}> {}

export const bodyTooLarge = (max: number) =>
  new BodyRefused({ status: 413, message: `the request body must have at most ${max} bytes` })
export const notJson = new BodyRefused({ status: 400, message: "the body is not valid JSON" })
export const notUtf8 = new BodyRefused({ status: 400, message: "the body is not valid UTF-8" })

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
  anyOf(InvalidInput, NoPhoneNumber, CampaignRefused, TableRefused, HttpApiError.HttpApiDecodeError)
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
  anyOf(ScopeMissing, ApiKeyRequired)
)

export const NotFound = coded(
  "NotFound",
  404,
  "not_found",
  "There is no such record in the workspace",
  "no such call",
  anyOf(
    CallNotFound,
    CallBatchNotFound,
    AgentNotFound,
    AgentVersionNotFound,
    SessionNotFound,
    CampaignNotFound,
    ImportNotFound,
    RecipientNotFound,
    PhoneNumberNotFound,
    NotOnTheList,
    WebhookNotFound,
    DeliveryNotFound,
    SuiteNotFound,
    RunNotFound,
    TemplateNotFound,
    RecordingNotFound,
    ApiKeyNotFound
  )
)

export const Conflict = coded(
  "Conflict",
  409,
  "conflict",
  "The record's state does not allow it",
  "a call with this idempotency_key exists already; it was not dialled again",
  anyOf(
    DuplicateKey,
    CallEnded,
    RecipientTaken,
    RecipientUnderWay,
    PhoneNumberTaken,
    PhoneNumberInUse,
    AgentInUse,
    CampaignUnderWay,
    DeliveryPending,
    WebhookDisabled,
    SuiteNameTaken,
    RunEnded,
    SessionUnderWay,
    TemplateTaken,
    TemplateInSubmission
  ),
  { call_id: "call_01m7xfqwc21byq9pac112pfadf" }
)

export const KeyReused = coded(
  "IdempotencyKeyReused",
  422,
  "invalid_request",
  "The Idempotency-Key was used with another request",
  "the Idempotency-Key was used with another body; nothing was done",
  anyOf(BatchKeyReused)
)

export const RequestTimeout = coded(
  "RequestTimeout",
  408,
  "invalid_request",
  "The request body took too long to arrive",
  "the request took too long to arrive",
  refused(408)
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

export const TooManyRequests = coded(
  "TooManyRequests",
  429,
  "too_many_requests",
  "Too much at one time; the same request may be sent again after Retry-After seconds",
  "scenario generation is rate-limited: try again in 6 seconds",
  anyOf()
)

export const InternalError = coded(
  "InternalError",
  500,
  "internal_error",
  "Something went wrong inside; the request id finds it in the log",
  "something went wrong inside",
  anyOf()
)

export const BadGateway = coded(
  "BadGateway",
  502,
  "bad_gateway",
  "What the service asked for was answered with nothing that could be used",
  "the generator returned no usable scenarios",
  anyOf()
)

export const ServiceUnavailable = coded(
  "ServiceUnavailable",
  503,
  "service_unavailable",
  "Temporarily unavailable; the same request may be sent again after Retry-After seconds",
  "call orchestration is temporarily unavailable; send the same request again later",
  anyOf(CarrierUnavailable, TablesBusy)
)

export const GatewayTimeout = coded(
  "GatewayTimeout",
  504,
  "gateway_timeout",
  "What the service asked for was not answered in time",
  "scenario generation timed out",
  anyOf()
)
