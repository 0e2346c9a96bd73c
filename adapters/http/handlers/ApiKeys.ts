import { Effect } from "effect"
import { type KeyChange, Workspaces } from "../../../core/usecases/Workspaces.ts"
import { Api } from "../contract/Api.ts"
import { CurrentPrincipal } from "../contract/Authentication.ts"
import { ScopeMissing } from "../contract/Errors.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "api_keys",
  Effect.fnUntraced(function* (handlers) {
    const workspaces = yield* Workspaces
    return handlers
      .handle(
        "create",
        Effect.fnUntraced(function* ({ payload }) {
          const { scopes, workspace_id } = yield* CurrentPrincipal
          const missing = payload.scopes.find((scope) => !scopes.has(scope))
          if (missing !== undefined) return yield* new ScopeMissing({ scope: missing })
          const { apiKey, key } = yield* Effect.orDie(workspaces.createKey(workspace_id, payload))
          return { ...apiKey, key }
        })
      )
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(workspaces.keys(id, urlParams), (found) => Json.page(urlParams, found))
        )
      )
      .handle("update", ({ path, payload }) =>
        Json.inWorkspace((id) => workspaces.updateKey(id, path.key_id, Json.given<KeyChange>(payload)))
      )
      .handle("revoke", ({ path }) => Json.inWorkspace((id) => workspaces.revokeKey(id, path.key_id)))
  })
)
