import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Agent, AgentRecord, AgentVersion } from "../../../core/model/agents/Agent.ts"
import { AgentInUse } from "../../../core/model/agents/AgentErrors.ts"
import { standardTalk } from "../../../core/model/agents/Talk.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, Deleted, Id, operation } from "./Operation.ts"
import { PageOf, PageQuery } from "./Paging.ts"
import { AgentQuery } from "./Queries.ts"

const { channel, first_message, language, name, prompt, voice } = Agent.fields
const { backchannels, interruptible, model, nudge, review, speech, tools } = Agent.fields
const { transcription, transfers, voicemail } = Agent.fields
const { idle_timeout_end, idle_timeout_warning, max_call_length } = Agent.fields

const or = <A, I>(schema: Schema.Schema<A, I>, fallback: NoInfer<A>) =>
  Schema.optionalWith(schema.annotations({ default: fallback }), { default: () => fallback })

export const NewAgent = body("NewAgent", {
  name,
  prompt,
  channel: or(channel, "voice"),
  first_message: or(first_message, ""),
  voice: or(voice, "default"),
  language: or(language, "en-US"),
  idle_timeout_warning: or(idle_timeout_warning, 10),
  idle_timeout_end: or(idle_timeout_end, 30),
  max_call_length: or(max_call_length, 3600),
  model: or(model, standardTalk.model),
  tools: or(tools, standardTalk.tools),
  transfers: or(transfers, standardTalk.transfers),
  voicemail: or(voicemail, standardTalk.voicemail),
  nudge: or(nudge, standardTalk.nudge),
  interruptible: or(interruptible, standardTalk.interruptible),
  backchannels: or(backchannels, standardTalk.backchannels),
  transcription: or(transcription, standardTalk.transcription),
  speech: or(speech, standardTalk.speech),
  review: or(review, standardTalk.review)
})

export const AgentChange = body("AgentChange", {
  name: Schema.optional(name),
  prompt: Schema.optional(prompt),
  channel: Schema.optional(channel),
  first_message: Schema.optional(first_message),
  voice: Schema.optional(voice),
  language: Schema.optional(language),
  idle_timeout_warning: Schema.optional(idle_timeout_warning),
  idle_timeout_end: Schema.optional(idle_timeout_end),
  max_call_length: Schema.optional(max_call_length),
  model: Schema.optional(model),
  tools: Schema.optional(tools),
  transfers: Schema.optional(transfers),
  voicemail: Schema.optional(voicemail),
  nudge: Schema.optional(nudge),
  interruptible: Schema.optional(interruptible),
  backchannels: Schema.optional(backchannels),
  transcription: Schema.optional(transcription),
  speech: Schema.optional(speech),
  review: Schema.optional(review)
})

const Path = Schema.Struct({ agent_id: Id("The agent's id") })
const VersionPath = Schema.Struct({
  agent_id: Id("The agent's id"),
  version: Id("The version's number, from 1")
})

const create = HttpApiEndpoint.post("create", "/agents")
  .setPayload(NewAgent)
  .addSuccess(AgentRecord)
  .middleware(JsonBody)
  .middleware(needs("agents:write"))
  .annotateContext(
    operation("createAgent", {
      summary: "Create an agent",
      description:
        "A new agent is unpublished. By default it speaks on the voice channel, in en-US, with the voice " +
        "`default`, says nothing first, nudges after 10 seconds of silence, hangs up after 30 and talks for " +
        "an hour at most. Timeouts are seconds.",
      scope: "agents:write",
      request: Examples.agentDraft,
      response: Examples.agent
    })
  )

const list = HttpApiEndpoint.get("list", "/agents")
  .setUrlParams(AgentQuery)
  .addSuccess(PageOf("AgentPage", AgentRecord))
  .middleware(needs("agents:read"))
  .annotateContext(
    operation("listAgents", {
      summary: "List agents",
      description: "The workspace's agents, newest first.",
      scope: "agents:read",
      response: Examples.pageOf(Examples.agent)
    })
  )

const get = HttpApiEndpoint.get("get", "/agents/:agent_id")
  .setPath(Path)
  .addSuccess(AgentRecord)
  .addError(Errors.NotFound)
  .middleware(needs("agents:read"))
  .annotateContext(
    operation("getAgent", {
      summary: "Read an agent",
      description: "The agent as it stands now.",
      scope: "agents:read",
      response: Examples.agent
    })
  )

const update = HttpApiEndpoint.patch("update", "/agents/:agent_id")
  .setPath(Path)
  .setPayload(AgentChange)
  .addSuccess(AgentRecord)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("agents:write"))
  .annotateContext(
    operation("updateAgent", {
      summary: "Change an agent",
      description:
        "Changes what is given of the draft. Calls talk with the version that was published last: publish the " +
        "agent to let them meet the change.",
      scope: "agents:write",
      request: { first_message: "Good morning." },
      response: { ...Examples.agent, first_message: "Good morning." }
    })
  )

const publish = HttpApiEndpoint.post("publish", "/agents/:agent_id/publish")
  .setPath(Path)
  .addSuccess(AgentRecord)
  .addError(Errors.NotFound)
  .middleware(needs("agents:write"))
  .annotateContext(
    operation("publishAgent", {
      summary: "Publish an agent",
      description:
        "Makes the draft the next version, which calls that are dialled from now on talk with. Publishing an agent " +
        "without unpublished changes makes no version.",
      scope: "agents:write",
      response: { ...Examples.agent, published: true, version: 1 }
    })
  )

const unpublish = HttpApiEndpoint.post("unpublish", "/agents/:agent_id/unpublish")
  .setPath(Path)
  .addSuccess(AgentRecord)
  .addError(Errors.NotFound)
  .middleware(needs("agents:write"))
  .annotateContext(
    operation("unpublishAgent", {
      summary: "Unpublish an agent",
      description: "Calls that are dialled with it from now on fail.",
      scope: "agents:write",
      response: Examples.agent
    })
  )

const versions = HttpApiEndpoint.get("versions", "/agents/:agent_id/versions")
  .setPath(Path)
  .setUrlParams(PageQuery)
  .addSuccess(PageOf("AgentVersionPage", AgentVersion))
  .addError(Errors.NotFound)
  .middleware(needs("agents:read"))
  .annotateContext(
    operation("listAgentVersions", {
      summary: "List an agent's versions",
      description: "What was published, newest first.",
      scope: "agents:read",
      response: Examples.pageOf(Examples.agentVersion)
    })
  )

const version = HttpApiEndpoint.get("version", "/agents/:agent_id/versions/:version")
  .setPath(VersionPath)
  .addSuccess(AgentVersion)
  .addError(Errors.NotFound)
  .middleware(needs("agents:read"))
  .annotateContext(
    operation("getAgentVersion", {
      summary: "Read a version of an agent",
      description: "The agent as it was published.",
      scope: "agents:read",
      response: Examples.agentVersion
    })
  )

const publishVersion = HttpApiEndpoint.post("publishVersion", "/agents/:agent_id/versions/:version/publish")
  .setPath(VersionPath)
  .addSuccess(AgentRecord)
  .addError(Errors.NotFound)
  .middleware(needs("agents:write"))
  .annotateContext(
    operation("publishAgentVersion", {
      summary: "Publish an older version of an agent",
      description: "Calls that are dialled from now on talk with that version. The draft stays as it is.",
      scope: "agents:write",
      response: { ...Examples.agent, published: true, version: 1, unpublished_changes: true }
    })
  )

const remove = HttpApiEndpoint.del("remove", "/agents/:agent_id")
  .setPath(Path)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("agents:write"))
  .annotateContext(
    operation("deleteAgent", {
      summary: "Delete an agent",
      description:
        "Deletes the agent with its versions, while nothing uses it. Calls that have ended keep its id.",
      scope: "agents:write",
      response: Examples.deleted(Examples.ids.agent),
      failures: { 409: new AgentInUse({ user: "campaign_id", id: Examples.ids.campaign }) },
      errors: {
        409: "A campaign that has not ended, a call that is not done or a test suite names it: `details` has its id"
      }
    })
  )

export const AgentsGroup = HttpApiGroup.make("agents")
  .add(create)
  .add(list)
  .add(get)
  .add(update)
  .add(publish)
  .add(unpublish)
  .add(versions)
  .add(version)
  .add(publishVersion)
  .add(remove)
  .annotateContext(
    OpenApi.annotations({ title: "Agents", description: "What is said in a call, and how. An addition." })
  )
