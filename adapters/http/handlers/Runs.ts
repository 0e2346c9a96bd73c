import { Effect, Stream } from "effect"
import { Runs } from "../../../core/usecases/Runs.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"
import * as Played from "./Played.ts"

export const layer = Operations.group(
  Api,
  "agent_test_runs",
  Effect.fnUntraced(function* (handlers) {
    const runs = yield* Runs
    return handlers
      .handle("start", ({ payload }) => Json.inWorkspace((id) => runs.start(id, payload.suite_id)))
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(runs.list(id, urlParams, urlParams), (page) => Json.page(urlParams, page))
        )
      )
      .handle("get", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(runs.get(id, path.run_id), (detail) =>
            Json.streamed(Stream.encodeText(Stream.fromIteratorSucceed(Played.texts(detail), 1)))
          )
        )
      )
      .handle("cancel", ({ path }) => Json.inWorkspace((id) => runs.cancel(id, path.run_id)))
  })
)
