import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { AgentNotFound } from "../../../core/model/agents/AgentErrors.ts"
import { JsonObject } from "../../../core/model/Codecs.ts"
import { SessionRecord, Transcript, TrialRecord } from "../../../core/model/conversations/Session.ts"
import { SessionUnderWay } from "../../../core/model/conversations/SessionErrors.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, EventStream, Id, operation } from "./Operation.ts"
import * as Examples from "./SessionExamples.ts"

const Path = Schema.Struct({ session_id: Id("The session's id, as on a call's record") })

export const NewTrial = body("NewTrialConversation", {
  version: Schema.optionalWith(
    Schema.NullOr(Schema.Int.pipe(Schema.positive())).annotations({ default: null }),
    { default: () => null }
  ).annotations({ description: "A version of the agent; null: its draft" }),
  custom_variables: Schema.optionalWith(JsonObject.annotations({ default: {} }), { default: () => ({}) })
})

const tryOut = HttpApiEndpoint.post("tryOut", "/agents/:agent_id/conversations")
  .setPath(Schema.Struct({ agent_id: Id("The agent's id") }))
  .setPayload(NewTrial)
  .addSuccess(TrialRecord)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("tryAgent", {
      summary: "Try an agent out",
      description:
        "Makes a conversation with the agent's draft, or with a version, that no carrier has part in: no number is " +
        "called. The answer's `url` is a WebSocket's, good for a minute. Its client speaks the frames of a relay: it " +
        'begins with `{"type":"setup"}`, says `{"type":"prompt","voicePrompt":"…","last":true}` and hears ' +
        '`{"type":"text","token":"…","last":…}`. Each utterance of the agent costs what one of a test run does.',
      scope: "sessions:write",
      request: { custom_variables: { name: "Ada" } },
      response: Examples.trial,
      failures: { 404: new AgentNotFound({ agent_id: "" }) }
    })
  )

const get = HttpApiEndpoint.get("get", "/sessions/:session_id")
  .setPath(Path)
  .addSuccess(SessionRecord)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getSession", {
      summary: "Read a session",
      description:
        "A conversation: the call and the attempt that it belongs to, the agent's version, its times, how it ended, " +
        "what it cost and how quickly the agent answered, in milliseconds from the request to its model.",
      scope: "sessions:read",
      response: Examples.session
    })
  )

const transcript = HttpApiEndpoint.get("transcript", "/sessions/:session_id/transcript")
  .setPath(Path)
  .addSuccess(Transcript)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getTranscript", {
      summary: "Read what was said",
      description:
        "The turns of agent and callee and the uses of tools, oldest first. The text of an agent's turn is what was " +
        "heard of it; `generated` is there where the agent was about to say more. While the conversation goes on, the " +
        "transcript is at most a second late. It is empty where nothing was talked here, or where it was deleted.",
      scope: "sessions:read",
      response: Examples.transcript
    })
  )

const erase = HttpApiEndpoint.del("erase", "/sessions/:session_id/transcript")
  .setPath(Path)
  .addSuccess(SessionRecord)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("sessions:write"))
  .annotateContext(
    operation("deleteTranscript", {
      summary: "Delete what was said",
      description:
        "Deletes the transcript of a conversation that is over, with its review. The session's record stays. Deleting it " +
        "again changes nothing. Recordings are deleted by themselves, and what a campaign's recipient has answered stays.",
      scope: "sessions:write",
      response: { ...Examples.session, review_status: "none", review: null },
      failures: { 409: new SessionUnderWay({ session_id: "" }) },
      errors: { 409: "The conversation is still under way" }
    })
  )

const events = HttpApiEndpoint.get("events", "/sessions/:session_id/events")
  .setPath(Path)
  .addSuccess(EventStream)
  .addError(Errors.NotFound)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("followSession", {
      summary: "Follow a conversation as it goes on",
      description:
        "Server-sent events, from the first turn on: `turn` with `{number, turn}` for each turn once it is over, and at " +
        "last `over` with the session. A comment is sent every 15 seconds. The stream ends with the conversation.",
      scope: "sessions:read",
      response: Examples.events
    })
  )

export const SessionsGroup = HttpApiGroup.make("sessions")
  .add(tryOut)
  .add(get)
  .add(transcript)
  .add(events)
  .add(erase)
  .annotateContext(
    OpenApi.annotations({
      title: "Sessions",
      description:
        "Conversations that agents hold with callees: what they came to, and what was said. An addition."
    })
  )
