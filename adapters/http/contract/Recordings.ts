import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Recording } from "../../../core/model/recordings/Recording.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { Id, operation } from "./Operation.ts"
import { PageOf, SentPaging } from "./Paging.ts"
import { ValidationError } from "./Validation.ts"

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
        "that is unknown has no recordings. Each answer has new links to the audio.",
      scope: "sessions:read",
      addition: false,
      response: Examples.pageOf(Examples.recording),
      errors: { 422: "A parameter breaks its rule; `detail` has every one" }
    })
  )

const remove = HttpApiEndpoint.del("remove", "/recordings/:recording_id")
  .setPath(Schema.Struct({ recording_id: Id("The recording's id") }))
  .addSuccess(Recording)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("removeRecording", {
      summary: "Delete a recording",
      description:
        "Deletes the audio, at the carrier too where it is kept there. The record stays, with status `deleted`; " +
        "links to the audio lead nowhere from then on. Deleting it again changes nothing.",
      scope: "sessions:write",
      response: { ...Examples.recording, status: "deleted", url: null, url_expires_at: null }
    })
  )

export const RecordingsGroup = HttpApiGroup.make("recordings")
  .add(list)
  .add(remove)
  .annotateContext(
    OpenApi.annotations({
      title: "Recordings",
      description:
        "What was said on calls: records, with links to the audio. A record is also the `data` of the event " +
        "`recording_completed`. Deleting is an addition."
    })
  )
