import { Effect } from "effect"
import { Webhooks } from "../../../core/usecases/Webhooks.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

export const layer = Operations.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    return handlers
      .handle("create", ({ payload }) => Json.inWorkspace((id) => webhooks.create(id, payload)))
      .handle("list", ({ urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(webhooks.list(id, urlParams), (page) => Json.page(urlParams, page))
        )
      )
      .handle("get", ({ path }) => Json.inWorkspace((id) => webhooks.get(id, path.webhook_id)))
      .handle("test", ({ path }) => Json.inWorkspace((id) => webhooks.test(id, path.webhook_id)))
      .handle("update", ({ path, payload: { event_types, status, url } }) =>
        Json.inWorkspace((id) =>
          webhooks.update(id, path.webhook_id, {
            ...(url !== undefined && { url }),
            ...(event_types !== undefined && { event_types }),
            ...(status !== undefined && { status })
          })
        )
      )
      .handle("remove", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.as(webhooks.remove(id, path.webhook_id), Json.deleted(path.webhook_id))
        )
      )
      .handle("rotate", ({ path }) => Json.inWorkspace((id) => webhooks.rotate(id, path.webhook_id)))
      .handle("deliveries", ({ path, urlParams }) =>
        Json.inWorkspace((id) =>
          Effect.map(
            webhooks.deliveries(
              id,
              path.webhook_id,
              { status: urlParams.status, call_id: urlParams.call_id },
              urlParams
            ),
            (page) => Json.page(urlParams, page)
          )
        )
      )
      .handle("delivery", ({ path }) =>
        Json.inWorkspace((id) =>
          Effect.map(webhooks.delivery(id, path.webhook_id, path.delivery_id), ({ delivery, ...bodies }) => ({
            ...delivery,
            ...bodies
          }))
        )
      )
      .handle("redeliverSince", ({ path, payload }) =>
        Json.inWorkspace((id) => webhooks.redeliverSince(id, path.webhook_id, payload))
      )
      .handle("redeliver", ({ path }) =>
        Json.inWorkspace((id) => webhooks.redeliver(id, path.webhook_id, path.delivery_id))
      )
  })
)
