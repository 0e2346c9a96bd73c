import { Effect } from "effect"
import { fromJson, recordOf } from "../../../core/model/calls/CallBatch.ts"
import { CallBatches } from "../../../core/usecases/CallBatches.ts"
import { Api } from "../contract/Api.ts"
import { maxBodyBytes } from "../contract/CallBatches.ts"
import * as IdempotencyKey from "../contract/IdempotencyKey.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "callBatches",
  Effect.fnUntraced(function* (handlers) {
    const batches = yield* CallBatches
    return handlers
      .handleRaw("create", ({ request }) =>
        Json.inWorkspace((id) =>
          Effect.gen(function* () {
            const key = yield* IdempotencyKey.of(request)
            const wanted = yield* fromJson(yield* Json.longText(request, maxBodyBytes))
            return Json.json(JSON.stringify(recordOf(yield* batches.create(id, wanted, key))))
          })
        )
      )
      .handleRaw("get", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(batches.get(id, path.batch_id), (state) => Json.json(JSON.stringify(recordOf(state))))
        )
      )
      .handleRaw("cancel", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(batches.cancel(id, path.batch_id), (state) => Json.json(JSON.stringify(recordOf(state))))
        )
      )
  })
)
