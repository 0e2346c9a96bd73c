import { Effect } from "effect"
import { UsageReports } from "../../../core/usecases/UsageReports.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "usage",
  Effect.fnUntraced(function* (handlers) {
    const { report } = yield* UsageReports
    return handlers.handle("report", ({ urlParams }) => Json.inWorkspace((id) => report(id, urlParams)))
  })
)
