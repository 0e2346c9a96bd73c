import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { CarrierState } from "../../../core/model/calls/CarrierState.ts"
import { ToolSecret } from "../../../core/model/webhooks/SigningSecret.ts"
import { AuditEntry } from "../../../core/model/workspaces/Audit.ts"
import { settings, Workspace } from "../../../core/model/workspaces/Workspace.ts"
import { needs } from "./Authentication.ts"
import { pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import { AuditQuery } from "./Queries.ts"
import * as Examples from "./WorkspaceExamples.ts"

export const WorkspaceChange = body("WorkspaceChange", {
  name: Schema.optional(settings.name),
  max_concurrency: Schema.optional(settings.max_concurrency),
  calls_per_second: Schema.optional(settings.calls_per_second),
  allowed_countries: Schema.optional(settings.allowed_countries),
  allow_costly_destinations: Schema.optional(settings.allow_costly_destinations),
  indexed_metadata_keys: Schema.optional(settings.indexed_metadata_keys),
  recording_retention_days: Schema.optional(settings.recording_retention_days),
  transcript_retention_days: Schema.optional(settings.transcript_retention_days),
  call_retention_days: Schema.optional(settings.call_retention_days)
})

const get = HttpApiEndpoint.get("get", "/workspace")
  .addSuccess(Workspace)
  .middleware(needs("workspace:read"))
  .annotateContext(
    operation("getWorkspace", {
      summary: "Read the workspace",
      description: "The workspace that the credential belongs to, with what it may do.",
      scope: "workspace:read",
      response: Examples.workspace
    })
  )

const update = HttpApiEndpoint.patch("update", "/workspace")
  .setPayload(WorkspaceChange)
  .addSuccess(Workspace)
  .middleware(JsonBody)
  .middleware(needs("workspace:write"))
  .annotateContext(
    operation("updateWorkspace", {
      summary: "Change the workspace",
      description:
        "Changes what is given. `max_concurrency`: calls under way at one time. `calls_per_second`: dials started in " +
        "any one second. `allowed_countries`: ISO 3166 codes of two letters; when there is none, all may be called. " +
        "`allow_costly_destinations`: whether premium-rate and satellite numbers may be called. " +
        "`indexed_metadata_keys`: up to 10 keys at the top of `metadata`, and variables of recipients, by whose values calls and recipients can be found. Dials " +
        "from then on go by it.\n" +
        "`recording_retention_days`, `transcript_retention_days`: 1 to 36,500 days after which recordings, and what " +
        "was said in conversations, are deleted; null, the default: as long as the deployment keeps them. " +
        "`call_retention_days`: days after the end of a call or message after which what is personal of it is " +
        "erased, as `POST /people/erase` does, with its recordings, its transcript and its recipient; null, the " +
        "default: never. Numbers, times, outcomes and charges of the calls that were made stay in lists and sums. " +
        "What is due is looked for each hour.",
      scope: "workspace:write",
      request: { name: "Acme", max_concurrency: 50 },
      response: Examples.workspace
    })
  )

const toolSecret = HttpApiEndpoint.get("toolSecret", "/workspace/tool-secret")
  .addSuccess(ToolSecret)
  .middleware(needs("workspace:write"))
  .annotateContext(
    operation("getToolSecret", {
      summary: "Read the secret of the agents' tools",
      description:
        "What requests to the agents' own tools are signed with, as Standard Webhooks are: a tool verifies by it that " +
        "the platform has sent a request.",
      scope: "workspace:write",
      response: Examples.toolSecret
    })
  )

const rotateToolSecret = HttpApiEndpoint.post("rotateToolSecret", "/workspace/tool-secret/rotate")
  .addSuccess(ToolSecret)
  .middleware(needs("workspace:write"))
  .annotateContext(
    operation("rotateToolSecret", {
      summary: "Rotate the secret of the agents' tools",
      description:
        "Makes a new one. For 24 hours requests carry two signatures: of the new one, and of the one before.",
      scope: "workspace:write",
      response: { ...Examples.toolSecret, previous_secret_until: "2026-03-03T11:02:31.000Z" }
    })
  )

const carriers = HttpApiEndpoint.get("carriers", "/carriers")
  .addSuccess(
    Schema.Struct({ data: Schema.Array(CarrierState) }).annotations({ identifier: "CarrierStates" })
  )
  .middleware(needs("workspace:read"))
  .annotateContext(
    operation("listCarriers", {
      summary: "Read whether the carriers answer",
      description:
        "How the carriers of calls and of messages are, as the process that answers sees them. `/health/ready` tells " +
        "the same of calls to who has no credential.",
      scope: "workspace:read",
      response: Examples.carriers
    })
  )

const audit = HttpApiEndpoint.get("audit", "/audit-log")
  .setUrlParams(AuditQuery)
  .addSuccess(PageOf("AuditPage", AuditEntry))
  .middleware(needs("workspace:read"))
  .annotateContext(
    operation("listAuditLog", {
      summary: "List who changed what",
      description:
        "The operations that have changed something in the workspace, newest first: by which API key or token, on which " +
        "record, and when. Single calls, batches, simulations and conversations that try an agent out are not among " +
        "them. Nothing of what was sent is kept, and no phone number.",
      scope: "workspace:read",
      response: pageOf(Examples.auditEntry)
    })
  )

export const WorkspaceGroup = HttpApiGroup.make("workspace")
  .add(get)
  .add(update)
  .add(audit)
  .add(carriers)
  .add(toolSecret)
  .add(rotateToolSecret)
  .annotateContext(
    OpenApi.annotations({
      title: "Workspace",
      description: "The tenant that agents, phone numbers, calls and credits belong to. An addition."
    })
  )
