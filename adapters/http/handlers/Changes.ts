import { Effect, Schema, Stream } from "effect"
import * as Call from "../../../core/model/calls/Call.ts"
import * as Campaign from "../../../core/model/campaigns/Campaign.ts"
import type { Change } from "../../../core/model/changes/Change.ts"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import { Delivery } from "../../../core/model/webhooks/Webhook.ts"
import type { Scope } from "../../../core/model/workspaces/Principal.ts"
import { Changes } from "../../../core/usecases/Changes.ts"
import { Api } from "../contract/Api.ts"
import { CurrentPrincipal } from "../contract/Authentication.ts"
import * as Operations from "./Operations.ts"
import * as ServerSentEvents from "./ServerSentEvents.ts"

/** A credential may be revoked meanwhile: it is looked at again when the client connects again. */
const longest = "15 minutes"

const encodeRun = Schema.encodeSync(RunSummary)
const encodeDelivery = Schema.encodeSync(Delivery)

const dataOf = (change: Change): string => {
  switch (change.type) {
    case "ready":
      return "{}"
    case "call":
      return Call.toJson(change.record)
    case "campaign":
      return Campaign.toJson(change.record)
    case "run":
      return JSON.stringify(encodeRun(change.record))
    case "delivery":
      return JSON.stringify(encodeDelivery(change.record))
  }
}

const scopes: Readonly<Record<Change["type"], Scope>> = {
  ready: "sessions:read",
  call: "sessions:read",
  run: "sessions:read",
  campaign: "campaigns:read",
  delivery: "webhooks:read"
}

export const layer = Operations.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const changes = yield* Changes
    return handlers.handle("follow", () =>
      Effect.map(CurrentPrincipal, ({ scopes: held, workspace_id }) =>
        ServerSentEvents.streamed(
          changes.follow(workspace_id).pipe(
            Stream.filter(({ type }) => held.has(scopes[type])),
            Stream.map((change) => ServerSentEvents.event(change.type, dataOf(change))),
            Stream.interruptAfter(longest)
          )
        )
      )
    )
  })
)
