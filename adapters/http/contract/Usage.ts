import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Usage } from "../../../core/model/workspaces/Usage.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import { operation } from "./Operation.ts"
import { UsageQuery } from "./Queries.ts"
import * as Examples from "./WorkspaceExamples.ts"

const report = HttpApiEndpoint.get("report", "/usage")
  .setUrlParams(UsageQuery)
  .addSuccess(Usage)
  .addError(Errors.InvalidRequest)
  .middleware(needs("workspace:read"))
  .annotateContext(
    operation("getUsage", {
      summary: "Read what was used",
      description:
        "Attempts, persons reached, minutes of talk, messages, turns and credits, by day, campaign or agent. `from` is " +
        "the first of the month by default, `until` now; both count in whole hours of UTC, at most 366 days. An attempt " +
        "counts in the hour in which it began, a charge in the hour in which it was made.",
      scope: "workspace:read",
      response: Examples.usage
    })
  )

export const UsageGroup = HttpApiGroup.make("usage")
  .add(report)
  .annotateContext(
    OpenApi.annotations({ title: "Usage", description: "What a workspace has used. An addition." })
  )
