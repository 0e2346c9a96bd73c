import { Effect } from "effect"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "credits",
  Effect.fnUntraced(function* (handlers) {
    const credits = yield* Credits
    return handlers
      .handle("balance", () =>
        Json.inWorkspace((id) => Effect.map(credits.balance(id), (balance) => ({ customer_id: id, balance })))
      )
      .handle("ledger", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(credits.ledger(id, urlParams, urlParams), (page) => Json.page(urlParams, page))
        )
      )
  })
)
