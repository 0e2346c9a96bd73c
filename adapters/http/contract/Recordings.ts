import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Recording } from "../../../core/recordings/Recording.ts"
import { needs } from "../Authentication.ts"
import { ValidationError } from "../Validation.ts"
import * as Examples from "./Examples.ts"
import { operation } from "./Operation.ts"
import { PageOf, SentPaging } from "./Paging.ts"

const list = HttpApiEndpoint.get("list", "/sessions/:session_id/recordings")
  .setPath(Schema.Struct({ session_id: Schema.String.annotations({ description: "The session's id" }) }))
  .setUrlParams(SentPaging)
  .addSuccess(PageOf("RecordingPage", Recording))
  .addError(ValidationError)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listRecordings", {
      summary: "List a session's recordings",
      description:
        "What was recorded of a session, newest first. A call has a session for each of its attempts. A session " +
        "that is unknown has no recordings.",
      scope: "sessions:read",
      addition: false,
      response: Examples.pageOf(Examples.recording),
      errors: { 422: "A parameter breaks its rule; `detail` has every one" }
    })
  )

export const RecordingsGroup = HttpApiGroup.make("recordings")
  .add(list)
  .annotateContext(OpenApi.annotations({ title: "Recordings", description: "What was said on calls." }))
