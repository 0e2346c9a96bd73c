import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { AgentsGroup } from "./Agents.ts"
import { ApiKeysGroup } from "./ApiKeys.ts"
import { CallBatchesGroup } from "./CallBatches.ts"
import { CallsGroup } from "./Calls.ts"
import { CampaignsGroup } from "./Campaigns.ts"
import { ChangesGroup } from "./Changes.ts"
import { CreditsGroup } from "./Credits.ts"
import { DoNotCallGroup } from "./DoNotCall.ts"
import * as Errors from "./Errors.ts"
import { PeopleGroup } from "./People.ts"
import { PhoneNumbersGroup } from "./PhoneNumbers.ts"
import { RecipientsGroup } from "./Recipients.ts"
import { RecordingsGroup } from "./Recordings.ts"
import { RunsGroup } from "./Runs.ts"
import { SessionsGroup } from "./Sessions.ts"
import { SimulationsGroup } from "./Simulations.ts"
import { SuitesGroup } from "./Suites.ts"
import { TemplatesGroup } from "./Templates.ts"
import { UsageGroup } from "./Usage.ts"
import { WebhooksGroup } from "./Webhooks.ts"
import { WorkspaceGroup } from "./Workspace.ts"

/** The platform's own error of a request that does not decode, worded as every other error is. */
const empty = Object.assign(HttpApi.make("outdial"), {
  errorSchema: Errors.InvalidRequest
}) as HttpApi.HttpApi<"outdial", never, typeof Errors.InvalidRequest.Type>

/** The customer-facing REST interface, without its base path. */
export const Api = empty
  .add(CallsGroup)
  .add(CallBatchesGroup)
  .add(CampaignsGroup)
  .add(RecipientsGroup)
  .add(SimulationsGroup)
  .add(DoNotCallGroup)
  .add(SuitesGroup)
  .add(RunsGroup)
  .add(AgentsGroup)
  .add(PhoneNumbersGroup)
  .add(RecordingsGroup)
  .add(SessionsGroup)
  .add(TemplatesGroup)
  .add(WebhooksGroup)
  .add(ChangesGroup)
  .add(CreditsGroup)
  .add(PeopleGroup)
  .add(UsageGroup)
  .add(WorkspaceGroup)
  .add(ApiKeysGroup)
  .addError(Errors.InternalError)
  .addError(Errors.ServiceUnavailable)
  .annotateContext(
    OpenApi.annotations({
      title: "Outdial",
      version: "v0",
      summary: "Outbound voice-agent calls, campaigns and agent tests",
      description:
        "Places outbound phone calls with voice agents, one by one or as campaigns over many recipients, and tests " +
        "agents against simulated personas.\n\n" +
        "Every request carries a credential: an API key in `X-API-KEY`, or a bearer token; the key wins when " +
        "both are given. Bodies are JSON in UTF-8 but for uploaded files, times ISO 8601 in UTC. Every answer has an `X-Request-Id`, " +
        "the one that was sent if it is 1 to 64 letters, digits, dots, underscores and hyphens.\n\n" +
        "Every error body is `{error: {code, message, details?}}`; the campaign update and the list of recordings " +
        "answer invalid input with 422 and `{detail: [{loc, msg, type, input, ctx}]}`. A path that does not exist is 404 " +
        "`not_found`; a method that the path does not have is 405 `invalid_request` with `Allow`; a request " +
        "that takes too long to arrive is 408 `invalid_request`. Lists are newest first.\n\n" +
        "Operations marked `x-addition` go beyond the service's published interface.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  )

/** All of its operations. `HttpApi.reflect` would work out the schemas of each one's answers, which takes a while. */
export const endpoints: ReadonlyArray<HttpApiEndpoint.HttpApiEndpoint.AnyWithProps> = Object.values(
  Api.groups as unknown as Readonly<Record<string, HttpApiGroup.HttpApiGroup.AnyWithProps>>
).flatMap(({ endpoints }) => Object.values(endpoints))
