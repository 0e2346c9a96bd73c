import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { AgentNotFound } from "../../../core/model/agents/AgentErrors.ts"
import { AttemptRecord } from "../../../core/model/calls/Attempt.ts"
import { CampaignRecord } from "../../../core/model/campaigns/Campaign.ts"
import { CreateCampaignBody, UpdateCampaignBody } from "../../../core/model/campaigns/CampaignBody.ts"
import { CampaignUnderWay } from "../../../core/model/campaigns/CampaignErrors.ts"
import { CampaignProgress, maxPoints } from "../../../core/model/campaigns/CampaignProgress.ts"
import { needs } from "./Authentication.ts"
import * as Examples from "./CampaignExamples.ts"
import * as Errors from "./Errors.ts"
import { deleted, ids, pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { Deleted, Id, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import { AttemptQuery, CampaignQuery, ProgressQuery } from "./Queries.ts"
import { ValidationError } from "./Validation.ts"

export const CampaignPath = Schema.Struct({ campaign_id: Id("The campaign's id") })

const create = HttpApiEndpoint.post("create", "/campaigns")
  .setPayload(CreateCampaignBody)
  .addSuccess(CampaignRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("createCampaign", {
      summary: "Create a campaign",
      description:
        "A campaign is created as a draft, or scheduled when `scheduled_for` says when it is to start. It dials " +
        "once it has recipients and is started. `metadata` is on every webhook event of its calls, byte for byte.\n\n" +
        "With `channel` `msg`, and an agent of that channel, it sends a message template to each recipient instead: " +
        "`template.variables` names, for every placeholder, the variable of the recipient that fills it, such as " +
        `\`${JSON.stringify(Examples.messages)}\`. Caps, pace, calling window and retries are the same; ` +
        "`retry_failed` is for messages that failed. A message is under way until its delivery is told, for ten " +
        "minutes at most, and then counts as sent; it takes none of the workspace's lines. A recipient who has nothing for a placeholder fails without an " +
        "attempt. Messages have no webhook events.",
      scope: "campaigns:write",
      request: Examples.draft,
      response: Examples.campaign,
      failures: { 404: new AgentNotFound({ agent_id: "" }) },
      errors: {
        400:
          "A property breaks its rule, is missing or is not permitted; the workspace has no phone number to dial " +
          "from; `template` is missing with channel msg or given without, leaves a placeholder open or names one " +
          "that the template does not have",
        404:
          "`agent_id` names no agent, `from_phone_number_id` no phone number, or `template.id` no message " +
          "template, of the workspace"
      }
    })
  )

const list = HttpApiEndpoint.get("list", "/campaigns")
  .setUrlParams(CampaignQuery)
  .addSuccess(PageOf("CampaignPage", CampaignRecord))
  .addError(Errors.InvalidRequest)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("listCampaigns", {
      summary: "List campaigns",
      description: "The workspace's campaigns, newest first, with their counters.",
      scope: "campaigns:read",
      addition: false,
      response: pageOf(Examples.running)
    })
  )

const get = HttpApiEndpoint.get("get", "/campaigns/:campaign_id")
  .setPath(CampaignPath)
  .addSuccess(CampaignRecord)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("getCampaign", {
      summary: "Read a campaign",
      description: "The campaign as it stands now, with its counters.",
      scope: "campaigns:read",
      response: Examples.running
    })
  )

const update = HttpApiEndpoint.patch("update", "/campaigns/:campaign_id")
  .setPath(CampaignPath)
  .setPayload(UpdateCampaignBody)
  .addSuccess(CampaignRecord)
  .addError(Errors.NotFound)
  .addError(ValidationError)
  .middleware(JsonBody)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("updateCampaign", {
      summary: "Change, pause or cancel a campaign",
      description:
        "Changes what is given. `status` `paused` dials no more until the campaign is started again, and calls " +
        "under way come to their end; `cancelled` is for good, and skips the recipients that are left. While it " +
        "runs only `name`, `max_concurrency`, `calls_per_minute`, `call_config` and `status` may change, after " +
        "its end only `name` and `metadata`. `template` is for campaigns of channel msg, and checked as on creation.",
      scope: "campaigns:write",
      addition: false,
      request: { status: "paused" },
      response: Examples.paused,
      errors: {
        422: "The body is not valid JSON, a property breaks its rule or is not permitted, or may not change now; `detail` has every one"
      }
    })
  )

const start = HttpApiEndpoint.post("start", "/campaigns/:campaign_id/start")
  .setPath(CampaignPath)
  .addSuccess(CampaignRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("startCampaign", {
      summary: "Start or resume a campaign",
      description:
        "Starts a run, or resumes a paused one; a running campaign is left as it is. There is no request body, " +
        "and one that is sent is ignored.",
      scope: "campaigns:write",
      addition: false,
      response: Examples.running,
      errors: {
        400: "The campaign has no recipient, is completed or is cancelled; or its message template is not approved",
        503: "The campaign engine is not available; the campaign is as it was"
      }
    })
  )

const remove = HttpApiEndpoint.del("remove", "/campaigns/:campaign_id")
  .setPath(CampaignPath)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("deleteCampaign", {
      summary: "Delete a campaign",
      description:
        "Deletes a campaign that dials no more (a draft, or one that is completed, cancelled or failed and has no call " +
        "under way) with its recipients and imports. It is cancelled first, and deleted piece by piece: what an " +
        "interruption has left is deleted by the same request. Its calls and attempts stay.",
      scope: "campaigns:write",
      response: deleted(ids.campaign),
      failures: { 409: new CampaignUnderWay() },
      errors: { 409: "The campaign is scheduled, runs or is paused, or has calls under way" }
    })
  )

const attempts = HttpApiEndpoint.get("attempts", "/campaigns/:campaign_id/attempts")
  .setPath(CampaignPath)
  .setUrlParams(AttemptQuery)
  .addSuccess(PageOf("AttemptPage", AttemptRecord))
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("listAttempts", {
      summary: "List a campaign's attempts",
      description:
        "Every dial for a recipient of the campaign, or every message sent, newest first. Of a message " +
        "`provider_message_id` is what its provider calls it, and `error_code` and `error_message` are the provider's.",
      scope: "campaigns:read",
      addition: false,
      response: pageOf(Examples.attempt)
    })
  )

const progress = HttpApiEndpoint.get("progress", "/campaigns/:campaign_id/progress")
  .setPath(CampaignPath)
  .setUrlParams(ProgressQuery)
  .addSuccess(CampaignProgress)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("getCampaignProgress", {
      summary: "Follow a campaign",
      description:
        "The campaign's counters, and how its attempts ended over time: one point for each interval in which " +
        `any did, at most ${maxPoints}. A \`from\` that is too early for that is moved.`,
      scope: "campaigns:read",
      response: Examples.progress
    })
  )

export const CampaignsGroup = HttpApiGroup.make("campaigns")
  .add(create)
  .add(list)
  .add(get)
  .add(update)
  .add(start)
  .add(remove)
  .add(attempts)
  .add(progress)
  .annotateContext(
    OpenApi.annotations({
      title: "Campaigns",
      description:
        "One agent calls many recipients, or writes to them, within its calling window, its caps and its pace."
    })
  )
