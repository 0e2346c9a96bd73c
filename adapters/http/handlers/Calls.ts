import { Effect } from "effect"
import { toCallRecord } from "../../../core/model/calls/Attempt.ts"
import * as PlaceCall from "../../../core/model/calls/PlaceCall.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Api } from "../contract/Api.ts"
import { byPrefix } from "../contract/Values.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "calls",
  Effect.fnUntraced(function* (handlers) {
    const calls = yield* Calls
    return handlers
      .handleRaw("place", ({ request }) =>
        Json.inWorkspace((id) =>
          Json.text(request).pipe(
            Effect.flatMap(PlaceCall.fromJson),
            Effect.flatMap((wanted) => calls.place(id, wanted)),
            Effect.map(Json.call)
          )
        )
      )
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(
            calls.list(id, { ...urlParams, metadata: byPrefix(urlParams, "metadata") }, urlParams),
            (page) => Json.callPage(urlParams, page)
          )
        )
      )
      .handle("get", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(calls.get(id, path.call_id), Json.call))
      )
      .handle("attempts", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(calls.attempts(id, path.call_id), (attempts) => ({ data: attempts.map(toCallRecord) }))
        )
      )
      .handle("events", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(calls.transitions(id, path.call_id), (data) => ({ data })))
      )
      .handle("cancel", ({ path }) =>
        Json.inWorkspace((id) => Effect.map(calls.cancel(id, path.call_id), Json.call))
      )
  })
)
