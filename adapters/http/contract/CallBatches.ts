import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { CallBatchBody, CallBatchRecord } from "../../../core/model/calls/CallBatch.ts"
import { needs, needsApiKey } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { Id, operation } from "./Operation.ts"

/** Bytes that the body of a batch may have. */
export const maxBodyBytes = 5_000_000

const Path = Schema.Struct({ batch_id: Id("The batch's id") })

const create = HttpApiEndpoint.post("create", "/call-batches")
  .setPayload(CallBatchBody)
  .addSuccess(CallBatchRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.KeyReused)
  .middleware(JsonBody)
  .middleware(needsApiKey("sessions:write"))
  .annotateContext(
    operation("createCallBatch", {
      summary: "Place many calls",
      description:
        "Places up to 1,000 calls, each as `POST /calls` would, and tells of each what became of it: created, a " +
        "duplicate of a call that has its `idempotency_key`, or refused and why. One that is refused stops no other. " +
        "The body has at most 5 MB.\n\n" +
        "Calls are accepted a hundred at a time: a server that dies in between has accepted whole hundreds. The same " +
        "request with the same `Idempotency-Key` goes on behind them and places nothing twice.",
      scope: "sessions:write",
      apiKeyOnly: true,
      request: { calls: [Examples.placeCall], scheduled_for: "2090-03-02T10:00:00Z" },
      response: Examples.callBatch,
      errors: {
        400: "The body itself breaks a rule; a call that breaks one is refused alone",
        403: "The credential is not an API key, or lacks the scope",
        422: "The `Idempotency-Key` was used with another body",
        503: "Call orchestration is temporarily unavailable; nothing was placed"
      }
    })
  )

const get = HttpApiEndpoint.get("get", "/call-batches/:batch_id")
  .setPath(Path)
  .addSuccess(CallBatchRecord)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getCallBatch", {
      summary: "Read a batch of calls",
      description:
        "What became of each call of the batch when it was accepted, and, in `statuses`, how many of the calls that were " +
        "created stand how by now.",
      scope: "sessions:read",
      response: Examples.callBatch
    })
  )

const cancel = HttpApiEndpoint.post("cancel", "/call-batches/:batch_id/cancel")
  .setPath(Path)
  .addSuccess(CallBatchRecord)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("cancelCallBatch", {
      summary: "Cancel a batch of calls",
      description:
        "Cancels every call that the batch has created and that has not ended, as `POST /calls/{call_id}/cancel` does. " +
        "Calls of the batch that come later are refused.",
      scope: "sessions:write",
      response: { ...Examples.callBatch, status: "cancelled", cancelled_at: Examples.created_at }
    })
  )

export const CallBatchesGroup = HttpApiGroup.make("callBatches")
  .add(create)
  .add(get)
  .add(cancel)
  .annotateContext(
    OpenApi.annotations({ title: "Call batches", description: "Many calls in one request. An addition." })
  )
