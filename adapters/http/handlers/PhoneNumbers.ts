import { Effect } from "effect"
import { AvailableNumbers } from "../../../core/usecases/AvailableNumbers.ts"
import { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import { Api } from "../contract/Api.ts"
import { wantedOf } from "../contract/AvailableNumbers.ts"
import * as Inventory from "./Inventory.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "phone_numbers",
  Effect.fnUntraced(function* (handlers) {
    const numbers = yield* PhoneNumbers
    const { browse } = yield* AvailableNumbers
    return handlers
      .handle("add", ({ payload }) => Json.inWorkspace((id) => numbers.add(id, payload)))
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(numbers.list(id, urlParams), (page) => Json.page(urlParams, page))
        )
      )
      .handle("available", ({ urlParams }) =>
        browse(wantedOf(urlParams), urlParams.limit).pipe(
          Effect.map((data) => ({ data })),
          Effect.catchTags(Inventory.failures)
        )
      )
      .handle("get", ({ path }) => Json.inWorkspace((id) => numbers.get(id, path.phone_number_id)))
      .handle("update", ({ path, payload }) =>
        Json.inWorkspace((id) => numbers.update(id, path.phone_number_id, payload))
      )
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.as(numbers.remove(id, path.phone_number_id), Json.deleted(path.phone_number_id))
        )
      )
  })
)
