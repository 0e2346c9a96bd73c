import { Effect } from "effect"
import type { WorkspaceChange } from "../../../core/model/workspaces/Workspace.ts"
import { AuditLog } from "../../../core/usecases/AuditLog.ts"
import { Carriers } from "../../../core/usecases/Carriers.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "workspace",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    const log = yield* AuditLog
    const carriers = yield* Carriers
    return (
      handlers
        // The workspace of a credential is there: Authentication looks for it.
        .handle("get", () => Json.inWorkspace((id) => Effect.orDie(workspaces.get(id))))
        .handle("update", ({ payload }) =>
          Json.inWorkspace((id) => Effect.orDie(workspaces.update(id, Json.given<WorkspaceChange>(payload))))
        )
        .handle("audit", ({ urlParams }) =>
          Json.inWorkspace((id) =>
            Effect.map(log.list(id, urlParams, urlParams), (found) => Json.page(urlParams, found))
          )
        )
        .handle("carriers", () => Effect.map(carriers.states(), (data) => ({ data })))
        .handle("toolSecret", () => Json.inWorkspace((id) => Effect.orDie(workspaces.toolSecret(id))))
        .handle("rotateToolSecret", () =>
          Json.inWorkspace((id) => Effect.orDie(workspaces.rotateToolSecret(id)))
        )
    )
  })
)
