import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { CallAttemptRecord } from "../../../core/model/calls/Attempt.ts"
import { CallRecord } from "../../../core/model/calls/Call.ts"
import { CallEnded } from "../../../core/model/calls/CallErrors.ts"
import { PlaceCallBody } from "../../../core/model/calls/PlaceCall.ts"
import { Transition } from "../../../core/model/calls/Transition.ts"
import { PhoneNumberNotFound } from "../../../core/model/numbers/PhoneNumberErrors.ts"
import { needs, needsApiKey } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { Id, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import { CallQuery } from "./Queries.ts"

const Path = Schema.Struct({ call_id: Id("The call's id") })

const place = HttpApiEndpoint.post("place", "/calls")
  .setPayload(PlaceCallBody)
  .addSuccess(CallRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.InsufficientCredits)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needsApiKey("sessions:write"))
  .annotateContext(
    operation("placeCall", {
      summary: "Place a call",
      description:
        "Places one outbound call. The answer comes at once, before anything is dialled; whether the agent is " +
        "published and has the voice channel is checked when the call is dialled. The price of a minute is " +
        "held until the call ends. `metadata` is echoed byte for byte, here and on every webhook event.",
      scope: "sessions:write",
      apiKeyOnly: true,
      addition: false,
      request: Examples.placeCall,
      response: Examples.call,
      failures: { 404: new PhoneNumberNotFound({ phone_number_id: "" }) },
      errors: {
        400: "A property breaks its rule (such as `max_call_length` above 3600), is missing or is not permitted; or the workspace has no phone number to dial from",
        402: "Insufficient credits",
        403: "The credential is not an API key, or lacks the scope",
        404: "`from_phone_number_id` names no phone number in the workspace",
        409: "Duplicate `idempotency_key`: `details.call_id` is the call that has it, and nothing was dialled",
        503: "Call orchestration is temporarily unavailable; the key is not used up"
      }
    })
  )

const list = HttpApiEndpoint.get("list", "/calls")
  .setUrlParams(CallQuery)
  .addSuccess(PageOf("CallPage", CallRecord))
  .addError(Errors.InvalidRequest)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listCalls", {
      summary: "List calls",
      description: "The workspace's calls, newest first.",
      scope: "sessions:read",
      response: Examples.pageOf(Examples.call)
    })
  )

const get = HttpApiEndpoint.get("get", "/calls/:call_id")
  .setPath(Path)
  .addSuccess(CallRecord)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getCall", {
      summary: "Read a call",
      description: "The call as it stands now.",
      scope: "sessions:read",
      response: Examples.call
    })
  )

const attempts = HttpApiEndpoint.get("attempts", "/calls/:call_id/attempts")
  .setPath(Path)
  .addSuccess(
    Schema.Struct({ data: Schema.Array(CallAttemptRecord) }).annotations({ identifier: "CallAttempts" })
  )
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listCallAttempts", {
      summary: "List a call's attempts",
      description:
        "Every dial of the call, oldest first, at most ten: its session, its outcome, the carrier's `error_code`, its " +
        "seconds of talk and what was charged for it.",
      scope: "sessions:read",
      response: { data: [Examples.callAttempt] }
    })
  )

const events = HttpApiEndpoint.get("events", "/calls/:call_id/events")
  .setPath(Path)
  .addSuccess(Schema.Struct({ data: Schema.Array(Transition) }).annotations({ identifier: "CallEvents" }))
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listCallEvents", {
      summary: "List what became of a call",
      description:
        "Every transition of the call, oldest first: what it became, when, and why. Of a call that an earlier version " +
        "of the server has placed, those since; of a call with very many, the last hundred or more.",
      scope: "sessions:read",
      response: Examples.callEvents
    })
  )

const cancel = HttpApiEndpoint.post("cancel", "/calls/:call_id/cancel")
  .setPath(Path)
  .addSuccess(CallRecord)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("cancelCall", {
      summary: "Cancel a call",
      description:
        "A call that waits is cancelled at once. One under way is hung up, and is cancelled when its carrier " +
        "has done so; until then the answer shows it as it stands.",
      scope: "sessions:write",
      response: Examples.cancelledCall,
      failures: { 409: new CallEnded({ call_id: "" }) },
      errors: { 409: "The call has ended already" }
    })
  )

export const CallsGroup = HttpApiGroup.make("calls")
  .add(place)
  .add(list)
  .add(get)
  .add(attempts)
  .add(events)
  .add(cancel)
  .annotateContext(
    OpenApi.annotations({
      title: "Calls",
      description: "Single outbound calls. Reading, listing and cancelling them are additions."
    })
  )
